// The phases of an exchange, from the moments that pinproof noted.

/**
 * `{total, phases: [{name, tone, from, to}], reused}`: times in milliseconds from the start.
 * A connection that was already there has no time of its own: `reused` says so.
 */
export function phasesOf(flow) {
    const timing = flow.timing ?? {}
    const phases = []
    const put = (name, tone, from, to) => { if (to > from) phases.push({ name, tone, from, to }) }
    const set = (timing.connect_ms ?? 0) + (timing.tls_ms ?? 0)
    // Set-up lies before the flow's start; in what other programs have recorded, behind it.
    const before = timing.blocked_ms !== undefined
    let at = before ? timing.blocked_ms : -set
    put("Wait for a connection", "setup", 0, timing.blocked_ms ?? 0)
    put("Connect to server", "setup", at, at += timing.connect_ms ?? 0)
    put("TLS with server", "setup", at, at += timing.tls_ms ?? 0)
    const sent = timing.sent_ms ?? 0
    put("Send request", "send", Math.max(0, before ? at : 0), sent)
    const first = timing.first_byte_ms
    const last = timing.last_byte_ms ?? flow.duration_ms
    // Where nothing was asked for, nobody waited for an answer.
    if (flow.kind !== "failure" && flow.kind !== "tunnel") put("Wait for answer", "wait", sent, first ?? (flow.state === "open" ? sent : last ?? sent))
    if (first !== undefined) put("Receive answer", "body", first, last ?? first)
    const start = Math.min(0, ...phases.map(phase => phase.from))
    for (const phase of phases) {
        phase.from -= start
        phase.to -= start
    }
    return { phases, total: Math.max(flow.duration_ms ?? 0, ...phases.map(phase => phase.to), 0), reused: reusedOf(flow) }
}

function reusedOf(flow) {
    const timing = flow.timing ?? {}
    if (flow.kind === "tunnel" || flow.kind === "failure") return []
    const reused = []
    if (timing.connect_ms === undefined && timing.first_byte_ms !== undefined) reused.push("the connection to the server")
    if (flow.tls && timing.client_tls_ms === undefined && timing.first_byte_ms !== undefined) reused.push("the client's TLS session with pinproof")
    return reused
}

/** Where in a common span the bar of a row lies, in parts of it: `{from, to}`. */
export function spanOf(row, first, last, now = Date.now()) {
    const began = Date.parse(row.started)
    const ended = row.duration_ms !== undefined ? began + row.duration_ms : row.state === "open" ? now : began
    const width = Math.max(1, last - first)
    const part = moment => Math.min(1, Math.max(0, (moment - first) / width))
    return { from: part(began), to: part(ended) }
}
