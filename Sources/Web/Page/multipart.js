// The parts of a multipart body.

import { parameter } from "./text.js"

const latin1 = new TextDecoder("latin1")
const utf8 = new TextDecoder()
const most = 1000

/** `[{headers: [[name, value]], name, file, type, bytes}]`, or null where the boundary is not to be found. */
export function multipartParts(bytes, contentType) {
    const boundary = parameter(contentType, "boundary")
    if (!boundary) return null
    const mark = new TextEncoder().encode(`--${boundary}`)
    const parts = []
    let at = find(bytes, mark, 0)
    if (at < 0) return null
    while (at >= 0 && parts.length < most) {
        at += mark.length
        if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) break
        while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x09)) at += 1
        if (bytes[at] === 0x0d) at += 1
        if (bytes[at] === 0x0a) at += 1
        const next = find(bytes, mark, at)
        let end = next < 0 ? bytes.length : next
        if (next >= 0 && bytes[end - 1] === 0x0a) end -= bytes[end - 2] === 0x0d ? 2 : 1
        parts.push(part(bytes.subarray(at, Math.max(at, end))))
        at = next
    }
    return parts
}

function part(bytes) {
    let end = 0
    while (end < bytes.length) {
        if (bytes[end] === 0x0a && (end === 0 || bytes[end - 1] === 0x0a || (bytes[end - 1] === 0x0d && (end === 1 || bytes[end - 2] === 0x0a)))) break
        end += 1
    }
    const head = latin1.decode(bytes.subarray(0, end))
    const headers = head.split(/\r?\n(?![ \t])/).filter(line => line.includes(":")).map(line => {
        const colon = line.indexOf(":")
        return [line.slice(0, colon).trim(), utf8OfLatin1(line.slice(colon + 1).trim())]
    })
    const value = name => headers.find(([other]) => other.toLowerCase() === name)?.[1]
    const disposition = value("content-disposition")
    return {
        headers, name: parameter(disposition, "name"), file: extended(parameter(disposition, "filename\\*")) ?? parameter(disposition, "filename"),
        type: value("content-type") ?? "text/plain", bytes: bytes.subarray(Math.min(end + 1, bytes.length)),
    }
}

/** RFC 8187: `UTF-8''na%C3%AFve.txt`. */
function extended(value) {
    const found = /^utf-8'[^']*'(.*)$/i.exec(value ?? "")
    try { return found && decodeURIComponent(found[1]) } catch { return null }
}

const utf8OfLatin1 = text => utf8.decode(Uint8Array.from(text, character => character.charCodeAt(0)))

function find(bytes, mark, from) {
    for (let at = bytes.indexOf(mark[0], from); at >= 0; at = bytes.indexOf(mark[0], at + 1)) {
        let same = at === 0 || bytes[at - 1] === 0x0a
        for (let index = 1; same && index < mark.length; index += 1) same = bytes[at + index] === mark[index]
        if (same && endsLine(bytes, at + mark.length)) return at
    }
    return -1
}

/** A longer boundary that begins with this one is another: RFC 2046, 5.1.1 has blanks alone behind it, and "--" behind the last. */
function endsLine(bytes, at) {
    if (bytes[at] === 0x2d && bytes[at + 1] === 0x2d) at += 2
    while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1
    return at >= bytes.length || bytes[at] === 0x0a || bytes[at] === 0x0d
}
