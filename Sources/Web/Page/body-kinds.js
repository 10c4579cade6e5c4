// What a body is, by its media type and its first bytes, and how its bytes become text.

import { mediaType, parameter } from "./text.js"

/** Types that may become a picture. An SVG in <img> runs no script. */
export const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon",
    "image/vnd.microsoft.icon", "image/svg+xml"])

/** The type of a side's body with its parameters, which only the header has: a charset, a boundary. */
export function typeOfBody(side) {
    const type = side?.body?.type ?? ""
    const header = (side?.headers ?? []).find(([name]) => name.toLowerCase() === "content-type")?.[1]
    return header !== undefined && (!type || mediaType(header) === mediaType(type)) ? header : type
}

/** "json", "image", "xml", "html", "form", "multipart", "protobuf", "grpc", "grpc-text", "events", "text" or "binary". */
export function kindOfBody(type, bytes, tags = []) {
    const plain = mediaType(type)
    if (images.has(plain)) return "image"
    if (/^application\/grpc-web-text/.test(plain)) return "grpc-text"
    if (/^application\/grpc/.test(plain)) return "grpc"
    if (/protobuf|x-google-protobuf/.test(plain)) return "protobuf"
    if (plain === "application/x-www-form-urlencoded") return "form"
    if (plain.startsWith("multipart/")) return "multipart"
    if (plain === "text/event-stream") return "text"
    if (/[/+]json$|json-seq|ndjson|jsonl|[/+-]json\b/.test(plain)) return "json"
    if (plain === "text/html" || plain === "application/xhtml+xml") return "html"
    if (/[/+]xml$/.test(plain)) return "xml"
    if (plain.startsWith("text/") || /javascript|ecmascript|graphql|yaml|toml|x-sh$/.test(plain)) return "text"
    return sniffed(bytes, tags)
}

function sniffed(bytes) {
    const head = bytes.subarray(0, 512)
    if (imageOf(head)) return "image"
    const text = plainText(head)
    if (text === null) return "binary"
    if (/^\s*[[{]/.test(text)) return "json"
    if (/^\s*<(!doctype html|html)/i.test(text)) return "html"
    if (/^\s*<[?\w]/.test(text)) return "xml"
    return "text"
}

/** The type of a picture by its first bytes, or null. */
export function imageOf(bytes) {
    const begins = (...signature) => signature.every((byte, index) => byte === null || bytes[index] === byte)
    if (begins(0x89, 0x50, 0x4e, 0x47)) return "image/png"
    if (begins(0xff, 0xd8, 0xff)) return "image/jpeg"
    if (begins(0x47, 0x49, 0x46, 0x38)) return "image/gif"
    if (begins(0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50)) return "image/webp"
    return null
}

/** Text, if these bytes look like it; a character cut at the end does not matter. */
function plainText(bytes) {
    const text = new TextDecoder().decode(bytes, { stream: true })
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/.test(text) ? null : text
}

/** The text of bytes, and the charset that it was read by. */
export function textOfBody(bytes, type) {
    const named = parameter(type, "charset")
    const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null
    for (const charset of [marked, named, "utf-8"]) {
        if (!charset) continue
        try {
            const text = new TextDecoder(charset).decode(bytes)
            // Without a name, what is not UTF-8 is most likely Latin-1.
            if (!named && text.includes("\ufffd")) return { text: new TextDecoder("windows-1252").decode(bytes), charset: "windows-1252, a guess" }
            return { text, charset }
        } catch { /* a charset that no browser knows: the next one */ }
    }
}
