// Two flows side by side, or two sessions: what is the same is quiet, what differs is shown.

import * as api from "./api.js"
import { button, el, fill, peer } from "./dom.js"
import { go } from "./address.js"
import { diffFields, diffLines } from "./diff.js"
import { jsonPretty, jsonTree } from "./json-tokens.js"
import { kindOfBody, textOfBody, typeOfBody } from "./body-kinds.js"
import { shownHeader, shownText, shownURL } from "./redact.js"
import { summaryOf } from "./flow-words.js"
import { count, duration, plural, size } from "./text.js"

/** Of a text that is laid out line by line, and of bytes that are compared. */
const largest = 1 << 20
const largestBytes = 8 << 20

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
        if (a[side]?.trailers?.length || b[side]?.trailers?.length) parts.push(fieldTable(`${title} trailers`, safe(a[side]?.trailers), safe(b[side]?.trailers)))
    }
    fill(place, parts)
    for (const side of ["request", "response"]) place.append(await bodies(a, b, side))
    if (a.messages || b.messages) place.append(await messages(a, b))
    const differences = place.querySelectorAll("[data-diff=left], [data-diff=right], [data-diff=both]").length
    const unknown = place.querySelectorAll("[data-diff=unknown]").length
    const open = unknown ? ` ${plural(unknown, "part")} could not be compared to the end.` : ""
    same.textContent = differences ? `${plural(differences, "line differs", "lines differ")}.${open}` : unknown ? `What could be compared is the same.${open}` : "They are the same."
}

const safe = headers => (headers ?? []).map(([name, value]) => [name, shownHeader(name, value)])

/** A number of bytes so that no two look alike. */
const exactly = bytes => bytes < 1024 ? size(bytes) : `${size(bytes)} (${count(bytes)} bytes)`

function facts(flow) {
    return [["method", flow.method], ["URL", flow.url === undefined ? undefined : shownURL(flow.url)], ["status", flow.status], ["version", flow.version], ["duration", flow.duration_ms === undefined ? undefined : duration(flow.duration_ms)],
        ["request size", flow.request?.body && exactly(flow.request.body.size)], ["response size", flow.response?.body && exactly(flow.response.body.size)],
        ["server", flow.server?.address], ["TLS", flow.tls?.version], ["JA4", flow.tls?.ja4], ["failure", flow.failure?.id],
        ["messages", flow.messages && count(flow.messages)]]
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
    if (left === null || right === null) return add(section, ...await bytesOf(a, b, side))
    const isCut = [a, b].some(flow => flow.state === "open" || (flow[side]?.body?.kept ?? 0) < (flow[side]?.body?.size ?? 0))
    if (left === right && isCut) return add(section, "What is there of both is the same; not all of it was kept, or more may come.", "unknown")
    if (left === "" && right === "") return add(section, "none")
    if (left === right) return add(section, "The same.")
    if (isCut) add(section, "Not all of both was kept, or more may come.", "unknown")
    section.append(linesOf(shownText(left), shownText(right)))
    return section
}

const linesOf = (left, right) => el("pre", { class: "text diff", tabindex: 0 }, folded(diffLines(left, right)).map(line => el("span", { class: "diff-line", "data-diff": line.kind },
    line.kind === "left" ? "− " : line.kind === "right" ? "+ " : line.kind === "fold" ? "" : "  ", peer(line.text.slice(0, 4000)), "\n")))

const add = (section, words, diff) => { section.append(el("p", { class: diff === "both" ? "" : "dim", "data-diff": diff ?? "same" }, words)); return section }

/** What is known of two bodies of which one is no text, or too large for lines: words, and whether they differ. */
async function bytesOf(a, b, side) {
    const [left, right] = [a, b].map(flow => flow[side]?.body)
    if (!left?.size || !right?.size) return ["One of them has none, and the other one is not text, or too large to show.", "both"]
    const isCut = left.kept < left.size || right.kept < right.size
    const alike = (left.encoding ?? "") === (right.encoding ?? "")
    if (alike && left.sha256 === right.sha256 && left.sha256 !== undefined) return ["The same bytes."]
    const fits = [left, right].every(body => (body.decoded_size ?? body.size) <= largestBytes)
    const found = fits ? await Promise.all([a, b].map(flow => api.body(flow.id, side, { limit: largestBytes }).catch(() => null))) : []
    if (found.length && found.every(one => one?.whole)) {
        const [words, diff] = differenceOf(...found.map(one => one.bytes))
        return diff || !isCut ? [words, diff] : ["What was kept of both is the same, and not all of it was kept.", "unknown"]
    }
    if (isCut) return ["Not all of them was kept: they cannot be compared.", "unknown"]
    if (alike && left.sha256 !== undefined && right.sha256 !== undefined) return [`They differ: ${exactly(left.size)} and ${exactly(right.size)}.`, "both"]
    return ["They cannot be compared: too large, or what their encoding hides cannot be read.", "unknown"]
}

function differenceOf(left, right) {
    const shorter = Math.min(left.length, right.length)
    let at = 0
    while (at < shorter && left[at] === right[at]) at += 1
    if (at === shorter && left.length === right.length) return ["The same bytes."]
    return [`They differ from byte ${count(at + 1)} on: ${exactly(left.length)} and ${exactly(right.length)}.`, "both"]
}

/** Of both flows the messages that one answer has. */
async function messages(a, b) {
    const section = el("section", { "aria-label": "Messages" }, el("h3", {}, "Messages"))
    const pages = await Promise.all([a, b].map(flow => flow.messages ? api.messages(flow.id).catch(() => null) : { messages: [] }))
    if (pages.includes(null)) return add(section, "They cannot be read.", "unknown")
    const texts = pages.map(page => page.messages.map(message => `${message.from === "client" ? "↑" : "↓"} ${message.type}${message.name === undefined ? "" : ` ${JSON.stringify(message.name)}`} ${lineOf(message)}`).join("\n"))
    if (texts[0] === texts[1]) add(section, "The same.")
    else section.append(linesOf(...texts.map(text => shownText(text))))
    if (pages.some(page => page.messages.some(message => message.cut))) add(section, "Some are here in part only.", "unknown")
    const numbers = pages.map(page => page.messages.length)
    return pages.some(page => page.next) ? add(section, `Only the first ${numbers[0]} and ${numbers[1]} are compared.`, "unknown") : section
}

/** Its text in one line; of bytes what tells them apart. */
const lineOf = message => `${count(message.size)} B ${message.cut ? "(cut) " : ""}${message.data !== undefined ? JSON.stringify(message.data).slice(1, -1) : message.base64 ?? ""}`

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
