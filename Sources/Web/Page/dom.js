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

// Where the keyboard is stays where it was, whatever is drawn anew around it.

/** What a control is known by when it is drawn again. */
export const kept = key => ({ "data-keep": key })

/** The key of the control in there that has the focus, else null. */
export function keptFocus(inside) {
    const active = document.activeElement
    return active && inside.contains(active) ? active.closest("[data-keep]")?.dataset.keep ?? null : null
}

/** Draws, and gives the focus to the control of the same key. */
export function keepingFocus(inside, draw) {
    const key = keptFocus(inside)
    draw()
    if (key !== null) focusKept(inside, key)
}

/** Gives the focus to the control of that key; false where there is none. */
export function focusKept(inside, key) {
    const found = [...inside.querySelectorAll("[data-keep]")].find(one => one.dataset.keep === key && !one.disabled)
    found?.focus({ preventScroll: true })
    return !!found
}

/** Gives the focus to a heading, from where Tab goes on. */
export function focusHeading(heading) {
    if (!heading) return
    heading.setAttribute("tabindex", "-1")
    heading.focus({ preventScroll: true })
    heading.scrollIntoView({ block: "start" })
}

/** Whether nobody has the focus: what had it is gone. */
export const focusIsLost = () => document.activeElement === null || document.activeElement === document.body

/**
 * A table that becomes cards where there is no room for its columns: each cell says its column's name.
 *
 * @param heads names of the columns: words, or `{words, number}` for a column of numbers
 * @param rows `{attributes, cells: [{content, head, number, …attributes}]}`; `head` names the row
 */
export function cardTable(heads, rows, { label, ...attributes }) {
    const columns = heads.map(head => typeof head === "string" ? { words: head } : head)
    return el("div", { class: "cards" }, el("table", { ...attributes, role: "table", "aria-label": label },
        el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, columns.map(({ words, number }) => el("th", { scope: "col", role: "columnheader", class: number ? "number" : null }, words)))),
        el("tbody", { role: "rowgroup" }, rows.map(row => el("tr", { ...row.attributes, role: "row" }, row.cells.map((cell, index) => cellOf(cell, columns[index])))))))
}

function cellOf({ content, head, empty, ...attributes }, column) {
    return el(head ? "th" : "td", {
        ...attributes, scope: head ? "row" : null, role: head ? "rowheader" : "cell", "data-name": column.words, "data-empty": empty ? "true" : null,
        class: [column.number ? "number" : "", attributes.class ?? ""].join(" ").trim() || null,
    }, el("div", {}, content))
}

/** What can have the focus. */
const focusable = "button, a[href], input, select, textarea, summary, [tabindex]"

const nameOf = element => element.dataset.key ?? element.getAttribute("aria-label") ?? element.textContent.slice(0, 200)

/** Draws, and gives the focus to what stands now where it was: by name, else by place, else to what all of it lies in. */
export function keepFocus(holder, draw) {
    const old = document.activeElement
    if (!old || old === holder || !holder.contains(old)) return draw()
    const alike = element => element.localName === old.localName && (element.dataset.key ?? "") === (old.dataset.key ?? "")
    const place = [...holder.querySelectorAll(focusable)].filter(alike).indexOf(old)
    const name = nameOf(old)
    const result = draw()
    if (old.isConnected && document.activeElement === old) return result
    const all = [...holder.querySelectorAll(focusable)].filter(alike)
    const named = all.filter(element => nameOf(element) === name)
    const next = named.length === 1 ? named[0] : named.includes(all[place]) ? all[place] : named[0] ?? (old.dataset.key ? all[0] : null)
    ;(next ?? holder.closest("[tabindex]"))?.focus({ preventScroll: true })
    return result
}

/** A button that shows more. Where it goes with that, the focus goes to what `action` gives, else to what it was in. */
export function more(words, action) {
    const made = button(words, () => {
        const around = made.parentElement?.closest("[tabindex]")
        const next = action(made)
        if (!made.isConnected || made.hidden) (next ?? around)?.focus({ preventScroll: true })
    }, { class: "more" })
    return made
}
