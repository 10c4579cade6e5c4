// Gate runs: how connections ended, which are looked at, what changed; and two sessions beside each other.

import { holds, same, test } from "./check.js"
import { barsOf } from "/assets/rehearsal-bars.js"
import { byHost, changesOf } from "/assets/run-changes.js"
import { chosenConnections, firstLine, hostChoices, itemsOf, outputsOf } from "/assets/run-timeline.js"
import { alertWords, connectionsOf, didOf, judgedLines, judgement, tallyWords, toneOf } from "/assets/run-words.js"
import { afterPause, differencesOf, pairsOf } from "/assets/session-match.js"

test("a run's connections keep their line and their trial", () => {
    const { trials, list } = connectionsOf([{ kind: "header" }, { kind: "trial-started", trial: 1, attack: "trusted-ca" }, { kind: "connection", connection: 7, trial: 1 }, { kind: "trial-ended", trial: 1, exit: 0 }])
    same([list[0].line, trials.get(1).start.attack, trials.get(1).end.exit], [3, "trusted-ca", 0])
    same(connectionsOf([{ connection: 1 }], ["post"]).list.map(one => one.outcome), ["post"])
})

test("what a client did is a sentence", () => {
    same(didOf({ action: "intercepted", alerts: [{ from: "client", code: 48 }], bytes_up: 0 }), "refused with unknown_ca")
    same(didOf({ action: "intercepted", alerts: [{ from: "client", code: 90 }, { from: "client", code: 0 }], bytes_up: 0, close: { by: "client", how: "fin" } }), "sent nothing; closed by client", "user_canceled refuses nothing")
    same(didOf({ action: "intercepted", bytes_up: 12, first: { shape: "http/1 GET" }, status: 200 }), "sent 12 bytes (http/1 GET), was answered 200")
    same(didOf({ action: "intercepted", bytes_up: 0, close: { by: "client", how: "rst" } }), "sent nothing; reset by client")
})

test("alerts have their names", () => {
    same([{ from: "client", code: 0, ms: 13, epoch: "application" }, { from: "client", code: 48, ms: 2 }, { from: "proxy", code: 250, ms: 2 }].map(alertWords),
        ["client: close_notify (0) after 13 ms, application", "client: unknown_ca (48) after 2 ms", "proxy: alert 250 after 2 ms"])
})

const closed = { action: "intercepted", bytes_up: 0, outcome: "post" }

test("a connection counts as the report counts it", () => {
    const list = [{ ...closed, line: 3, host: "a" }, { ...closed, line: 4, host: "b" }, { ...closed, line: 5, host: "control" }]
    const report = { hosts: [
        { host: "a", expect: "refuse", attacks: [{ attack: "trusted-ca", outcomes: { post: 1, data: 0 }, evidence: [3] }] },
        { host: "b", expect: "refuse", attacks: [{ attack: "trusted-ca", outcomes: { post: 1, data: 2 }, evidence: [4] }] },
    ] }
    const judged = judgedLines(report)
    same(list.map(one => judgement(one, judged).word), ["refused", "refused or unused", "refused or unused"])
    same(judgement({ ...closed, line: 3, outcome: "data" }, judged).tone, "data")
    same(judgement({ ...closed, line: 9, outcome: "data" }, judged).tone, "wanted")
    same(judgement({ action: "tunnelled" }, judged).word, "untouched")
    same(tallyWords({ post: 11, data: 0, alert: 1 }), "11 × closed after the handshake, 1 × refused by an alert")
})

test("a part of a run: an attack, a host, and what the controls did", () => {
    const list = [
        { trial: 1, host: "control", attack: "trusted-ca", action: "intercepted" }, { trial: 1, host: "a", attack: "expired", action: "intercepted" }, { trial: 1, host: "b", attack: "expired", action: "intercepted" },
        { trial: 2, host: "control", attack: "trusted-ca", action: "intercepted" }, { trial: 2, host: "a", attack: "trusted-ca", action: "intercepted" },
    ]
    const judged = new Set(["a", "b"])
    const found = part => chosenConnections(list, { judged, ...part }).map(one => `${one.trial}${one.host[0]}`).join(" ")
    same(found({}), "1c 1a 1b 2c 2a")
    same(found({ attack: "expired" }), "1a 1b")
    same(found({ attack: "expired", host: "a" }), "1a")
    same(found({ attack: "expired", host: "a", controls: true }), "1c 1a")
    same(found({ attack: "trusted-ca" }), "2a", "the control's own trusted-ca is in every start")
    same(found({ attack: "expired", host: "control" }), "1c")
    same(hostChoices(list, judged).map(one => [one.name, one.times, one.control]), [["a", 2, false], ["b", 1, false], ["control", 2, true]])
    same(itemsOf(list.slice(0, 1), [1, 2], true).map(item => item.trial ?? item.one.host), [1, "control"])
    same(itemsOf(list.slice(0, 1), [1, 2], false).map(item => item.trial ?? item.one.host), [1, "control", 2])
})

test("output belongs to its start, and its first line of a fault is found", () => {
    const starts = outputsOf([{ name: "2-trusted-ca.err", text: "to stderr\ncurl: (90) SSL\n" }, { name: "2-trusted-ca.out", text: "begins\n" }, { name: "notes", text: "x" }])
    same(starts.get(2), { err: "to stderr\ncurl: (90) SSL\n", out: "begins\n", first: "curl: (90) SSL" })
    same(starts.get(null).length, 1)
    same([firstLine({ err: "hello", out: "Traceback" }), firstLine({ out: " one\ntwo" }), firstLine({})], ["Traceback", "one", ""])
    same(outputsOf(undefined).size, 0)
})

