// Names and values in lines: headers, queries, forms, cookies.

import { el, fill, peer } from "./dom.js"
import { more } from "./focus.js"
import { copyButton } from "./clipboard.js"
import { shown, shownHeader } from "./redact.js"
import { cut } from "./signs.js"
import { count, plural } from "./text.js"

/** Headers beyond these are folded. */
const folded = 12
const longest = 2000

export function headerLines(list, title) {
    const section = el("section", { class: "lines", "aria-label": title })
    const body = el("dl", { class: "fields" })
    section.append(el("h3", {}, title, el("span", { class: "dim" }, ` ${count(list.length)}`),
        copyButton("Copy", () => list.map(([name, value]) => `${name}: ${shownHeader(name, value)}`).join("\n"), { "aria-label": `Copy ${title.toLowerCase()}` })), body)
    if (!list.length) section.append(el("p", { class: "dim" }, "none"))
    const put = from => body.append(...list.slice(from.from, from.to).map(([name, value]) => {
        const safe = shownHeader(name, value)
        return line(name, safe, safe !== value)
    }))
    put({ from: 0, to: list.length > folded + 2 ? folded : list.length })
    if (list.length > folded + 2) {
        section.append(more(`Show all ${count(list.length)}`, button => {
            put({ from: folded, to: Math.min(list.length, 2000) })
            button.remove()
        }))
    }
    return section
}

/** Names and values in lines: of a query, a form, cookies. */
export function fieldLines(list, title, secret = false) {
    return el("section", { class: "lines", "aria-label": title }, el("h3", {}, title, el("span", { class: "dim" }, ` ${count(list.length)}`)),
        el("dl", { class: "fields" }, list.slice(0, 500).map(([name, value]) => {
            const safe = secret ? shown("cookie", value) : shown(name, value)
            return line(name, safe, safe !== value)
        })),
        list.length > 500 ? el("p", { class: "dim" }, `and ${plural(list.length - 500, "more", "more")}: Raw has all of them`) : null)
}

function line(name, value, hidden) {
    return el("div", { class: "field" }, el("dt", { class: "value" }, longValue(name)),
        el("dd", { class: "value" }, longValue(value), " ", hidden ? null : copyButton("Copy", String(value), { "aria-label": `Copy ${cut(name, 60)}` })))
}

/** A long value is cut, and shown whole on demand: layout of long words is slow. */
export function longValue(value) {
    const text = String(value)
    if (text.length <= longest) return peer(text)
    const whole = el("span", {}, peer(`${text.slice(0, longest)}…`))
    whole.append(more(`Show all ${count(text.length)} characters`, () => fill(whole, peer(text))))
    return whole
}
