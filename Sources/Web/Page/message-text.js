// One message in a line, and which messages a few words mean.

import { cut } from "./signs.js"
import { protobufFields } from "./protobuf.js"
import { shownText } from "./redact.js"
import { bytesOfBase64, size } from "./text.js"
import { hexOf } from "./hex.js"

/** A gRPC message that is larger is shown by its first bytes: every row that is seen is decoded. */
const largest = 64 << 10

export const messageBytes = message => message.base64 !== undefined ? bytesOfBase64(message.base64) : new TextEncoder().encode(message.data ?? "")

/** What it is, with the name of an event: `event delta`. */
export const kindOf = message => message.name ? `${message.type} ${cut(shownText(message.name), 60)}` : message.type

/** What is wrong about it stands in front: that is what somebody looks for; then an event's name. */
export function messageLine(message) {
    const line = contentLine(message)
    const wrong = message.fault ?? (message.cut ? "cut" : "")
    const named = message.name ? `${cut(shownText(message.name), 60)}: ${line}` : line
    return wrong ? `(${wrong}) ${named}` : named
}

/** What is known of a message of which the last is missing. */
export function cutWords(message) {
    const kept = message.base64 !== undefined ? bytesOfBase64(message.base64).length : new TextEncoder().encode(message.data ?? "").length
    return kept < message.size ? `Only its first ${size(kept)} of ${size(message.size)} are here: it broke off, or was too large to keep.`
        : "It broke off before its end, or could not be decoded: these are the bytes that came."
}

/** Without a word of what is wrong. */
export function contentLine(message) {
    // Before its text: a code such as 4100 is two bytes of ASCII.
    if (message.type === "close") return cut(shownText(closeWords(messageBytes(message))), 300)
    if (message.data !== undefined) return cut(shownText(message.data.slice(0, 400)), 300)
    if (message.base64 === undefined) return ""
    if (message.type === "grpc" && message.size <= largest) {
        const fields = protobufFields(bytesOfBase64(message.base64))
        if (fields) return cut(protobufLine(fields), 300)
    }
    const bytes = bytesOfBase64(message.base64.slice(0, 64))
    return hexOf(bytes) + (message.size > bytes.length ? " …" : "")
}

/** Every word has to be in it or in its name; `from:` and `type:` look at what it is. */
export function matchingMessages(messages, words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
    if (!wanted.length) return messages
    return messages.filter(message => wanted.every(word => {
        const without = word.length > 1 && word.startsWith("-")
        const plain = without ? word.slice(1) : word
        const fits = plain.startsWith("from:") ? message.from.startsWith(plain.slice(5))
            : plain.startsWith("type:") ? message.type.startsWith(plain.slice(5))
                : message.name?.toLowerCase().includes(plain) || (message.type === "close" || message.fault || message.cut ? messageLine(message) : message.data ?? messageLine(message)).toLowerCase().includes(plain)
        return fits !== without
    }))
}

/** Codes of a close frame: RFC 6455, 7.4.1, and what IANA has added. */
const closeNames = {
    1000: "normal closure", 1001: "going away", 1002: "protocol error", 1003: "unsupported data", 1007: "invalid payload data", 1008: "policy violation",
    1009: "message too big", 1010: "mandatory extension", 1011: "internal error", 1012: "service restart", 1013: "try again later", 1014: "bad gateway",
}

/** `1011 internal error: keepalive ping timeout`. */
export function closeWords(bytes) {
    if (bytes.length < 2) return "no code"
    const code = bytes[0] << 8 | bytes[1]
    const reason = new TextDecoder().decode(bytes.subarray(2))
    const name = closeNames[code] ?? ""
    return `${code}${name ? ` ${name}` : ""}${reason ? `${name ? ":" : ""} ${reason}` : ""}`
}

/** Fields of a protocol buffer that are named in a line. */
const some = 6

/** A protocol buffer in a line: `1: "Ada", 2: 36, 3: {1: "Paris"}`. */
export function protobufLine(fields, depth = 0) {
    if (!fields.length) return depth ? "{}" : "an empty message"
    const line = fields.slice(0, some).map(field => `${field.number}: ${valueOf(field, depth)}`).join(", ") + (fields.length > some ? ", …" : "")
    return depth ? `{${line}}` : line
}

function valueOf(field, depth) {
    if (field.fields) return depth < 2 ? protobufLine(field.fields, depth + 1) : "{…}"
    if (field.text !== undefined) return JSON.stringify(shownText(field.text.slice(0, 100))) + (field.text.length > 100 ? "…" : "")
    if (field.bytes) return hexOf(field.bytes.subarray(0, 8)) + (field.bytes.length > 8 ? " …" : "")
    return field.readings[0]
}
