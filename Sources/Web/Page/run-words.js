// Gate runs in words: results, verdicts, outcomes, and what changed between two of them.

import { clock } from "./text.js"

export const results = {
    pass: { sign: "✓", words: "pass", tone: "good" }, fail: { sign: "✗", words: "fail", tone: "bad" },
    inconclusive: { sign: "?", words: "inconclusive", tone: "warn" }, invalid: { sign: "!", words: "invalid", tone: "warn" },
}

export const resultOf = name => results[name] ?? { sign: "·", words: String(name ?? "not finished"), tone: "dim" }

/** The tone of a verdict, against what was expected. */
export function toneOf(host) {
    if (["proven-pinned", "accepted", "tunnelled"].includes(host.verdict)) return host.verdict === "accepted" && host.expect === "refuse" ? "bad" : "good"
    if (["not-pinned", "refused"].includes(host.verdict)) return "bad"
    return "warn"
}

export const signOf = host => ({ good: "✓", bad: "✗", warn: "?" })[toneOf(host)]

export const outcomes = [
    ["data", "data was sent: accepted"], ["alert", "a fatal alert: refused"], ["silent", "closed without a word"], ["post", "closed after the handshake"],
    ["idle", "left open without a byte"], ["early", "closed too early to tell"], ["negotiation", "no common parameters"], ["resumed", "resumed session"],
]

export const strengths = {
    S3: "a leaf for a lent pinned key carried data", S2a: "a control host accepted the same CA in the same run", S2b: "a twin build accepted the same CA",
    S2c: "it got further under the trusted CA than under an unknown one", "private-anchor": "the app trusts only the roots that the profile names",
}

const codes = {
    0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 40: "handshake_failure", 42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
    45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error", 51: "decrypt_error",
    70: "protocol_version", 71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled", 109: "missing_extension",
    112: "unrecognized_name", 113: "bad_certificate_status_response", 116: "certificate_required", 120: "no_application_protocol",
}

export const alertName = code => codes[code] ?? `alert ${code}`

/** What the client did, in a sentence. */
export function didOf(connection) {
    const alert = (connection.alerts ?? []).find(one => one.from === "client" && one.code !== 0)
    const end = connection.close ? ` ${{ fin: "closed", close_notify: "closed", rst: "reset", timeout: "timed out", aborted: "was ended" }[connection.close.how] ?? connection.close.how} by ${connection.close.by}` : ""
    if (connection.error) return `error: ${connection.error}`
    if (alert) return `refused with ${alertName(alert.code)}`
    if (connection.action === "tunnelled") return `passed on: ${connection.bytes_up ?? 0} bytes up, ${connection.bytes_down ?? 0} down${connection.passthrough_data ? ", with data" : ""}`
    if ((connection.bytes_up ?? 0) > 0) return `sent ${connection.bytes_up} bytes${connection.first?.shape ? ` (${connection.first.shape})` : ""}${connection.status ? `, was answered ${connection.status}` : ""}`
    if (connection.finished_ms !== undefined) return `finished the handshake and sent nothing;${end || " stayed open"}`
    if (connection.resumed) return `resumed a session;${end}`
    return `sent nothing;${end || " no end was noted"}`
}

/** Refused, accepted, or neither, by the same signs everywhere. */
export function toneOfConnection(connection) {
    if (connection.action === "tunnelled") return "dim"
    if ((connection.bytes_up ?? 0) > 0) return "data"
    if ((connection.alerts ?? []).some(one => one.from === "client" && one.code !== 0)) return "refused"
    return "unclear"
}

/** The connections of a run, with their line of the evidence and their trial's start. */
export function connectionsOf(lines) {
    const whole = lines[0]?.kind === "header"
    const trials = new Map()
    const list = []
    lines.forEach((line, index) => {
        if (line?.kind === "trial-started") trials.set(line.trial, { start: line })
        else if (line?.kind === "trial-ended") trials.set(line.trial, { ...trials.get(line.trial), end: line })
        else if (line && (line.kind === "connection" || (line.kind === undefined && line.connection !== undefined))) list.push({ ...line, line: whole ? index + 1 : null })
    })
    return { trials, list }
}

export const whenOf = seconds => seconds === undefined ? "" : clock(seconds * 1000)

/** What is shown of an attack where it has forms of its own. */
export const attackOf = connection => connection.attack ? `${connection.attack}${connection.variant ? `/${connection.variant}` : ""}` : connection.action === "tunnelled" ? "passthrough" : connection.action ?? ""

/** What changed from one report to the next: `[{host, what, before, after}]`. */
export function changesOf(before, after) {
    const changes = []
    const put = (host, what, one, other) => { if (one !== other) changes.push({ host, what, before: one, after: other }) }
    const key = host => `${host.client ? `${host.client}: ` : ""}${host.host} (${host.expect})`
    const old = new Map((before.hosts ?? []).map(host => [key(host), host]))
    const now = new Map((after.hosts ?? []).map(host => [key(host), host]))
    put("", "result", before.result ?? "–", after.result ?? "–")
    for (const [name, host] of now) {
        const was = old.get(name)
        if (!was) { changes.push({ host: name, what: "host", before: "not in it", after: host.verdict }); continue }
        put(name, "verdict", was.verdict, host.verdict)
        put(name, "strength", was.strength ?? "–", host.strength ?? "–")
        put(name, "subtype", was.subtype ?? "–", host.subtype ?? "–")
        put(name, "missing", (was.missing ?? []).join(", ") || "–", (host.missing ?? []).join(", ") || "–")
        const counts = one => Object.fromEntries((one.attacks ?? []).map(attack => [attack.attack, words(attack.outcomes)]))
        const [a, b] = [counts(was), counts(host)]
        for (const attack of new Set([...Object.keys(a), ...Object.keys(b)])) {
            const kinds = text => text?.replace(/\d+ × /g, "") ?? "not tried"
            if (kinds(a[attack]) !== kinds(b[attack])) put(name, `attack ${attack}`, a[attack] ?? "not tried", b[attack] ?? "not tried")
        }
        const findings = one => new Set((one.findings ?? []).map(finding => finding.id))
        const [f, g] = [findings(was), findings(host)]
        for (const id of g) if (!f.has(id)) put(name, "finding", "–", id)
        for (const id of f) if (!g.has(id)) put(name, "finding", id, "gone")
    }
    for (const [name, host] of old) if (!now.has(name)) changes.push({ host: name, what: "host", before: host.verdict, after: "not in it" })
    return changes
}

export const words = counts => Object.entries(counts ?? {}).filter(([, times]) => times).map(([what, times]) => `${times} × ${what}`).join(", ") || "nothing"
