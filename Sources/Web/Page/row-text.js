// What a row of the list says, in words and signs: colour comes on top and is never alone.

import { cut } from "./signs.js"
import { shownURL } from "./redact.js"
import { duration, mediaType, plural, shortType, size, withoutPort } from "./text.js"

/** The sign of the first column, the word that says it aloud, and the colour's name. */
export function statusOf(row) {
    if (row.kind === "failure" || row.failure && row.kind !== "websocket" && !(row.state === "aborted" && row.status)) return { sign: "✕", word: "failed", tone: "bad" }
    if (row.kind === "tunnel") return { sign: "–", word: row.state === "open" ? "tunnel, open" : "tunnel, not decrypted", tone: "dim" }
    if (row.kind === "websocket" && (row.state === "aborted" || row.failure)) return { sign: "⇄ ↯", word: "WebSocket, cut off", tone: "warn" }
    if (row.state === "aborted") return { sign: row.status ? `${row.status} ↯` : "↯", word: row.status ? `${row.status}, aborted` : "aborted", tone: "bad" }
    if (row.kind === "websocket") return { sign: "⇄", word: row.state === "open" ? "WebSocket, open" : "WebSocket", tone: "good" }
    if (row.status === undefined) return row.state === "open" ? { sign: "…", word: "open", tone: "dim" } : { sign: "?", word: "no status", tone: "dim" }
    const open = row.state === "open" ? " …" : ""
    const tone = row.status >= 500 ? "bad" : row.status >= 400 ? "warn" : row.status >= 300 ? "dim" : "good"
    const away = row.status >= 300 && row.status < 400 && row.status !== 304 ? " →" : ""
    return { sign: `${row.status}${away}${open}`, word: `${row.status}${away ? ", redirect" : ""}${open ? ", open" : ""}`, tone }
}

/** Path and query apart; a failure says in its own words what happened. */
export function pathOf(row) {
    if (row.failure && row.text) {
        // What was asked for comes first, where anything was.
        if (row.method && row.path) return { words: cut(shownURL(row.path).split("?")[0], 120), query: ` ${cut(firstWords(row.text))}` }
        return { words: cut(firstWords(row.text)), query: "", isText: true }
    }
    if (row.kind === "tunnel") return { words: "not decrypted: passed on as it is", query: "", isText: true }
    const path = shownURL(row.path ?? "")
    const at = path.indexOf("?")
    return at < 0 ? { words: cut(path), query: "" } : { words: cut(path.slice(0, at)), query: cut(path.slice(at)) }
}

/** The first sentence, without what only the Overview has room for. */
const firstWords = text => String(text).split(/\n|(?<=[a-z])\. /)[0]

/** The name, with the port where it is not the scheme's own. */
export function hostOf(row) {
    const port = row.port && row.port !== (row.scheme === "http" ? 80 : 443) ? `:${row.port}` : ""
    return cut(row.host ?? "", 260) + port
}

export function typeOf(row) {
    if (row.kind === "websocket") return "ws"
    if (row.kind === "tunnel") return "tunnel"
    if (row.tags?.some(tag => tag.startsWith("graphql:"))) return "graphql"
    return cut(shortType(row.type), 40)
}

/** Bytes; for what consists of messages, how many. */
export function sizeOf(row) {
    if (row.messages) return plural(row.messages, "msg", "msg")
    return row.size === undefined ? "–" : size(row.size)
}

export function timeOf(row, now = Date.now()) {
    if (row.duration_ms !== undefined) return duration(row.duration_ms)
    if (row.state !== "open") return "–"
    return duration(Math.max(0, now - Date.parse(row.started)))
}

export const clientOf = row => cut(withoutPort(row.client ?? ""), 60)

/** The colour bar at the left edge. */
export function barOf(row) {
    if (row.failure || row.kind === "failure") return "failure"
    if (row.kind === "websocket" || row.messages || row.tags?.some(tag => tag === "sse" || tag.startsWith("grpc:"))) return "stream"
    const type = mediaType(row.type)
    if (/json/.test(type)) return "json"
    if (/html|xml/.test(type) && !type.startsWith("image/")) return "document"
    if (/javascript|css|ecmascript|wasm/.test(type)) return "script"
    if (/^(image|video|audio)\//.test(type)) return "media"
    if (/^font\/|font/.test(type)) return "font"
    return "none"
}

/** The whole row for a screen reader. */
export function spoken(row) {
    const path = pathOf(row)
    return [statusOf(row).word, row.method, hostOf(row), path.words + path.query, typeOf(row), sizeOf(row) === "–" ? "" : sizeOf(row),
        row.duration_ms === undefined ? "" : duration(row.duration_ms), row.mark ? `marked ${row.mark}` : ""]
        .filter(Boolean).join(" ")
}
