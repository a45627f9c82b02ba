// Touch as a mouse: one finger is the left button; two fingers are the right button, which moves
// the view, and their distance is the wheel, which zooms.

const LEFT = { button: 0, buttons: 1 };
const RIGHT = { button: 2, buttons: 2 };
const NONE = { button: -1, buttons: 0 };

/** Pixels between two fingers for a step of the wheel. */
const PIXELS_A_STEP = 24;
/** One finger is the left button once it has moved so many pixels, or after so many milliseconds:
 * the second of two fingers may still come. */
const DRAG_PIXELS = 6;
const DRAG_MILLISECONDS = 80;

const gap = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = ([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** The mouse that the fingers stand for. */
class Mouse {
    constructor(canvas) {
        this.canvas = canvas;
        this.pressed = null;
        this.place = null;
    }

    send(type, button) {
        const event = new PointerEvent(type, {
            clientX: this.place.x, clientY: this.place.y, pointerId: 1, pointerType: "mouse",
            isPrimary: true, bubbles: true, cancelable: true, ...button,
        });
        // The program reads the places of a move from here, where made events have none.
        event.getCoalescedEvents = () => [event];
        this.canvas.dispatchEvent(event);
    }

    move(place) {
        this.place = place;
        this.send("pointermove", { ...NONE, buttons: this.pressed?.buttons ?? 0 });
    }

    press(place, button) {
        this.release();
        this.move(place);
        this.send("pointerdown", button);
        this.pressed = button;
    }

    /** Releases the button where the mouse is. */
    release() {
        if (this.pressed) {
            this.send("pointerup", { button: this.pressed.button, buttons: 0 });
            this.pressed = null;
        }
    }

    turnWheel(steps) {
        this.canvas.dispatchEvent(new WheelEvent("wheel", {
            clientX: this.place.x, clientY: this.place.y, deltaY: -steps,
            deltaMode: WheelEvent.DOM_DELTA_LINE, bubbles: true, cancelable: true,
        }));
    }
}

/** Has a canvas take touches as a mouse. */
export function addTouch(canvas) {
    const mouse = new Mouse(canvas);
    const fingers = new Map();
    // The finger that will be the left button, and where it came down.
    let waiting = null;
    let zoomedAt = 0;

    const pressWaiting = () => {
        if (waiting) {
            clearTimeout(waiting.timer);
            mouse.press(waiting.place, LEFT);
            waiting = null;
        }
    };
    const comeDown = (place) => {
        const points = [...fingers.values()];
        if (points.length === 1) {
            waiting = { place, timer: setTimeout(pressWaiting, DRAG_MILLISECONDS) };
        } else if (points.length === 2) {
            clearTimeout(waiting?.timer);
            waiting = null;
            mouse.press(middle(points), RIGHT);
            zoomedAt = gap(points);
        }
    };
    const move = (place) => {
        const points = [...fingers.values()];
        if (points.length === 1) {
            if (waiting && gap([waiting.place, place]) > DRAG_PIXELS) {
                pressWaiting();
            }
            // One finger that is left of two does nothing.
            if (mouse.pressed === LEFT) {
                mouse.move(place);
            }
        } else if (points.length === 2 && mouse.pressed === RIGHT) {
            mouse.move(middle(points));
            const steps = Math.trunc((gap(points) - zoomedAt) / PIXELS_A_STEP);
            if (steps !== 0) {
                zoomedAt += steps * PIXELS_A_STEP;
                mouse.turnWheel(steps);
            }
        }
    };
    const follow = (event) => {
        if (event.pointerType !== "touch") {
            return;
        }
        event.stopImmediatePropagation();
        event.preventDefault();
        const place = { x: event.clientX, y: event.clientY };
        if (event.type === "pointerdown") {
            canvas.focus();
            fingers.set(event.pointerId, place);
            comeDown(place);
        } else if (event.type === "pointermove") {
            if (fingers.has(event.pointerId)) {
                fingers.set(event.pointerId, place);
                move(place);
            }
        } else if (fingers.delete(event.pointerId)) {
            // A short tap is a click.
            pressWaiting();
            mouse.release();
        }
    };
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
        canvas.addEventListener(type, follow, { capture: true });
    }
}

/** Has buttons press the arrow keys of a canvas. */
export function addPad(pad, canvas) {
    for (const button of pad.querySelectorAll("button")) {
        const key = button.dataset.key;
        const send = (type) => (event) => {
            event.preventDefault();
            canvas.dispatchEvent(new KeyboardEvent(type, { key, code: key, bubbles: true, cancelable: true }));
        };
        button.addEventListener("pointerdown", send("keydown"));
        for (const type of ["pointerup", "pointercancel", "pointerleave"]) {
            button.addEventListener(type, send("keyup"));
        }
    }
}
