// A page with an example: loads the program, which reads in the address what it should show.
import init from "./bevy_steer_web.js";
import { json, title } from "./site.js";
import { addPad, addTouch } from "./touch.js";

const PROGRAM = "bevy_steer_web_bg.wasm";

const byId = (id) => document.getElementById(id);

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
    // The gallery has its own list of scenes, and a caption for each.
    const isGallery = query.get("example") === "gallery";
    const name = isGallery ? "gallery" : page ? title(page) : "";
    byId("name").textContent = name;
    byId("about").textContent = isGallery ? "" : page?.text ?? "";
    document.title = `bevy_steer: ${name}`;
    byId("pad").classList.toggle("needed", page?.name === "player_input");
}

async function play() {
    const canvas = byId("canvas");
    addTouch(canvas);
    addPad(byId("pad"), canvas);
    // The size without compression, which the server may not tell.
    const { bytes } = await json("build.json");
    const response = await fetch(PROGRAM);
    if (!response.ok) {
        throw new Error(`${PROGRAM}: ${response.status}`);
    }
    canvas.focus();
    await init({ module_or_path: withProgress(response, bytes) });
    byId("loading")?.remove();
    // The program itself shows an error in its address.
    setState(byId("text").classList.contains("error") ? "failed" : "running");
}

function setState(state) {
    document.body.dataset.state = state;
}

function fail(error) {
    byId("loading")?.remove();
    byId("text").textContent = `The example cannot be shown: ${error?.message ?? error}`;
    byId("text").className = "error";
    setState("failed");
}

// Also what fails later, as where there is no WebGL 2.
window.addEventListener("error", (event) => event.error && fail(event.error));
window.addEventListener("unhandledrejection", (event) => fail(event.reason));
describe().catch(console.error);
await play();
