// The tab that is enough for nine looks in ten.

import { button, el, peer } from "./dom.js"
import { hasRawBytes } from "./body-view.js"
import { copyButton } from "./clipboard.js"
import { failureBox } from "./detail-failure.js"
import { kindOf, summaryOf } from "./flow-words.js"
import { grpcStatus, grpcWords } from "./grpc.js"
import { quoted } from "./filter-words.js"
import { clientOf, hostOf, statusOf } from "./row-text.js"
import { cut } from "./signs.js"
import { shownText, shownURL } from "./redact.js"
import { timingBar } from "./detail-timing.js"
import { duration, mediaType, moment, plural, size, withoutPort } from "./text.js"

export function drawOverview(panel, flow, context) {
    const url = shownURL(flow.url ?? "")
    const grpc = grpcStatus(flow)
    const tone = flow.failure ? "bad" : flow.status >= 400 || grpc?.code ? "warn" : "good"
    panel.append(...[
        el("div", { class: "overview-head" },
            flow.url ? el("p", { class: "line" }, flow.method ? el("strong", { class: "value" }, cut(flow.method, 20), " ") : null,
                peer(url.length > 2000 ? `${url.slice(0, 2000)}…` : url), " ", copyButton("Copy", url, { "aria-label": "Copy the URL" })) : null,
            el("p", { class: "summary", "data-tone": tone }, summaryOf(flow)),
            grpc?.code ? el("p", { class: "summary", "data-tone": "warn" }, peer(cut(shownText(grpcWords(grpc)), 2000))) : null),
        failureBox(flow, context),
        flow.undecodable ? el("p", { class: "box calm" }, `From byte ${flow.undecodable.at} on it could not be read: `, peer(flow.undecodable.why), `. The bytes went on unchanged. ${hasRawBytes(flow, "request") || hasRawBytes(flow, "response") ? "Request and Response show them." : "Export as jsonl has what is kept of them."}`) : null,
        flow.comment || flow.mark ? el("p", { class: "box note", "data-mark": flow.mark ?? "" }, flow.mark ? el("strong", {}, peer(flow.mark), flow.comment ? ": " : "") : null, flow.comment ? peer(flow.comment.slice(0, 2000)) : null) : null,
        flow.kind === "failure" || flow.kind === "tunnel" ? null : timingBar(flow),
        facts(flow, context),
    ].filter(Boolean))
}

function facts(flow, context) {
    const rows = []
    const put = (name, ...content) => rows.push(el("dt", {}, name), el("dd", {}, content))
    const by = (term, words) => filterButton(term, words, context)
    const host = flow.server?.host
    const request = flow.request?.body
    const response = flow.response?.body
    const isRaw = flow.kind === "raw"

    put("Started", moment(flow.started))
    if (flow.duration_ms !== undefined) put("Duration", duration(flow.duration_ms), flow.state === "open" ? " so far" : "")
    if (host) put("Host", by(`host:${quoted(host)}`, host))
    if (flow.server?.address) put("Server", peer(flow.server.address), flow.server.proxy ? [" through ", peer(flow.server.proxy)] : null)
    const client = flow.client?.name ?? withoutPort(flow.client?.address)
    if (client) put("Client", by(`client:${quoted(client)}`, client), flow.client?.name && flow.client.address ? [" ", peer(flow.client.address, "span", { class: "dim" })] : portOf(flow))
    if (flow.status) put("Status", by(`status:${flow.status}`, flow.status))
    put("Kind", kindOf(flow), flow.version ? [", ", peer(flow.version)] : null, flow.state === "complete" || flow.failure ? null : `, ${flow.state}`)
    if (request && request.size) put("Sent", sizes(request, isRaw), typeOf(request))
    if (response) put("Received", sizes(response, isRaw), " ", response.type ? by(`type:${quoted(mediaType(response.type))}`, mediaType(response.type)) : null)
    if (flow.messages) put("Messages", plural(flow.messages, "message"))
    if (flow.tls?.version) put("TLS", [flow.tls.version, flow.tls.cipher, flow.tls.alpn].filter(Boolean).map((one, index) => [index ? ", " : "", peer(one)]))
    if (flow.connection !== undefined) put("Connection", by(`connection:${flow.connection}`, flow.connection), flow.stream !== undefined ? `, stream ${flow.stream}` : null)
    if (flow.tags?.length) put("Recognised", flow.tags.slice(0, 20).map(tag => [by(`tag:${quoted(tag)}`, tag), " "]))
    return el("dl", { class: "facts" }, rows)
}

const portOf = flow => flow.client?.address && !flow.client.name ? el("span", { class: "dim value" }, flow.client.address.slice(withoutPort(flow.client.address).length).replace(/^\]/, "")) : null

const typeOf = body => body.type ? [" ", peer(mediaType(body.type), "span", { class: "dim" })] : null

function sizes(body, isRaw) {
    const decoded = body.decoded_size !== undefined && body.decoded_size !== body.size
    return [
        size(body.size), decoded ? ` → ${size(body.decoded_size)}` : "", body.encoding ? [" ", peer(body.encoding)] : null,
        !isRaw && body.kept < body.size ? el("span", { class: "warn" }, ` (${size(body.kept)} kept)`) : null,
    ]
}

/** A value that filters by itself; with Alt, its opposite. */
export function filterButton(term, words, context) {
    return button(cut(words, 200), event => context.filterBy(event.altKey ? `-${term}` : term), { class: "by value", title: `Filter by ${cut(term, 200)}; with Alt: without it` })
}

/** What a row of the list knows of a flow, where more cannot be asked for. */
export function drawKnown(panel, row) {
    const facts = [
        ["Started", moment(row.started)], ["Duration", row.duration_ms === undefined ? "" : duration(row.duration_ms)], ["Method", row.method], ["Host", hostOf(row)],
        ["Path", row.path && cut(shownURL(row.path), 2000)], ["Client", clientOf(row)], ["Status", statusOf(row).word], ["What happened", row.text && cut(row.text, 500)],
        ["Type", mediaType(row.type)], ["Received", row.size === undefined ? "" : size(row.size)], ["Messages", row.messages ? plural(row.messages, "message") : ""],
    ]
    panel.append(el("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => [el("dt", {}, name), el("dd", {}, peer(value))])))
}
