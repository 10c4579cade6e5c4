// Request or response: headers first, then query and form as lines, then the body.

import { button, el, fill } from "./dom.js"
import { bodyView } from "./body-view.js"
import { cookiesOf, fieldsOf, queryOf } from "./fields.js"
import { failureBox } from "./detail-failure.js"
import { fieldLines, headerLines, longValue } from "./field-lines.js"
import { keepFocus, kept } from "./focus.js"
import { reasons } from "./flow-words.js"
import { shownURL } from "./redact.js"
import { cut } from "./signs.js"
import { size } from "./text.js"

/** A body that still comes is drawn anew while it has less than this; of more, somebody may be in the middle of reading it. */
const growing = 64 << 10
/** Milliseconds between two drawings of one that still comes. */
const pause = 1000

export function drawSide(panel, flow, name, context) {
    const side = flow[name]
    const head = el("div")
    const news = el("p", { class: "box calm", role: "status", hidden: true })
    let holder = el("div")
    panel.append(head, news, holder)
    let drawn = ""
    let body = null
    let latest = flow
    let timer = 0

    function update(now) {
        const part = now[name]
        const text = JSON.stringify([part?.headers, part?.trailers, part?.informational, part?.reason, part?.target, part?.version, now.status, now.failure])
        if (text !== drawn) {
            drawn = text
            fill(head, headParts(now, name, part))
        }
        // The bytes are fetched again only where there are others.
        latest = now
        const key = keyOf(now)
        if (body?.key === key) return
        if (!body || now.state !== "open" && body.size <= growing) return draw()
        if (body.size > growing) return offer(part?.body, key)
        later()
    }

    const keyOf = ({ [name]: part, undecodable, state }) => JSON.stringify([part?.body?.kept, part?.body?.size, part?.body?.sha256, undecodable?.at, state === "open" ? "" : "done"])

    /** A slow one is waited for. */
    function later() {
        timer ||= setTimeout(() => {
            timer = 0
            if (body.isReady) draw()
            else later()
        }, Math.max(pause / 4, body.at + pause - performance.now()))
    }

    const sizeOf = part => part?.decoded_size ?? part?.size ?? 0

    /** What was drawn stays until its successor is there, and the reader's place with it. */
    function draw() {
        clearTimeout(timer)
        timer = 0
        body?.close?.()
        const now = latest
        const next = body ? el("div") : holder
        const made = body = { key: keyOf(now), size: sizeOf(now[name]?.body), at: performance.now(), ...bodyView(next, now, name) }
        news.hidden = true
        made.ready?.then(() => {
            made.at = performance.now()
            made.isReady = true
            if (next === holder || made !== body) return
            const place = panel.scrollTop
            keepFocus(panel, () => holder.replaceWith(next))
            holder = next
            panel.scrollTop = place
        })
    }

    function offer(part, key) {
        const more = sizeOf(part) - body.size
        // It has ended, and all of it is here.
        if (more === 0 && !part?.encoding && part?.kept === part?.size) return void (body.key = key)
        if (more <= 0) return draw()
        fill(news, part?.encoding ? "More of it can be shown now. " : `${size(more)} have come since this was drawn. `, button("Show all", draw, kept("show-news")))
        news.hidden = false
    }

    update(flow)
    if (!side && flow.failure) panel.prepend(failureBox(flow, context) ?? "")
    return { update, close: () => { clearTimeout(timer); body?.close?.() } }
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
