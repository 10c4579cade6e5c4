// Where the time went, and what did not cost any because it was there already.

import { el } from "./dom.js"
import { phasesOf } from "./timing.js"
import { duration, moment } from "./text.js"

/** A bar in one line, for the overview. */
export function timingBar(flow) {
    const { phases, total } = phasesOf(flow)
    if (!phases.length || !total) return null
    const bar = el("div", { class: "time-bar", "aria-hidden": "true" })
    for (const phase of phases) bar.append(piece(phase, total))
    return el("div", { class: "time-line" }, bar, el("p", { class: "time-words" }, phases.map(phase =>
        el("span", { class: "time-word" }, el("span", { class: "time-sign", "data-tone": phase.tone, "aria-hidden": "true" }), `${phase.name.toLowerCase().replace(" to server", "").replace(" with server", "")} ${duration(phase.to - phase.from)}`))))
}

function piece(phase, total) {
    const one = el("span", { "data-tone": phase.tone })
    one.style.left = `${phase.from / total * 100}%`
    one.style.width = `${Math.max(0.4, (phase.to - phase.from) / total * 100)}%`
    return one
}

export function drawTiming(panel, flow) {
    const { phases, total, reused } = phasesOf(flow)
    panel.append(el("p", {}, `Started ${moment(flow.started)}.`))
    if (!phases.length) {
        panel.append(el("p", { class: "dim" }, flow.duration_ms === undefined ? "No times were noted of it." : `It took ${duration(flow.duration_ms)}; no times within it were noted.`))
    } else {
        panel.append(el("table", { class: "times" },
            el("caption", { class: "hidden-visually" }, "Phases"),
            el("thead", {}, el("tr", {}, ["Phase", "From", "Duration", "Where"].map(words => el("th", { scope: "col" }, words)))),
            el("tbody", {}, phases.map(phase => {
                const bar = el("div", { class: "time-bar", "aria-hidden": "true" }, piece(phase, total))
                return el("tr", {}, el("th", { scope: "row" }, phase.name), el("td", { class: "number" }, duration(phase.from)), el("td", { class: "number" }, duration(phase.to - phase.from)), el("td", { class: "wide" }, bar))
            }), el("tr", { class: "sum" }, el("th", { scope: "row" }, total > (flow.duration_ms ?? total) + 1 ? "In all, with setting up the connection" : "In all"), el("td", {}), el("td", { class: "number" }, duration(total)), el("td", {})))))
    }
    const client = flow.timing?.client_tls_ms
    const notes = []
    if (client !== undefined) notes.push(`The client's TLS handshake with pinproof took ${duration(client)}, before this.`)
    for (const one of reused) notes.push(`Reused: ${one}.`)
    if (flow.failure) notes.push(`It failed: ${flow.failure.text}.`)
    if (flow.state === "open") notes.push("It is still open.")
    panel.append(el("ul", { class: "notes" }, notes.map(note => el("li", {}, note))))
}
