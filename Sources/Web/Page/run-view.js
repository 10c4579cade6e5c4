// One gate run: the verdict table, and per host its reasons, attacks and findings; below, its timeline.

import { button, el, fill, peer, withCode } from "./dom.js"
import { cardTable } from "./card-table.js"
import { focusHeading, kept } from "./focus.js"
import { go } from "./address.js"
import { connectionsOf, outcomes, resultOf, signOf, strengths, toneOf } from "./run-words.js"
import { timeline } from "./run-timeline.js"
import { count, second } from "./text.js"

/** @returns the run's `heading`, and `look({attack, host, controls})` that shows a part of its connections */
export function drawRun(place, name, run) {
    const report = run.report ?? {}
    const result = resultOf(report.result)
    const line = timeline({ report, ...connectionsOf(run.connections ?? [], run.outcomes), client: run.client, names: new Map((run.certificates ?? []).map(one => [one.sha256, one])), choose: change => go(change) })
    const heading = el("h2", {}, peer(name))
    const showConnections = (attack, host) => {
        go({ attack, host, controls: "" }, { step: true })
        line.arrive()
    }
    fill(place,
        el("header", { class: "run-head" }, heading,
            el("p", { class: "run-verdict" }, el("strong", { "data-tone": result.tone }, `${result.sign} ${result.words}`), " ",
                el("span", { class: "dim" }, [report.started ? second(report.started) : null, report.seconds !== undefined ? `${report.seconds.toFixed(1)} s` : null, report.profile ? peer(`profile ${report.profile}`) : null,
                    report.exit_status !== undefined ? `exit status ${report.exit_status}` : null, report.pinproof ? peer(`pinproof ${report.pinproof}`) : null].filter(Boolean).map((one, index) => [index ? " · " : "", one]))),
            report.fault ? el("p", { class: "box bad" }, peer(report.fault)) : null,
            report.self_test?.passed === false ? el("p", { class: "box bad" }, "The self-test failed: ", (report.self_test.problems ?? []).map(problem => [peer(problem), " "])) : null),
        verdicts(report),
        run.truncated ? el("p", { class: "box calm" }, "The evidence is too large to show whole: its beginning is here, evidence.jsonl in the run's folder has the rest.") : null,
        (report.hosts ?? []).map((host, index) => hostSection(host, index, showConnections)),
        findings(report.findings, "Findings of the whole run"),
        line.element,
    )
    return { heading, look: line.look }
}

/** A host's name, with the client's where a profile names several. */
const nameOf = host => `${host.host ?? "–"}${host.client ? `, ${host.client}` : ""}`

function verdicts(report) {
    const hosts = report.hosts ?? []
    if (!hosts.length) return el("p", { class: "dim" }, "No host was judged.")
    return cardTable(["Verdict", "Strength", "Host", "Expected", "Why, and what is missing"], hosts.map((host, index) => ({
        cells: [
            { class: "verdict", "data-tone": toneOf(host), content: [`${signOf(host)} ${host.verdict ?? "–"}`, host.subtype ? el("span", { class: "dim" }, ` ${host.subtype}`) : null] },
            { title: strengths[host.strength], content: host.strength ?? "–", empty: !host.strength },
            { head: true, content: [button(host.host ?? "–", () => focusHeading(document.querySelector(`#host-${index} h3`)), { class: "by value", title: "Show its part", ...kept(`host ${nameOf(host)}`) }), host.client ? el("span", { class: "dim" }, " ", peer(host.client)) : null] },
            { content: host.expect ?? "–" },
            { content: [peer(host.why ?? ""), host.missing?.length ? el("span", { class: "missing" }, " missing: ", host.missing.map((one, at) => [at ? ", " : "", el("code", {}, one)])) : null] },
        ],
    })), { class: "verdicts", label: "Verdicts" })
}