test("verdicts have their tone, and changes between runs have their direction", () => {
    same([{ verdict: "proven-pinned" }, { verdict: "not-pinned" }, { verdict: "refused-unproven" }].map(toneOf), ["good", "bad", "warn"])
    const report = (verdict, data) => ({ result: verdict === "not-pinned" ? "fail" : "pass", hosts: [{ host: "a", expect: "refuse", verdict, missing: [], attacks: [{ attack: "trusted-ca", outcomes: { data, alert: 3 - data } }], findings: [] }] })
    const [pass, fail] = [report("proven-pinned", 0), report("not-pinned", 3)]
    same(changesOf(pass, fail).map(change => [change.what, change.before, change.after, change.turn]),
        [["result", "pass", "fail", "worse"], ["verdict", "proven-pinned", "not-pinned", "worse"], ["attack trusted-ca", "3 × refused by an alert", "3 × sent data", "worse"]])
    same(changesOf(fail, pass).map(change => change.turn), ["better", "better", "better"])
    same(changesOf(pass, pass), [])
    same(byHost(changesOf(pass, fail)).map(({ host, list }) => [host, list.length]), [["", 1], ["a (refuse)", 2]])
})

const row = (id, path, change = {}) => ({ id, kind: "http", state: "complete", method: "GET", host: "a", path, status: 200, ...change })

test("requests of two sessions belong together by method and URL, in their order", () => {
    const pairs = pairsOf([row(1, "/x?1"), row(2, "/x?2"), row(3, "/y")], [row(4, "/x?2"), row(5, "/x?3"), row(6, "/z")])
    same(pairs.map(pair => [pair.name, pair.left?.id, pair.right?.id]), [["GET a/x", 1, 5], ["GET a/x", 2, 4], ["GET a/y", 3, null], ["GET a/z", null, 6]])
    same(pairsOf([row(1, "/x")], [row(2, "/x", { method: "POST" })])[0].name, "GET / POST a/x")
})

test("a pair says what differs, by its rows and by whole flows", () => {
    const of = (change, flows) => differencesOf({ left: row(1, "/x?a=1"), right: row(2, "/x?a=2", change) }, flows).map(one => [one.what, one.left, one.right])
    same(of({}), [])
    same(of({ status: 500, duration_ms: 9 }), [["status", "200", "500"]])
    same(of({ method: "POST", size: 5 }), [["method", "GET", "POST"], ["answer size", "0 B", "5 B"]])
    const flow = (size, sha256, headers) => ({ request: { headers, body: { size, sha256 } }, response: {} })
    same(of({}, [flow(3, "aa", [["Host", "a"]]), flow(3000, "bb", [["host", "b"], ["X-New", "1"]])]), [["request size", "3 B", "2.9 kB (3000 B)"], ["request headers", "–", "x-new"]])
    same(of({}, [flow(3, "aa", []), flow(3, "bb", [])])[0][0], "request body")
    same(differencesOf({ left: row(1, "/x") })[0].what, "only on the left")
})

test("the longest pause parts sessions", () => {
    const rows = [3, 1, 2].map(id => row(id, "/", { started: `2026-01-01T00:00:${id === 3 ? 40 : `0${id}`}Z` }))
    same(afterPause(rows).row.id, 3)
    holds(afterPause([]) === null, "a pause in nothing")
})

test("a rehearsal's days ahead are bars from today on", () => {
    const host = {
        certificates: [
            { role: "leaf", chain: null, subject: "CN=a", spki_sha256: "AA", not_after: "2027-01-11", pinned: true },
            { role: "root", chain: "next", subject: "CN=r", spki_sha256: "BB", not_after: "2099-01-01", pinned: false },
        ],
        builds: [
            { name: "2", by: "seen", pins: ["sha256/AA"], breaks: "2027-01-11", unprotected: null },
            { name: "1", by: "pins", pins: ["sha256/BB"], breaks: null, unprotected: "2027-01-11" },
        ],
    }
    const events = [{ date: "2028-01-01", event: "a root leaves", by_ca: true }, { date: "2060-01-01", event: "far away", by_ca: true }, { date: "2027-01-11", event: "leaf expires" }]
    const { rows, from, until } = barsOf(host, events, "2027-01-01")
    same([from, until], ["2027-01-01", "2030-01-03"])
    same(rows.map(row => row.kind), ["certificate", "certificate", "ca", "build", "build"])
    same(rows.map(row => row.title), ["leaf", "root of next", "CA event", "build 2", "build 1"])
    same(rows.map(row => row.to === undefined ? null : Math.round(row.to * 1000)), [9, 1000, null, 9, 9])
    same(rows[1].words, "2099-01-01 · CN=r · pinned by 1")
    same(rows[4].words, "works, and is not protected from 2027-01-11 on (by the pins of its files)")
    host.builds[0].breaks = "2027-01-01"
    same(barsOf(host, [], "2027-01-01").rows[2].words, "locked out already: the chain of today fits none of its pins")
    same(barsOf({}, [], undefined).rows, [], "a rehearsal that saw no chain")
    same(barsOf({ certificates: [{ role: "leaf", not_after: "never" }] }, [], "2027-01-01").rows, [])
})
