// A protocol buffer without its schema as a tree: numbers, wire types, and what a field may mean.

import { el, peer } from "./dom.js"
import { hexOf } from "./hex.js"
import { shownText } from "./redact.js"
import { count, plural, size } from "./text.js"

export function protobufView(fields) {
    if (!fields.length) return el("p", { class: "dim" }, "An empty message.")
    return el("div", { class: "protobuf value" }, list(fields))
}

/** Fields, and characters of one, that are drawn. */
const most = 2000
const mostText = 4000

function list(fields) {
    const more = fields.length > most ? el("li", { class: "dim" }, `and ${plural(fields.length - most, "field")} more`) : null
    return el("ul", {}, fields.slice(0, most).map(field => {
        const name = [el("span", { "data-token": "key" }, field.number), el("span", { class: "dim" }, ` ${field.wire}`)]
        if (field.fields) return el("li", {}, el("details", { open: true }, el("summary", {}, name, " message"), list(field.fields)))
        if (field.text !== undefined) return el("li", {}, name, " ", el("span", { "data-token": "string" }, peer(JSON.stringify(shownText(field.text.slice(0, mostText))))),
            field.text.length > mostText ? el("span", { class: "dim" }, ` the first ${count(mostText)} of ${plural(field.text.length, "character")}`) : null)
        if (field.bytes) return el("li", {}, name, ` ${size(field.bytes.length)} `, peer(hexOf(field.bytes.subarray(0, 64))), field.bytes.length > 64 ? " …" : "")
        return el("li", {}, name, " ", el("span", { "data-token": "number" }, field.readings[0]), field.readings.length > 1 ? el("span", { class: "dim" }, ` or ${field.readings.slice(1).join(", ")}`) : null)
    }), more)
}
