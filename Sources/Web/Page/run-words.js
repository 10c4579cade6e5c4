// Gate runs in words: results, verdicts, alerts, and what a client did.

import { clock, duration } from "./text.js"

export const results = {
    pass: { sign: "✓", words: "pass", tone: "good" }, fail: { sign: "✗", words: "fail", tone: "bad" },
    inconclusive: { sign: "?", words: "inconclusive", tone: "warn" }, invalid: { sign: "!", words: "invalid", tone: "warn" },
    // Of a rehearsal.
    works: { sign: "✓", words: "works", tone: "good" }, "locked-out": { sign: "✗", words: "locks users out", tone: "bad" },
    unclear: { sign: "?", words: "unclear", tone: "warn" }, "invalid-environment": { sign: "!", words: "invalid environment", tone: "warn" },
}

export const resultOf = name => results[name] ?? { sign: "·", words: String(name ?? "not finished"), tone: "dim" }

/** The tone of a verdict, against what was expected. */
export function toneOf(host) {
    if (["proven-pinned", "accepted", "tunnelled"].includes(host.verdict)) return host.verdict === "accepted" && host.expect === "refuse" ? "bad" : "good"
    if (["not-pinned", "refused"].includes(host.verdict)) return "bad"
    return "warn"
}

export const signOf = host => ({ good: "✓", bad: "✗", warn: "?" })[toneOf(host)]

export const strengths = {
    S3: "a leaf for a lent pinned key carried data", S2a: "a control host accepted the same CA in the same run", S2b: "a twin build accepted the same CA",
    S2c: "it got further under the trusted CA than under an unknown one", "private-anchor": "the app trusts only the roots that the profile names",
}

const codes = {
    0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed", 22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate", 42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
    45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error", 51: "decrypt_error",
    70: "protocol_version", 71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension",
    112: "unrecognized_name", 113: "bad_certificate_status_response", 115: "unknown_psk_identity", 116: "certificate_required", 120: "no_application_protocol",
}

/** As RFC 8446, section 6, names them. */
export const alertName = code => codes[code] ?? `alert ${code}`

/** `client: unknown_ca (48) after 13 ms, plaintext`. */
export const alertWords = alert => `${alert.from}: ${codes[alert.code] ? `${codes[alert.code]} (${alert.code})` : `alert ${alert.code}`} after ${duration(alert.ms)}${alert.epoch ? `, ${alert.epoch}` : ""}`

/** What the client did, in a sentence. */
export function didOf(connection) {
    // close_notify and user_canceled refuse nothing (RFC 8446, section 6.1).
    const alert = (connection.alerts ?? []).find(one => one.from === "client" && one.code !== 0 && one.code !== 90)
    const end = connection.close ? ` ${{ fin: "closed", close_notify: "closed", rst: "reset", timeout: "timed out", aborted: "was ended" }[connection.close.how] ?? connection.close.how} by ${connection.close.by}` : ""
    if (connection.error) return `error: ${connection.error}`
    if (alert) return `refused with ${alertName(alert.code)}`
    if (connection.action === "tunnelled") return `passed on: ${connection.bytes_up ?? 0} bytes up, ${connection.bytes_down ?? 0} down${connection.passthrough_data ? ", with data" : ""}`
    if ((connection.bytes_up ?? 0) > 0) return `sent ${connection.bytes_up} bytes${connection.first?.shape ? ` (${connection.first.shape})` : ""}${connection.status ? `, was answered ${connection.status}` : ""}`
    if (connection.finished_ms !== undefined) return `finished the handshake and sent nothing;${end || " stayed open"}`
    if (connection.resumed) return `resumed a session;${end}`
    return `sent nothing;${end || " no end was noted"}`
}

/**
 * The connections of a run, with their line of the evidence, their trial's start, and what the verdict counts them as.
 *
 * @param outcomes of each line, as the API has them
 */
export function connectionsOf(lines, outcomes) {
    const whole = lines[0]?.kind === "header"
    const trials = new Map()
    const list = []
    lines.forEach((line, index) => {
        if (line?.kind === "trial-started") trials.set(line.trial, { start: line })
        else if (line?.kind === "trial-ended") trials.set(line.trial, { ...trials.get(line.trial), end: line })
        else if (line && (line.kind === "connection" || (line.kind === undefined && line.connection !== undefined))) list.push({ ...line, line: whole ? index + 1 : null, outcome: outcomes?.[index] ?? null })
    })
    return { trials, list }
}

export const whenOf = seconds => seconds === undefined ? "" : clock(seconds * 1000)

/** What is shown of an attack where it has forms of its own. */
export const attackOf = connection => connection.attack ? `${connection.attack}${connection.variant ? `/${connection.variant}` : ""}` : connection.action === "tunnelled" ? "passthrough" : connection.action ?? ""

// How the connections of a run ended, as its verdict counts them.

/** Each outcome of the report: its column's name, and a sentence. */
export const outcomes = new Map([
    ["data", { name: "sent data", words: "It sent data under the forged chain: accepted." }],
    ["alert", { name: "refused by an alert", words: "It answered the forged chain with a fatal alert." }],
    ["silent", { name: "closed in the handshake", words: "It closed before its Finished, without an alert: refused, if it does so every time." }],
    ["post", { name: "closed after the handshake", words: "It finished the handshake and closed without a byte: refused, or a socket that was never used." }],
    ["idle", { name: "left open", words: "It finished the handshake and left the connection open without a byte: neither." }],
    ["early", { name: "closed too early", words: "It closed before the forged chain had arrived: no evidence." }],
    ["negotiation", { name: "no common parameters", words: "There were no common parameters: a fault of the environment." }],
    ["resumed", { name: "resumed a session", words: "A resumed session shows no certificate: no evidence." }],
])

const refusals = ["alert", "silent", "post"]

/** `11 × closed after the handshake`. */
export const tallyWords = counts => Object.entries(counts ?? {}).filter(([, times]) => times)
    .map(([what, times]) => `${times} × ${outcomes.get(what)?.name ?? what}`).join(", ") || "nothing"

/** What the report says of the host of each line of its evidence: `line → {expect, mixed}`; mixed: data was sent as well. */
export function judgedLines(report) {
    const judged = new Map()
    for (const host of report.hosts ?? []) {
        for (const attack of host.attacks ?? []) {
            const said = Object.entries(attack.outcomes ?? {}).filter(([, times]) => times)
            for (const line of attack.evidence ?? []) judged.set(line, { expect: host.expect, mixed: said.length > 1 && !!attack.outcomes.data })
        }
    }
    return judged
}

/** A word and a tone for a connection: what the verdict counts it as, or what a control did. */
export function judgement(one, judged) {
    const said = judged.get(one.line)
    if (one.action === "tunnelled") return { word: "untouched", tone: "dim" }
    if (one.action === "none") return { word: "not let through", tone: "dim" }
    const outcome = one.outcome
    const about = outcomes.get(outcome)?.words ?? ""
    if (outcome === "data") return { outcome, about, word: "accepted", tone: said?.expect === "refuse" ? "data" : "wanted" }
    if (outcome === "post" && (!said || said.mixed || said.expect !== "refuse")) return { outcome, about, word: "refused or unused", tone: "unclear" }
    if (refusals.includes(outcome)) return { outcome, about, word: "refused", tone: "refused" }
    return { outcome, about, word: outcomes.get(outcome)?.name ?? "unclear", tone: "unclear" }
}
