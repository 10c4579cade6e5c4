// One gate run: the verdict table, and per host its reasons, attacks, findings and connections.

import { add, button, el, fill, peer, withCode } from "./dom.js"
import { at, go } from "./address.js"
import { connectionsOf, outcomes, resultOf, signOf, strengths, toneOf } from "./run-words.js"
import { timeline } from "./run-timeline.js"
import { count, plural, second } from "./text.js"

export function drawRun(place, name, run) {
    const report = run.report ?? {}
    const result = resultOf(report.result)
    const { trials, list } = connectionsOf(run.connections ?? [])
    fill(place,
        el("header", { class: "run-head" },
            el("h2", {}, peer(name)),
            el("p", { class: "run-verdict" }, el("strong", { "data-tone": result.tone }, `${result.sign} ${result.words}`), " ",
                el("span", { class: "dim" }, [report.started ? second(report.started) : null, report.seconds !== undefined ? `${report.seconds.toFixed(1)} s` : null, report.profile ? peer(`profile ${report.profile}`) : null,
                    report.exit_status !== undefined ? `exit status ${report.exit_status}` : null, report.pinproof ? peer(`pinproof ${report.pinproof}`) : null].filter(Boolean).map((one, index) => [index ? " · " : "", one]))),
            report.fault ? el("p", { class: "box bad" }, peer(report.fault)) : null,
            report.self_test?.passed === false ? el("p", { class: "box bad" }, "The self-test failed: ", (report.self_test.problems ?? []).map(problem => [peer(problem), " "])) : null),
        verdicts(report),
        run.truncated ? el("p", { class: "box calm" }, "The evidence is too large to show whole: its beginning is here, evidence.jsonl in the run's folder has the rest.") : null,
        (report.hosts ?? []).map(hostSection),
        findings(report.findings, "Findings of the whole run"),
        timeline(list, trials, { attack: at("attack"), attacks: report.attacks, pinned: new Set((report.hosts ?? []).filter(host => host.expect === "refuse").map(host => host.host)), choose: attack => go({ attack }), names: new Map((run.certificates ?? []).map(one => [one.sha256, one])) }),
        output(run.client),
    )
}

function verdicts(report) {
    const hosts = report.hosts ?? []
    if (!hosts.length) return el("p", { class: "dim" }, "No host was judged.")
    return el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Verdicts" }, el("table", { class: "verdicts" },
        el("thead", {}, el("tr", {}, ["Verdict", "Strength", "Host", "Expected", "Why, and what is missing"].map(words => el("th", { scope: "col" }, words)))),
        el("tbody", {}, hosts.map((host, index) => el("tr", {},
            el("td", { class: "verdict", "data-tone": toneOf(host) }, `${signOf(host)} ${host.verdict ?? "–"}`, host.subtype ? el("span", { class: "dim" }, ` ${host.subtype}`) : null),
            el("td", { title: strengths[host.strength] }, host.strength ?? "–"),
            el("th", { scope: "row" }, button(host.host ?? "–", () => document.getElementById(`host-${index}`)?.scrollIntoView(), { class: "by value" }), host.client ? el("span", { class: "dim" }, " ", peer(host.client)) : null),
            el("td", {}, host.expect ?? "–"),
            el("td", {}, peer(host.why ?? ""), host.missing?.length ? el("span", { class: "missing" }, " missing: ", host.missing.map((one, at) => [at ? ", " : "", el("code", {}, one)])) : null))))))
}

function hostSection(host, index) {
    const facts = []
    const put = (name, value) => { if (value !== undefined && value !== null && value !== "" && value?.length !== 0) facts.push(el("dt", {}, name), el("dd", {}, value)) }
    put("Why", host.why && peer(host.why))
    put("Strength", host.strength && `${host.strength}: ${strengths[host.strength] ?? ""}`)
    put("Claim", host.claim && peer(host.claim))
    put("Missing", (host.missing ?? []).map(one => [el("code", {}, one), " "]))
    put("What to do", lines(host.next))
    put("Seen", lines(host.seen))
    put("Limits", lines(host.limits))
    if (host.cold_starts !== undefined) put("Cold starts", `${host.cold_starts}${host.acceptance_bound_95 ? `: at most ${Math.round(host.acceptance_bound_95 * 100)} % of starts would accept, with 95 % confidence` : ""}`)
    put("Catalogues", [...(host.mastg ?? []), ...(host.maswe ?? []), ...(host.cwe ?? [])].join(", "))
    return el("section", { class: "run-host", id: `host-${index}`, "aria-label": `Host ${host.host}` },
        el("h3", {}, el("span", { "data-tone": toneOf(host) }, `${signOf(host)} ${host.verdict}`), " ", peer(host.host ?? ""), el("span", { class: "dim" }, ` expected: ${host.expect}`)),
        el("dl", { class: "facts" }, facts), attackTable(host), findings(host.findings, "Findings"))
}

const lines = list => list?.length ? el("ul", {}, list.map(one => el("li", {}, withCode(one)))) : null

function attackTable(host) {
    const attacks = host.attacks ?? []
    if (!attacks.length) return el("p", { class: "dim" }, "No attack was tried on it.")
    const used = outcomes.filter(([name]) => attacks.some(attack => attack.outcomes?.[name]))
    return el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": `Attacks on ${host.host}` }, el("table", { class: "attacks" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Attack"), used.map(([name, words]) => el("th", { scope: "col", class: "number", title: words }, name)), ["Connections", "Alerts", "Bytes"].map(words => el("th", { scope: "col" }, words)))),
        el("tbody", {}, attacks.map(attack => el("tr", {},
            el("th", { scope: "row" }, button(attack.attack, () => go({ attack: attack.attack }), { class: "by value", title: "Show its connections" })),
            used.map(([name]) => el("td", { class: "number", "data-outcome": attack.outcomes?.[name] && host.expect === "refuse" ? name : "" }, attack.outcomes?.[name] || "·")),
            el("td", { class: "number" }, count(attack.connections ?? 0)),
            el("td", {}, Object.entries(attack.alerts ?? {}).map(([name, times]) => [el("code", {}, name), ` × ${times} `])),
            el("td", { class: "dim" }, attack.bytes_up || attack.bytes_down ? `↑ ${count(attack.bytes_up ?? 0)} ↓ ${count(attack.bytes_down ?? 0)}` : ""))))))
}

function findings(list, title) {
    if (!list?.length) return null
    const tone = { error: "bad", warning: "warn", note: "dim" }
    return el("section", { class: "findings", "aria-label": title }, el("h4", {}, title), el("ul", {}, list.map(finding => el("li", {},
        el("strong", { "data-tone": tone[finding.severity] ?? "dim" }, `${finding.severity} `), el("code", {}, finding.id ?? ""), " ", finding.host ? [peer(finding.host), ": "] : null, withCode(finding.text ?? ""),
        finding.waived ? el("span", { class: "dim" }, " waived until ", peer(finding.waived.until ?? ""), ": ", peer(finding.waived.reason ?? "")) : null,
        finding.known ? el("span", { class: "dim" }, " known") : null))))
}

/** What COMMAND printed, where the answer has it. */
function output(files) {
    if (!Array.isArray(files) || !files.length) return null
    return el("section", { "aria-label": "Output of the client" }, el("h3", {}, "Output of the client"), files.slice(0, 100).map(file =>
        el("details", {}, el("summary", {}, peer(file.name ?? ""), el("span", { class: "dim" }, ` ${plural((file.text ?? "").length, "character")}`)), add(el("pre", { class: "text", tabindex: 0 }), peer((file.text ?? "").slice(0, 65_536))))))
}
