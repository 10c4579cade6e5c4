// Request or response: headers first, then query and form as lines, then the body.

import { el, fill } from "./dom.js"
import { bodyView } from "./body-view.js"
import { cookiesOf, fieldsOf, queryOf } from "./fields.js"
import { failureBox } from "./detail-failure.js"
import { fieldLines, headerLines, longValue } from "./field-lines.js"
import { reasons } from "./flow-words.js"
import { shownURL } from "./redact.js"
import { cut } from "./signs.js"

export function drawSide(panel, flow, name, context) {
    const side = flow[name]
    const head = el("div")
    const holder = el("div")
    panel.append(head, holder)
    let drawn = ""
    let body = null

    function update(now) {
        const part = now[name]
        const text = JSON.stringify([part?.headers, part?.trailers, part?.informational, part?.reason, part?.target, part?.version, now.status, now.failure])
        if (text !== drawn) {
            drawn = text
            fill(head, headParts(now, name, part))
        }
        // The bytes are fetched again only where there are others.
        const key = JSON.stringify([part?.body?.kept, part?.body?.size, part?.body?.sha256, now.undecodable?.at, now.state === "open" ? "" : "done"])
        if (body?.key === key) return
        body?.close?.()
        holder.replaceChildren()
        body = { key, ...bodyView(holder, now, name) }
    }

    update(flow)
    if (!side && flow.failure) panel.prepend(failureBox(flow, context) ?? "")
    return { update, close: () => body?.close?.() }
}

function headParts(flow, name, side) {
    const parts = []
    if (name === "request" && flow.method) {
        parts.push(el("p", { class: "line value" }, el("strong", {}, cut(flow.method, 40)), " ", longValue(shownURL(flow.url ?? "")), " ", el("span", { class: "dim" }, cut(flow.version ?? "", 20))))
        if (side?.target !== undefined) parts.push(el("p", { class: "line value" }, el("span", { class: "dim" }, "The request line has "), longValue(side.target)))
    }
    if (name === "response" && flow.status) {
        parts.push(el("p", { class: "line value" }, el("span", { class: "dim" }, cut(side?.version ?? flow.version ?? "", 20)), " ", el("strong", {}, flow.status), " ", cut(side?.reason ?? reasons[flow.status] ?? "", 200)))
    }
    if (!side) {
        parts.push(el("p", { class: "dim" }, name === "response" ? flow.undecodable ? "No answer that could be read." : flow.state === "open" ? "No answer yet." : "There was no answer." : "No request was seen."))
        return parts
    }
    // No fields were read.
    if (flow.kind === "raw") return parts
    for (const interim of side.informational ?? []) {
        parts.push(headerLines(interim.headers ?? [], `Interim answer ${interim.status} ${interim.reason || (reasons[interim.status] ?? "")}`))
    }
    parts.push(headerLines(side.headers ?? [], "Headers"))
    if (name === "request") {
        const query = fieldsOf(queryOf(flow.url))
        if (query.length) parts.push(fieldLines(query, "Query"))
        const cookies = (side.headers ?? []).filter(([key]) => key.toLowerCase() === "cookie").flatMap(([, value]) => cookiesOf(value))
        if (cookies.length > 1) parts.push(fieldLines(cookies, "Cookies", true))
    }
    if (side.trailers?.length) parts.push(headerLines(side.trailers, "Trailers"))
    return parts
}
