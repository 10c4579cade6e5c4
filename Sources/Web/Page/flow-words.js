// Words about one flow, as its region and its row say them.

import { cut } from "./signs.js"
import { shownURL } from "./redact.js"
import { duration, size } from "./text.js"

const kinds = { websocket: "WebSocket", tunnel: "Tunnel, not decrypted", failure: "Failed connection", raw: "Raw bytes", http: "HTTP" }

export const kindOf = flow => kinds[flow.kind] ?? cut(flow.kind, 40)

export const titleOf = flow => [flow.method, cut(shownURL(flow.url ?? flow.server?.host ?? ""), 300), flow.status].filter(Boolean).join(" ")

/** The same of a row of the list. */
export const titleOfRow = row => [row.method, cut((row.host ?? "") + shownURL(row.path ?? ""), 300), row.status].filter(Boolean).join(" ")

/** `401 Unauthorized · 88 ms · 120 B · h2`. */
export function summaryOf(flow) {
    const body = flow.response?.body
    return [
        flow.failure ? "failed" : flow.status ? cut(`${flow.status} ${flow.response?.reason ?? reasons[flow.status] ?? ""}`.trim(), 100) : flow.state === "open" ? "open" : kindOf(flow),
        flow.state === "aborted" && !flow.failure ? "aborted" : null,
        flow.duration_ms !== undefined ? duration(flow.duration_ms) : null,
        body ? size(body.size) : null,
        flow.version ? cut(flow.version, 20) : null,
    ].filter(Boolean).join(" · ")
}

/** HTTP/2 sends no words with a status. */
export const reasons = {
    100: "Continue", 101: "Switching Protocols", 103: "Early Hints", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
    409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
    422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
}
