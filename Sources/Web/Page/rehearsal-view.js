// One rehearsal: what comes of each chain, and the days ahead as bars: certificates, builds, and what CAs do.

import { cardTable } from "./card-table.js"
import { el, fill, peer } from "./dom.js"
import { go } from "./address.js"
import { timeline } from "./run-timeline.js"
import { connectionsOf, resultOf } from "./run-words.js"
import { barsOf } from "./rehearsal-bars.js"
import { second } from "./text.js"

const tones = { works: "good", "locked-out": "bad", unclear: "warn" }
const signs = { works: "✓", "locked-out": "✗", unclear: "?" }

/** @returns the rehearsal's `heading`, and `look({attack, host, controls})` that shows a part of its connections */
export function drawRehearsal(place, name, run) {
    const report = run.rehearsal
    const isOwn = (report.hosts ?? []).some(host => host.scenarios?.some(one => one.own))
    const result = resultOf(({ 0: isOwn ? "works" : "rehearsed", 1: "locked-out", 2: "unclear" })[report.exit_status] ?? "invalid-environment")
    const line = timeline({ report: {}, ...connectionsOf(run.connections ?? [], run.outcomes), client: run.client, names: new Map((run.certificates ?? []).map(one => [one.sha256, one])), choose: change => go(change) })
    const heading = el("h2", {}, peer(name))
    fill(place,
        el("header", { class: "run-head" }, heading,
            el("p", { class: "run-verdict" }, el("strong", { "data-tone": result.tone }, `${result.sign} ${result.words}`), " ",
                el("span", { class: "dim" }, ["rehearsal", report.build ? peer(`of ${report.build}`) : null, report.started ? second(report.started) : null, report.profile ? peer(`profile ${report.profile}`) : null,
                    report.exit_status !== undefined ? `exit status ${report.exit_status}` : null].filter(Boolean).map((one, index) => [index ? " · " : "", one]))),
            report.fault ? el("p", { class: "box bad" }, peer(report.fault)) : null,
            report.interrupted ? el("p", { class: "box calm" }, "It was interrupted: what was not seen by then is unclear.") : null),
        (report.hosts ?? []).map((host, index) => hostSection(host, index, report)),
        line.element)
    return { heading, look: line.look }
}

function hostSection(host, index, report) {
    const scenarios = host.scenarios ?? []
    return el("section", { class: "run-host", id: `host-${index}`, "aria-label": `Host ${host.host ?? ""}` },
        el("h3", {}, peer(host.host ?? "")),
        host.fault ? el("p", { class: "box bad" }, peer(host.fault)) : null,
        scenarios.length ? cardTable(["Outcome", "Chain", "Why"], scenarios.map(one => ({
            cells: [
                { class: "verdict", "data-tone": tones[one.outcome], content: [`${signs[one.outcome] ?? "·"} ${one.outcome ?? "–"}`, one.protected === false ? el("span", { class: "dim" }, " not protected") : null] },
                { head: true, content: [peer(one.name ?? ""), one.own ? el("span", { class: "dim" }, " your own") : null] },
                { content: peer(one.why ?? "") },
            ],
        })), { class: "verdicts", label: `Chains at ${host.host ?? ""}` }) : null,
        daysAhead(host, report))
}

function daysAhead(host, report) {
    const events = (report.timeline ?? []).filter(one => one.host === host.host)
    const { rows, from, until } = barsOf(host, events, report.today)
    if (!rows.length && !events.length) return null
    return el("section", { "aria-label": `Days ahead at ${host.host ?? ""}` },
        el("h4", {}, "Days ahead", from && until ? el("span", { class: "dim" }, ` ${from} to ${until}`) : null),
        el("dl", { class: "ahead" }, rows.map(row => [el("dt", {}, peer(row.title), row.pinned ? el("span", { class: "pinned" }, " pinned") : null),
            el("dd", {}, bar(row), el("span", { class: "dim" }, peer(row.words)))])),
        el("ul", { class: "events" }, events.map(event => el("li", {}, el("strong", {}, event.date), " ", peer(event.event ?? ""), consequence(event)))))
}

function bar({ kind, from = 0, to, pinned }) {
    const one = el("i", { "data-kind": kind, "data-pinned": pinned ? "true" : null })
    one.style.marginInlineStart = `${from * 100}%`
    if (to !== undefined) one.style.width = `${Math.max(0.4, (to - from) * 100)}%`
    return one
}

function consequence({ breaks = [], unclear }) {
    if (breaks.length) return el("span", { "data-tone": "bad" }, `: with a new key there, ${breaks.join(", ")} ${breaks.length === 1 ? "is" : "are"} locked out`)
    return unclear ? el("span", { class: "dim" }, ": whether what follows works is not clear") : null
}
