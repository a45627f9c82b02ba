// What the index and the pages of examples share.

/** The contents of a JSON file, which the browser may not have kept from an earlier version. */
export async function json(file) {
    const response = await fetch(file, { cache: "no-cache" });
    if (!response.ok) {
        throw new Error(`${file}: ${response.status}`);
    }
    return response.json();
}

/** The name of a page as a title. */
export const title = (page) => page.name.replaceAll(/[_-]/g, " ");
