// What the index and the pages of examples share.

/** The contents of a JSON file. */
export async function json(file) {
    const response = await fetch(file);
    if (!response.ok) {
        throw new Error(`${file}: ${response.status}`);
    }
    return response.json();
}

/** The name of a page as a title. */
export const title = (page) => page.name.replaceAll(/[_-]/g, " ");
