// Two gate runs compared: what changed from one to the other, and whether it is for the better.

import { button, el, fill, peer } from "./dom.js"
import { cardTable } from "./card-table.js"
import { kept } from "./focus.js"
import { go } from "./address.js"
import { resultOf, tallyWords, toneOf } from "./run-words.js"
import { plural, second } from "./text.js"

/** @returns the heading */
export function drawRunChanges(place, before, after) {
    const changes = changesOf(before.run.report ?? {}, after.run.report ?? {})
    const side = one => {
        const result = resultOf(one.run.report?.result)
        return [peer(one.name), " ", el("strong", { "data-tone": result.tone }, `${result.sign} ${result.words}`), " ", el("span", { class: "dim" }, one.run.report?.started ? second(one.run.report.started) : "")]
    }
    const turns = ["worse", "better"].map(turn => changes.filter(change => change.turn === turn).length)
    const heading = el("h2", {}, "What changed")
    fill(place,
        el("header", { class: "run-head" }, heading,
            el("p", {}, "From ", side(before)), el("p", {}, "to ", side(after)),
            el("p", { role: "status" }, `${plural(changes.length, "change")}: ${turns[0]} worse, ${turns[1]} better, ${changes.length - turns[0] - turns[1]} neither.`),
            el("p", { class: "buttons" }, button("Swap", () => go({ run: before.name, with: after.name }, { step: true }), kept("swap")), " ", button("Close the comparison", () => go({ with: "" }, { step: true }), kept("close")))),
        changes.length ? byHost(changes).map(hostChangesView) : el("p", { class: "box calm" }, "Nothing: the same verdicts, reasons, outcomes and findings."))
    return heading
}

function hostChangesView({ host, list }) {
    const title = host || "The run as a whole"
    return el("section", { "aria-label": `Changes of ${host || "the run"}` }, el("h3", {}, peer(title)), cardTable(["What", "Before", "After", "Better or worse"], list.map(({ what, before, after, turn }) => ({
        attributes: { "data-turn": turn },
        cells: [{ head: true, content: peer(what) }, { content: peer(before ?? "–") }, { content: peer(after ?? "–") },
            { content: turn === "worse" ? el("strong", { "data-tone": "bad" }, "▼ worse") : turn === "better" ? el("strong", { "data-tone": "good" }, "▲ better") : el("span", { class: "dim" }, "neither"), empty: !turn }],
    })), { class: "diff changes", label: `Changes of ${host || "the run"}` }))
}

const resultRank = { fail: 0, invalid: 1, inconclusive: 1, pass: 2 }
const verdictRank = { bad: 0, warn: 1, good: 2 }
const direction = (before, after) => before === undefined || after === undefined || before === after ? null : after > before ? "better" : "worse"

/** `[{host, what, before, after, turn: "better" | "worse" | null}]`, a host's changes beside each other. */
export function changesOf(before, after) {
    const changes = []
    const put = (host, what, one, other, turn = null) => { if (one !== other) changes.push({ host, what, before: one, after: other, turn }) }
    const key = host => `${host.client ? `${host.client}: ` : ""}${host.host} (${host.expect})`
    const old = new Map((before.hosts ?? []).map(host => [key(host), host]))
    const now = new Map((after.hosts ?? []).map(host => [key(host), host]))
    put("", "result", before.result ?? "–", after.result ?? "–", direction(resultRank[before.result], resultRank[after.result]))
    findingChanges("", before.findings, after.findings, put)
    for (const [name, host] of now) {
        const was = old.get(name)
        if (!was) put(name, "host", "not in it", host.verdict)
        else hostChanges(name, was, host, put)
    }
    for (const [name, host] of old) if (!now.has(name)) put(name, "host", host.verdict, "not in it")
    return changes
}

function hostChanges(name, was, host, put) {
    put(name, "verdict", was.verdict, host.verdict, direction(verdictRank[toneOf(was)], verdictRank[toneOf(host)]))
    put(name, "strength", was.strength ?? "–", host.strength ?? "–")
    put(name, "subtype", was.subtype ?? "–", host.subtype ?? "–")
    put(name, "missing", (was.missing ?? []).join(", ") || "–", (host.missing ?? []).join(", ") || "–")
    const byAttack = one => new Map((one.attacks ?? []).map(attack => [attack.attack, attack.outcomes ?? {}]))
    const [a, b] = [byAttack(was), byAttack(host)]
    for (const attack of new Set([...a.keys(), ...b.keys()])) {
        const [one, other] = [a.get(attack), b.get(attack)]
        if (kinds(one) === kinds(other)) continue
        const says = counts => counts ? tallyWords(counts) : "not tried"
        // More connections of the same ends are no change; data where there was none is one.
        const turn = host.expect === "refuse" && one && other ? direction(one.data ? 0 : 1, other.data ? 0 : 1) : null
        put(name, `attack ${attack}`, says(one), says(other), turn)
    }
    findingChanges(name, was.findings, host.findings, put)
}

const kinds = counts => counts ? Object.keys(counts).filter(what => counts[what]).sort().join() : "not tried"

function findingChanges(name, before, after, put) {
    const byID = list => new Map((list ?? []).map(finding => [`${finding.host ?? ""} ${finding.id}`, finding]))
    const [old, now] = [byID(before), byID(after)]
    const counts = finding => ["error", "warning"].includes(finding.severity) && !finding.waived
    for (const [key, finding] of now) if (!old.has(key)) put(name, "finding", "–", finding.id, counts(finding) ? "worse" : null)
    for (const [key, finding] of old) if (!now.has(key)) put(name, "finding", finding.id, "gone", counts(finding) ? "better" : null)
}

/** The changes by their hosts, in their order; the run itself first. */
export function byHost(changes) {
    const groups = new Map()
    for (const change of changes) groups.set(change.host, [...groups.get(change.host) ?? [], change])
    return [...groups].map(([host, list]) => ({ host, list }))
}
