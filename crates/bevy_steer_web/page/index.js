// The index: a card for each page of pages.json, below the heading of its group.
import { json, title } from "./site.js";

function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

function card(page) {
    const picture = { src: `pictures/${page.picture}.webp`, alt: "", loading: "lazy", width: 480, height: 270 };
    return element("a", { className: "card", href: `play.html?${page.query}` },
        element("img", picture),
        element("h3", { textContent: title(page) }),
        element("p", { textContent: page.text }));
}

const main = document.querySelector("main");
try {
    const pages = await json("pages.json");
    for (const group of new Set(pages.map((page) => page.group))) {
        const cards = pages.filter((page) => page.group === group).map(card);
        main.append(element("h2", { textContent: group }), element("div", { className: "cards" }, ...cards));
    }
} catch (error) {
    console.error(error);
    main.append(element("p", { textContent: `The list of examples cannot be shown: ${error.message}` }));
}
