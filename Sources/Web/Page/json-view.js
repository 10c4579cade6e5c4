// JSON as a tree that folds, every token as it came.

import { button, el, peer } from "./dom.js"
import { more } from "./focus.js"
import { hidden, isSecret, presenting, shownText } from "./redact.js"
import { jsonText } from "./json-tokens.js"
import { count, plural } from "./text.js"

/** Members that come at once; more on demand. */
const some = 200
/** Open from the beginning: so many members in all, and so deep. */
const opened = 1500
const deep = 6
const longest = 4000

export function jsonView(tree) {
    const budget = { left: opened }
    const frame = el("div", { class: "json value", tabindex: 0, role: "group", "aria-label": "JSON" })
    const foldAll = open => {
        for (const one of frame.querySelectorAll("details")) if (one !== frame.firstChild) one.open = open
    }
    frame.append(node(tree, null, 0, budget, false))
    if (!tree.members?.some(member => member.value.members?.length)) return frame
    return [el("p", { class: "fold-bar" }, button("Fold all", () => foldAll(false), { class: "more" }), button("Unfold all", () => foldAll(true), { class: "more" })), frame]
}

function node(tree, key, depth, budget, last, secret = false) {
    const comma = last === false || last === null ? "" : ","
    const label = key === null || key === undefined ? null : [el("span", { "data-token": "key" }, jsonKey(key)), ": "]
    if (!tree.members) return el("div", { class: "json-line" }, label, token(tree, secret), comma)
    const [before, after] = tree.kind === "object" ? "{}" : "[]"
    if (!tree.members.length) return el("div", { class: "json-line" }, label, before, after, comma)
    const inside = el("div", { class: "json-inside" })
    const open = depth === 0 || (depth < deep && budget.left > 0)
    const words = plural(tree.members.length, tree.kind === "object" ? "member" : "item")
    const made = el("details", { open }, el("summary", {}, label, before, el("span", { class: "folded" }, el("span", { class: "dim" }, ` ${words} `), after, comma)),
        inside, el("div", { class: "json-line" }, after, comma))
    let drawn = false
    const draw = () => {
        if (drawn) return
        drawn = true
        members(inside, tree, 0, depth, budget, secret)
    }
    if (open) draw()
    else made.addEventListener("toggle", draw)
    return made
}

function members(inside, tree, from, depth, budget, secret) {
    const to = Math.min(tree.members.length, from + some)
    for (let index = from; index < to; index += 1) {
        budget.left -= 1
        const { key, value } = tree.members[index]
        const hides = secret || (presenting() && key !== undefined && isSecret(jsonText(key)))
        inside.append(node(value, key, depth + 1, budget, index < tree.members.length - 1 && !tree.lines ? true : null, hides))
    }
    if (to === tree.members.length) return
    inside.append(more(`Show ${count(Math.min(some, tree.members.length - to))} more of ${count(tree.members.length)}`, next => {
        next.remove()
        members(inside, tree, to, depth, { left: 0 }, secret)
        return inside.querySelector(":scope > .more")
    }))
}

/** Keys keep their quotes and escapes: they are shown as they came. */
const jsonKey = key => peer(key.length > 300 ? `${key.slice(0, 300)}…` : key)

function token(tree, secret) {
    if (secret) return el("span", { "data-token": "string" }, `"${hidden}"`)
    const text = tree.kind === "string" ? shownText(tree.text) : tree.text
    const made = el("span", { "data-token": tree.kind }, peer(text.slice(0, longest)))
    if (text.length > longest) {
        made.append(more(`… show all ${count(text.length)} characters`, () => made.replaceChildren(peer(text))))
    }
    return made
}
