// Elements without markup: text comes in as text alone, so nothing that a peer sent can become an element.

import { signs } from "./signs.js"

/** Attributes that may be set here. Addresses and styles are not among them: see `link` and `el.style` where they are needed. */
const allowed = /^(id|class|type|title|role|tabindex|for|name|value|placeholder|lang|dir|hidden|disabled|checked|open|colspan|scope|autocomplete|autocapitalize|spellcheck|inputmode|rows|min|max|method|alt|aria-[a-z]+|data-[a-z-]+)$/

/** An element with attributes, listeners (`onclick: …`) and children: nodes, texts, lists of both; nothing for null. */
export function el(name, attributes, ...children) {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value)
        else if (!allowed.test(key)) throw new Error(`${key} is no attribute for el()`)
        else element.setAttribute(key, value === true ? "" : String(value))
    }
    add(element, children)
    return element
}

export function add(element, ...children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue
        element.append(typeof child === "object" ? child : String(child))
    }
    return element
}

/** In place of what is in there. */
export function fill(element, ...children) {
    element.replaceChildren()
    return add(element, children)
}

/** Text of a peer: control and direction characters are shown as signs. */
export function peer(text, name = "span", attributes = {}) {
    return el(name, { ...attributes, class: `value ${attributes.class ?? ""}`.trim() }, signs(text))
}

/** The same; what stands between backquotes is to be typed. */
export const withCode = text => String(text).split("`").map((part, index) => index % 2 ? peer(part, "code") : peer(part))

export function button(text, action, attributes = {}) {
    return el("button", { type: "button", onclick: action, ...attributes }, ...[text].flat())
}

/** A button that is on or off. */
export function toggle(text, on, changed, attributes = {}) {
    const made = button(text, () => {
        const now = made.getAttribute("aria-pressed") !== "true"
        made.setAttribute("aria-pressed", now)
        changed(now)
    }, { "aria-pressed": String(on), ...attributes })
    return made
}

/** A link to something of pinproof's own; the address is never taken from a flow. */
export function link(text, address, attributes = {}) {
    if (!/^\/(api|assets)\/[\w/?&=.:%*,-]*$/.test(address)) throw new Error("a link leads to pinproof alone")
    const made = el("a", attributes, text)
    made.href = address
    return made
}

/** Says it to a screen reader, and to nobody else. */
export function say(text) {
    const said = document.getElementById("said")
    if (said) said.textContent = text
}

/** Calls at most once per frame, and also where frames do not come: browsers draw none of a tab that nobody sees. */
export function oncePerFrame(action) {
    let timer = 0
    const run = () => {
        if (!timer) return
        clearTimeout(timer)
        timer = 0
        action()
    }
    return () => {
        if (timer) return
        timer = setTimeout(run, 100)
        requestAnimationFrame(run)
    }
}

/** Calls when nothing has been asked for so long. */
export function whenQuiet(milliseconds, action) {
    let timer = 0
    return (...values) => {
        clearTimeout(timer)
        timer = setTimeout(() => action(...values), milliseconds)
    }
}
