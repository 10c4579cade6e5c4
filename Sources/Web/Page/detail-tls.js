// Both legs of TLS, the server's chain, its pins, and what a handshake ended with.

import { el, peer } from "./dom.js"
import { copyButton } from "./clipboard.js"
import { failureBox } from "./detail-failure.js"
import { filterButton } from "./detail-overview.js"
import { quoted } from "./filter-words.js"
import { pinFormats } from "./pins.js"
import { base64OfHex, duration, moment } from "./text.js"

export function drawTLS(panel, flow, context) {
    const tls = flow.tls
    const box = failureBox(flow, context)
    if (box) panel.append(box)
    if (!tls) {
        panel.append(el("p", { class: "dim" }, flow.scheme === "http" ? "This went over plain HTTP." : "Nothing was noted of TLS."))
        return
    }
    const upstream = tls.upstream ?? {}
    panel.append(el("div", { class: "legs" },
        leg("Client ↔ pinproof", [
            ["Version", tls.version], ["Cipher", tls.cipher], ["ALPN", tls.alpn], ["Server name", tls.sni],
            ["JA4", tls.ja4 && filterButton(`ja4:${quoted(tls.ja4)}`, tls.ja4, context)],
            ["Handshake", flow.timing?.client_tls_ms !== undefined ? duration(flow.timing.client_tls_ms) : null],
            ["Alert", flow.failure?.leg === "client" ? flow.failure.alert : null],
        ]),
        leg("pinproof ↔ server", [
            ["Version", upstream.version], ["Cipher", upstream.cipher], ["ALPN", upstream.alpn], ["Address", flow.server?.address],
            ["JA4", upstream.ja4], ["Handshake", flow.timing?.tls_ms !== undefined ? duration(flow.timing.tls_ms) : null],
            ["Alert", flow.failure?.leg === "origin" ? flow.failure.alert : null],
        ])))
    const chain = upstream.chain ?? []
    if (chain.length) {
        panel.append(el("h3", {}, "The server's chain"), el("ol", { class: "chain" }, chain.map((one, index) => certificate(one, index, chain.length))))
        panel.append(el("details", {}, el("summary", {}, "Pins to paste"), pinFormats(flow.server?.host, [chain[0].spki_sha256]).map(([name, text]) =>
            el("div", { class: "pin-format" }, el("h4", {}, name, copyButton("Copy", text, { "aria-label": `Copy for ${name}` })), el("pre", {}, text)))))
    }
}

function leg(title, facts) {
    const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
    return el("section", { class: "leg", "aria-label": title }, el("h3", {}, title), known.length
        ? el("dl", { class: "facts" }, known.map(([name, value]) => [el("dt", {}, name), el("dd", {}, typeof value === "object" ? value : peer(value))]))
        : el("p", { class: "dim" }, "Nothing was agreed on."))
}

function certificate(one, index, length) {
    const role = index === 0 ? "leaf" : one.subject === one.issuer ? "root" : "intermediate"
    const ends = Date.parse(one.not_after)
    const over = Number.isFinite(ends) && ends < Date.now()
    const days = Math.round((ends - Date.now()) / 86_400_000)
    const pin = `sha256/${base64OfHex(one.spki_sha256)}`
    return el("li", {},
        el("p", {}, el("strong", {}, role), " ", peer(one.subject)),
        el("dl", { class: "facts" },
            el("dt", {}, "Issuer"), el("dd", {}, peer(one.issuer)),
            el("dt", {}, "Ends"), el("dd", { class: over ? "bad" : days < 30 ? "warn" : "" }, moment(one.not_after), over ? " – over" : Number.isFinite(days) ? ` – in ${days} days` : ""),
            el("dt", {}, "SPKI pin"), el("dd", {}, peer(pin), " ", copyButton("Copy", pin, { "aria-label": `Copy the pin of the ${role}` })),
            el("dt", {}, "SHA-256"), el("dd", {}, peer(one.sha256))))
}
