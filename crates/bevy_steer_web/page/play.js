// A page with an example: loads the program, which reads in the address what it should show.
import { json, title } from "./site.js";
import { addPad, addTouch } from "./touch.js";

const byId = (id) => document.getElementById(id);

/** What the program has said when it panicked: the error that follows is only "unreachable". */
let panic;
const { error: log } = console;
console.error = (...texts) => {
    const text = texts.join(" ");
    if (text.includes("panicked at")) {
        panic ??= text.split("\n\nStack:")[0];
    }
    log.apply(console, texts);
};

/** With Ctrl or Command these are keys of the panel's text fields. */
const EDITING = /^(Control|Meta|Shift|[acvxyz])$/i;

/** Whether a key is for the browser: to leave the canvas, load the page again, open a tab. The
 * program would keep them all. AltGr types signs, and so does Alt on a Mac. */
function isForBrowser(event) {
    return !event.getModifierState("AltGraph")
        && (["Tab", "F5", "F11", "F12"].includes(event.key)
            || (event.altKey && event.key.length > 1)
            || ((event.ctrlKey || event.metaKey) && !EDITING.test(event.key)));
}

/** Hides keys for the browser from the program. Not their release: a key that was pressed before
 * Ctrl would stay pressed. */
function leaveKeys(canvas) {
    canvas.addEventListener("keydown", (event) => {
        if (isForBrowser(event)) {
            event.stopImmediatePropagation();
        }
    }, { capture: true });
}

/** The response, as a stream that updates the progress bar. */
function withProgress(response, bytes) {
    const bar = document.querySelector("progress");
    let loaded = 0;
    const count = new TransformStream({
        transform(chunk, controller) {
            loaded += chunk.byteLength;
            bar.value = loaded / bytes;
            controller.enqueue(chunk);
        },
    });
    return new Response(response.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}

/** Shows what the page is about. */
async function describe() {
    const query = new URLSearchParams(location.search);
    const page = (await json("pages.json")).find((page) =>
        [...new URLSearchParams(page.query)].every(([key, value]) => query.get(key) === value));
    const example = query.get("example") ?? "";
    // It has its own list of scenes, and a caption for each.
    const isGallery = example === "gallery";
    const name = page && !isGallery ? title(page) : example;
    const scene = page && isGallery ? title(page) : "";
    byId("name").textContent = name;
    byId("about").textContent = isGallery ? "" : page?.text ?? "";
    document.title = ["bevy_steer", name, scene].filter(Boolean).join(": ");
    byId("canvas").setAttribute("aria-label", [document.title, page?.text].filter(Boolean).join(". "));
    byId("pad").classList.toggle("needed", page?.name === "player_input");
}

async function play() {
    const canvas = byId("canvas");
    addTouch(canvas);
    addPad(byId("pad"), canvas);
    leaveKeys(canvas);
    canvas.addEventListener("webglcontextlost", () => {
        fail("the browser has taken its graphics away. Reload the page.");
    });
    if (!document.createElement("canvas").getContext("webgl2")) {
        throw new Error("it needs WebGL 2, which this browser does not have or has switched off.");
    }
    // The size without compression, which the server may not tell.
    const { name, bytes } = await json("build.json");
    const program = `${name}_bg.wasm`;
    const [{ default: init }, response] = await Promise.all([import(`./${name}.js`), fetch(program)]);
    if (!response.ok) {
        throw new Error(`${program}: ${response.status}`);
    }
    canvas.focus({ focusVisible: false });
    await init({ module_or_path: withProgress(response, bytes) });
    byId("loading")?.remove();
    // The program itself shows an error in its address.
    setState(byId("text").classList.contains("error") ? "failed" : "running");
}

function setState(state) {
    document.body.dataset.state = state;
    if (state === "failed") {
        byId("text").setAttribute("role", "alert");
    }
}

function fail(error) {
    // What fails after that is a consequence.
    if (document.body.dataset.state === "failed") {
        return;
    }
    byId("loading")?.remove();
    byId("text").textContent = `The example cannot be shown: ${panic ?? error?.message ?? error}`;
    byId("text").className = "error";
    setState("failed");
}

// Also what fails later.
window.addEventListener("error", (event) => event.error && fail(event.error));
window.addEventListener("unhandledrejection", (event) => fail(event.reason));
describe().catch(console.error);
play();