function hostSection(host, index, showConnections) {
    const facts = []
    const put = (name, value) => { if (value !== undefined && value !== null && value !== "" && value?.length !== 0) facts.push(el("dt", {}, name), el("dd", {}, value)) }
    put("Why", host.why && peer(host.why))
    put("Strength", host.strength && `${host.strength}: ${strengths[host.strength] ?? ""}`)
    put("Claim", host.claim && peer(host.claim))
    put("Missing", (host.missing ?? []).map(one => [el("code", {}, one), " "]))
    put("What to do", lines(host.next))
    put("Seen", lines(host.seen))
    put("Limits", lines(host.limits))
    // Only starts with a refusal count: of a host that accepts, their number says nothing.
    if (host.cold_starts) put("Cold starts", `${host.cold_starts} in which it refused trusted-ca${host.acceptance_bound_95 ? `: at most ${Math.round(host.acceptance_bound_95 * 100)} % of starts would accept, with 95 % confidence` : ""}`)
    put("Catalogues", [...(host.mastg ?? []), ...(host.maswe ?? []), ...(host.cwe ?? [])].join(", "))
    return el("section", { class: "run-host", id: `host-${index}`, "aria-label": `Host ${nameOf(host)}, expected: ${host.expect}` },
        el("h3", {}, el("span", { "data-tone": toneOf(host) }, `${signOf(host)} ${host.verdict}`), " ", peer(host.host ?? ""), el("span", { class: "dim" }, ` expected: ${host.expect}`)),
        el("dl", { class: "facts" }, facts), attackTable(host, showConnections), findings(host.findings, "Findings", `Findings about ${nameOf(host)}, expected: ${host.expect}`))
}

const lines = list => list?.length ? el("ul", {}, list.map(one => el("li", {}, withCode(one)))) : null

function attackTable(host, showConnections) {
    const attacks = host.attacks ?? []
    if (!attacks.length) return el("p", { class: "dim" }, "No attack was tried on it.")
    const used = [...outcomes].filter(([name]) => attacks.some(attack => attack.outcomes?.[name]))
    return cardTable(["Attack", ...used.map(([, { name }]) => ({ words: name, number: true })), { words: "Connections", number: true }, "Alerts", "Bytes"], attacks.map(attack => ({
        cells: [
            { head: true, content: button(attack.attack, () => showConnections(attack.attack, host.host ?? ""), { class: "by value", title: "Show its connections", ...kept(`attack ${attack.attack} ${nameOf(host)}`) }) },
            ...used.map(([name]) => ({ content: String(attack.outcomes?.[name] || "·"), empty: !attack.outcomes?.[name], "data-outcome": attack.outcomes?.[name] && host.expect === "refuse" ? name : null })),
            { content: count(attack.connections ?? 0) },
            { content: Object.entries(attack.alerts ?? {}).map(([name, times]) => [el("code", {}, name), ` × ${times} `]), empty: !Object.keys(attack.alerts ?? {}).length },
            { class: "dim", content: attack.bytes_up || attack.bytes_down ? `↑ ${count(attack.bytes_up ?? 0)} ↓ ${count(attack.bytes_down ?? 0)}` : "", empty: !(attack.bytes_up || attack.bytes_down) },
        ],
    })), { class: "attacks", label: `Attacks on ${nameOf(host)}` })
}

function findings(list, title, label = title) {
    if (!list?.length) return null
    const tone = { error: "bad", warning: "warn", note: "dim" }
    return el("section", { class: "findings", "aria-label": label }, el("h4", {}, title), el("ul", {}, list.map(finding => el("li", {},
        el("strong", { "data-tone": tone[finding.severity] ?? "dim" }, `${finding.severity} `), el("code", {}, finding.id ?? ""), " ", finding.host ? [peer(finding.host), ": "] : null, withCode(finding.text ?? ""),
        finding.waived ? el("span", { class: "dim" }, " waived until ", peer(finding.waived.until ?? ""), ": ", peer(finding.waived.reason ?? "")) : null,
        finding.known ? el("span", { class: "dim" }, " known") : null))))
}
