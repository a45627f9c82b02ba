#!/usr/bin/env python3
"""Opens the pages that tools/web has built in a headless Chromium and checks what they show.

    tools/web --test
    tools/web --test seek flock

Every page loads without an error in its console and its picture is not blank. A click and a tap
move a target, two fingers zoom, buttons press the arrow keys, a key opens the panel, others are
left to the browser, a small window shows a small example whole, and headless runs end with the same
hash of their state as outside the browser. A page that cannot show its example says why. The
pictures of the pages are written into a folder beside that of the pages.
"""

import argparse
import functools
import http.server
import io
import json
import pathlib
import subprocess
import sys
import threading

from PIL import Image
from playwright.sync_api import sync_playwright

SOFTWARE_GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
HEADLESS_RUNS = [
    ["hunter_prey", "--headless", "--seconds=5"],
    ["stress", "--headless", "--agents=1000", "--behaviors=flock"],
    ["stress", "--headless", "--agents=1000", "--behaviors=mix", "--plane=xz"],
    ["stress", "--headless", "--agents=1000", "--behaviors=flock", "--plane=free"],
]
# Pages with a goal that a click moves: a free place of the canvas, and the colour of the goal. In the
# gallery that is `palette::GREEN`.
GOALS = {
    "example=gallery&scene=seek": ((900, 240), (0, 184, 135)),
    "example=flow_field": ((1080, 160), (242, 230, 77)),
}
# Of the frame around the arena, and of the player of `player_input`.
FRAME_COLOR = (61, 71, 87)
PLAYER_COLOR = (255, 255, 255)
# Takes WebGL 2 away.
NO_WEBGL = """
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : getContext.call(this, kind, ...rest);
    };
"""
# The glue of the program, and one of a program that panics.
GLUE = "bevy_steer_web-*.js"
PANICKING_GLUE = """
    export default () => {
        console.error("panicked at here.rs:1:2:\\nwhy\\n\\nStack:\\n\\nfunctions");
        throw new Error("unreachable");
    };
"""
# An empty scene has one colour; a small example with upright squares adds two.
LEAST_COLORS = 3


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the folder without a line for each file."""

    def log_message(self, *_):
        pass


class Tester:
    """The pages of a folder, in a browser."""

    def __init__(self, folder, browser, address):
        self.screenshots = folder.with_name(folder.name + "-screenshots")
        self.screenshots.mkdir(exist_ok=True)
        self.browser = browser
        self.address = address
        self.failures = []

    def check(self, holds, message):
        if not holds:
            self.failures.append(message)
            print(f"FAILED: {message}", flush=True)

    def go_to(self, page, name):
        """Opens a file in a page, whose errors from now on are failures."""
        page.on("pageerror", lambda error: self.check(False, f"{name}: {error}"))
        page.on("console", lambda line: self.check(line.type != "error", f"{name}: {line.text}"))
        page.goto(f"{self.address}/{name}")

    def open(self, query, seconds=4.0, expected="running", **context):
        """A page that runs, after some seconds. Its errors are failures."""
        page = self.browser.new_context(**{"viewport": {"width": 1280, "height": 760}, **context}).new_page()
        name = f"play.html?{query}"
        self.go_to(page, name)
        page.wait_for_function("document.body.dataset.state", timeout=300_000)
        state = page.evaluate("document.body.dataset.state")
        self.check(state == expected, f"{name} is {state}")
        page.wait_for_timeout(seconds * 1000)
        return page

    def touch(self, page, moves):
        """Fingers come down at the first of these places, move to the others, and lift."""
        session = page.context.new_cdp_session(page)
        for kind, places in [*zip(["touchStart"] + ["touchMove"] * len(moves), moves), ("touchEnd", [])]:
            points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            page.wait_for_timeout(100)

    def canvas(self, page):
        """The picture of the canvas."""
        return Image.open(io.BytesIO(page.screenshot(clip=page.locator("#canvas").bounding_box()))).convert("RGB")

    def check_picture(self, listed):
        page = self.open(listed["query"])
        picture = self.canvas(page)
        picture.save(self.screenshots / f"{listed['picture']}.png")
        # Without the frame and the texts.
        middle = picture.crop((256, 100, picture.width - 24, picture.height - 60))
        colors = len(middle.quantize(64).getcolors())
        print(f"{listed['query']}: {colors} colours", flush=True)
        self.check(colors >= LEAST_COLORS, f"{listed['query']} is blank")
        page.context.close()

    def check_index(self, pages):
        page = self.browser.new_page()
        self.go_to(page, "index.html")
        page.wait_for_selector(".card")
        addresses = [card.get_attribute("href") for card in page.locator(".card").all()]
        self.check(addresses == [f"play.html?{listed['query']}" for listed in pages], "the index lacks pages")
        # All pictures are there and have the shape of a window.
        for picture in page.locator(".card img").all():
            picture.scroll_into_view_if_needed()
            page.wait_for_function("picture => picture.complete && picture.naturalWidth > 0", arg=picture.element_handle())
            box = picture.bounding_box()
            self.check(abs(box["width"] / box["height"] - 16 / 9) < 0.02, f"a picture of the index is {box}")
        page.screenshot(path=self.screenshots / "index.png", full_page=True)
        page.close()

    def check_goal(self, query, touch):
        """A click, or a tap, moves the goal of this page to its place."""
        page = self.open(query, has_touch=touch)
        (left, top), color = GOALS[query]
        around = (left - 30, top - 30, left + 30, top + 30)
        before = pixels_of(color, self.canvas(page).crop(around))
        x, y = left, top + page.locator("#canvas").bounding_box()["y"]
        if touch:
            self.touch(page, [[(x, y)]] * 10)
        else:
            # As a hand does, and for longer than a frame of a slow machine.
            page.mouse.move(x - 100, y)
            page.wait_for_timeout(500)
            page.mouse.move(x, y)
            page.wait_for_timeout(500)
            page.mouse.down()
            page.wait_for_timeout(1500)
            page.mouse.up()
        # An agent may cover the goal for a while.
        after = 0
        for _ in range(8):
            page.wait_for_timeout(1500)
            after = max(after, pixels_of(color, self.canvas(page).crop(around)))
            if after > 40:
                break
        what = f"{query}: a {'tap' if touch else 'click'}"
        print(f"{what}: {before} pixels of a goal at its place before, {after} after", flush=True)
        self.check(before < 10 and after > 40, f"{what} does not move the goal")
        page.context.close()

    def check_pinch(self):
        """Two fingers that move apart zoom: the frame of the arena is no longer in view."""
        page = self.open("example=gallery&scene=seek", has_touch=True)
        before = pixels_of(FRAME_COLOR, self.canvas(page))
        y = page.locator("#canvas").bounding_box()["y"] + 380
        self.touch(page, [[(750 - gap, y), (750 + gap, y)] for gap in range(20, 250, 10)])
        page.wait_for_timeout(2000)
        after = pixels_of(FRAME_COLOR, self.canvas(page))
        print(f"two fingers: {before} pixels of the frame before, {after} after", flush=True)
        self.check(before > 1000 and after < before / 2, "two fingers do not zoom")
        page.context.close()

    def check_pad(self):
        """A button of the pad moves the player away from its place."""
        page = self.open("example=player_input", has_touch=True)
        canvas = self.canvas(page)
        middle = canvas.width // 2, canvas.height // 2
        around = (middle[0] - 10, middle[1] - 10, middle[0] + 10, middle[1] + 10)
        before = pixels_of(PLAYER_COLOR, canvas.crop(around))
        page.dispatch_event("#pad [data-key=ArrowUp]", "pointerdown")
        page.wait_for_timeout(3000)
        page.dispatch_event("#pad [data-key=ArrowUp]", "pointerup")
        after = pixels_of(PLAYER_COLOR, self.canvas(page).crop(around))
        print(f"the pad: {before} pixels of the player at its place before, {after} after", flush=True)
        self.check(before > 40 and after < 10, "the pad does not move the player")
        page.context.close()

    def check_small_window(self):
        """A small window shows a small example whole: the walls at both sides."""
        page = self.open("example=player_input", viewport={"width": 390, "height": 700})
        canvas = self.canvas(page)
        canvas.save(self.screenshots / "small-window.png")
        x, y = canvas.width / 2, canvas.height / 2
        for wall in (-400, 400):
            place = round(x + wall * canvas.width / 1280)
            strip = canvas.crop((place - 4, round(y - 60), place + 4, round(y + 60))).convert("L")
            bright = sum(strip.histogram()[100:])
            print(f"a small window: {bright} bright pixels where the wall at {wall} is", flush=True)
            self.check(bright > 60, f"a small window does not show the wall at {wall}")
        page.context.close()

    def check_keys(self):
        """F1 opens the panel, which covers a side of the window and says what it is. F5 and Tab are
        for the browser. A page whose canvas has lost its context says so."""
        page = self.open("example=hunter_prey")
        before = self.canvas(page)
        page.keyboard.press("F1")
        page.wait_for_timeout(3000)
        after = self.canvas(page)
        after.save(self.screenshots / "panel.png")
        sides = [(0, 60, 240, before.height - 60), (before.width - 240, 60, before.width, before.height - 60)]
        # Most of the panel has one colour, which the game does not have there.
        share = max(most_common_share(after.crop(side)) - most_common_share(before.crop(side)) for side in sides)
        print(f"the panel adds {share:.0%} of one colour", flush=True)
        self.check(share > 0.2, "F1 does not open the panel")
        is_left = """key => document.getElementById("canvas").dispatchEvent(
            new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }))"""
        for key, expected in [("F1", False), ("F5", True)]:
            self.check(page.evaluate(is_left, key) == expected, f"the canvas and the browser: {key}")
        focused = "document.activeElement.id"
        self.check(page.evaluate(focused) == "canvas", "the canvas does not get the keys")
        page.keyboard.press("Tab")
        self.check(page.evaluate(focused) != "canvas", "Tab does not leave the canvas")
        page.evaluate("document.getElementById('canvas').dispatchEvent(new Event('webglcontextlost'))")
        text = page.locator("[role=alert]").text_content()
        self.check("Reload" in text, f"a canvas without its picture says {text!r}")
        page.context.close()

    def check_state_hash(self, examples, run):
        """The same run in the browser and outside of it ends with the same bits."""
        example, *options = run
        query = "&".join([f"example={example}", *(option.removeprefix("--") for option in options)])
        page = self.open(query)
        page.wait_for_selector("#text.report", timeout=300_000)
        in_browser = state_hash(page.locator("#text").text_content())
        native = subprocess.run([examples / example, *options], check=True, capture_output=True, text=True)
        outside = state_hash(native.stdout)
        print(f"{query}: state hash {in_browser} in the browser, {outside} outside", flush=True)
        self.check(in_browser == outside, f"{query} has other bits in the browser")
        page.context.close()

    def check_error(self):
        """An unknown example is named on the page."""
        page = self.open("example=nothing", seconds=0.5, expected="failed")
        text = page.locator("#text.error").text_content(timeout=60_000)
        self.check("nothing" in text, f"the page of an unknown example says {text!r}")
        page.context.close()

    def check_failure(self, expected, script="", file=None, contents=None):
        """A page that cannot show its example says why: where a script has run before, or a file
        is missing, or has other contents."""
        page = self.browser.new_context().new_page()
        page.add_init_script(script)
        if contents:
            page.route(f"**/{file}", lambda route: route.fulfill(body=contents, content_type="text/javascript"))
        elif file:
            page.route(f"**/{file}", lambda route: route.abort())
        page.goto(f"{self.address}/play.html?example=minimal_2d")
        page.wait_for_function("document.body.dataset.state", timeout=300_000)
        state = page.evaluate("document.body.dataset.state")
        text = " ".join(page.locator("[role=alert]").all_text_contents())
        fails = state == "failed" and expected in text and "functions" not in text
        self.check(fails, f"a page that should say {expected!r} is {state} and says {text!r}")
        page.context.close()

    def check_names(self):
        """Scenes of the gallery have titles of their own, and the canvas says what it shows."""
        page = self.browser.new_context().new_page()
        # These are there without the program.
        page.route(f"**/{GLUE}", lambda route: route.abort())
        titles = []
        for scene in ["seek", "flock"]:
            page.goto(f"{self.address}/play.html?example=gallery&scene={scene}")
            label = page.locator("#canvas[aria-label]").get_attribute("aria-label")
            self.check(scene in label, f"the canvas of {scene} is labelled {label!r}")
            titles.append(page.title())
        self.check(titles[0] != titles[1], f"the titles are {titles}")
        page.context.close()


def pixels_of(color, picture):
    near = (max(abs(a - b) for a, b in zip(pixel, color)) <= 12 for pixel in picture.get_flattened_data())
    return sum(near)


def most_common_share(picture):
    colors = picture.getcolors(picture.width * picture.height)
    return max(count for count, _ in colors) / (picture.width * picture.height)


def state_hash(report):
    return next(line.split()[-1] for line in report.splitlines() if line.startswith("state hash"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="what tools/web has built")
    parser.add_argument("examples", type=pathlib.Path, help="the folder of the examples outside the browser")
    parser.add_argument("pages", nargs="*", help="names of pages; all if there are none")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    pages = json.loads((arguments.folder / "pages.json").read_text())
    chosen = [page for page in pages if not arguments.pages or page["name"] in arguments.pages]
    if not chosen:
        parser.error("there are no such pages")

    handler = functools.partial(QuietHandler, directory=arguments.folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=SOFTWARE_GL)
        tester = Tester(arguments.folder, browser, f"http://127.0.0.1:{server.server_port}")
        tester.check_index(pages)
        for run in HEADLESS_RUNS:
            tester.check_state_hash(arguments.examples, run)
        tester.check_error()
        tester.check_failure("WebGL 2", script=NO_WEBGL)
        tester.check_failure("a script cannot be loaded", file="play.js")
        tester.check_failure("bevy_steer_web", file=GLUE)
        tester.check_failure("panicked at here.rs", file=GLUE, contents=PANICKING_GLUE)
        tester.check_names()
        for query in GOALS:
            tester.check_goal(query, touch=False)
            tester.check_goal(query, touch=True)
        tester.check_pinch()
        tester.check_pad()
        tester.check_small_window()
        tester.check_keys()
        for listed in chosen:
            tester.check_picture(listed)
        browser.close()
    print(f"{len(chosen)} pages, {len(tester.failures)} failures")
    sys.exit(1 if tester.failures else 0)


if __name__ == "__main__":
    main()
