// Two flows side by side, or two sessions: what is the same is quiet, what differs is shown.

import * as api from "./api.js"
import { button, el, fill, peer } from "./dom.js"
import { go } from "./address.js"
import { diffFields, diffLines } from "./diff.js"
import { jsonPretty, jsonTree } from "./json-tokens.js"
import { kindOfBody, textOfBody, typeOfBody } from "./body-kinds.js"
import { shownHeader, shownText, shownURL } from "./redact.js"
import { summaryOf } from "./flow-words.js"
import { duration, plural, size } from "./text.js"

const largest = 1 << 20

/** Draws the comparison of two flows. */
export async function compareFlows(place, left, right) {
    fill(place, el("p", { class: "dim" }, "Loading…"))
    let flows
    try {
        flows = await Promise.all([api.flow(left), api.flow(right)])
    } catch (error) {
        return void fill(place, el("p", { class: "fault" }, `They cannot be compared: ${error.message}`))
    }
    const [a, b] = flows
    const same = el("p", { class: "dim", role: "status" })
    const parts = [
        el("div", { class: "sides" }, [a, b].map((flow, index) => el("section", { "aria-label": index ? "Right flow" : "Left flow" },
            el("h3", {}, index ? "Right: " : "Left: ", button(`flow ${flow.id}`, () => go({ left: "", right: "", view: "", flow: flow.id }, { step: true }), { class: "by" })),
            el("p", {}, peer(`${flow.method ?? ""} ${shownURL(flow.url ?? flow.server?.host ?? "").slice(0, 2000)}`)), el("p", { class: "dim" }, summaryOf(flow))))),
        same,
        fieldTable("Flow", facts(a), facts(b)),
    ]
    for (const side of ["request", "response"]) {
        const title = side === "request" ? "Request" : "Response"
        parts.push(fieldTable(`${title} headers`, safe(a[side]?.headers), safe(b[side]?.headers)))
    }
    fill(place, parts)
    for (const side of ["request", "response"]) place.append(await bodies(a, b, side))
    const differences = place.querySelectorAll("[data-diff=left], [data-diff=right], [data-diff=both]").length
    same.textContent = differences ? `${plural(differences, "line differs", "lines differ")}.` : "They are the same."
}

const safe = headers => (headers ?? []).map(([name, value]) => [name, shownHeader(name, value)])

function facts(flow) {
    return [["status", flow.status], ["version", flow.version], ["duration", flow.duration_ms === undefined ? undefined : duration(flow.duration_ms)],
        ["request size", flow.request?.body && size(flow.request.body.size)], ["response size", flow.response?.body && size(flow.response.body.size)],
        ["server", flow.server?.address], ["TLS", flow.tls?.version], ["JA4", flow.tls?.ja4], ["failure", flow.failure?.id]]
        .filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)])
}

function fieldTable(title, left, right) {
    const rows = diffFields(left, right)
    const equal = rows.filter(row => row.same).length
    const table = el("table", { class: "diff" }, el("thead", {}, el("tr", {}, ["", "Left", "Right"].map(words => el("th", { scope: "col" }, words)))),
        el("tbody", {}, rows.map(row => el("tr", { "data-diff": row.same ? "same" : row.left === undefined ? "right" : row.right === undefined ? "left" : "both" },
            el("th", { scope: "row" }, peer(row.name.slice(0, 200))), [row.left, row.right].map(value => el("td", {}, value === undefined ? el("span", { class: "dim" }, "–") : peer(value.slice(0, 2000))))))))
    return el("section", { "aria-label": title }, el("h3", {}, title, el("span", { class: "dim" }, ` ${equal} of ${rows.length} the same`)), rows.length ? table : el("p", { class: "dim" }, "none"))
}

async function bodies(a, b, side) {
    const title = side === "request" ? "Request body" : "Response body"
    const section = el("section", { "aria-label": title }, el("h3", {}, title))
    const [left, right] = await Promise.all([a, b].map(flow => textOf(flow, side)))
    if (left === null || right === null) return add(section, "One of them is not text, too large, or not kept.")
    if (left === "" && right === "") return add(section, "none")
    if (left === right) return add(section, "The same.")
    const lines = diffLines(shownText(left), shownText(right))
    section.append(el("pre", { class: "text diff", tabindex: 0 }, folded(lines).map(line => el("span", { class: "diff-line", "data-diff": line.kind },
        line.kind === "left" ? "− " : line.kind === "right" ? "+ " : line.kind === "fold" ? "" : "  ", peer(line.text.slice(0, 4000)), "\n"))))
    return section
}

const add = (section, words) => { section.append(el("p", { class: "dim" }, words)); return section }

/** Long parts that are the same are folded into a line. */
function folded(lines) {
    const out = []
    for (let at = 0; at < lines.length;) {
        let end = at
        while (end < lines.length && lines[end].kind === "same") end += 1
        if (end - at > 8) {
            out.push(...lines.slice(at, at + 3), { kind: "fold", text: `⋯ ${end - at - 6} lines the same` }, ...lines.slice(end - 3, end))
            at = end
        } else if (end > at) {
            out.push(...lines.slice(at, end))
            at = end
        } else out.push(lines[at++])
    }
    return out.slice(0, 20_000)
}

/** The text of a body, JSON laid out; "" where there is none, null where it is no text. */
async function textOf(flow, side) {
    const body = flow[side]?.body
    if (!body?.size) return ""
    if ((body.decoded_size ?? body.size) > largest) return null
    const found = await api.body(flow.id, side, { limit: largest }).catch(() => null)
    if (!found?.whole) return null
    const type = typeOfBody(flow[side])
    const kind = kindOfBody(type, found.bytes)
    if (kind === "binary" || kind === "image" || kind === "grpc" || kind === "protobuf") return null
    const { text } = textOfBody(found.bytes, type)
    if (kind !== "json") return text
    try { return jsonPretty(jsonTree(text)) } catch { return text }
}
