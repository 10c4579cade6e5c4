// Numbers, sizes, times and media types as people read them.

const group = new Intl.NumberFormat("en-US")

export const count = number => group.format(number)

export const plural = (number, one, more = `${one}s`) => `${count(number)} ${number === 1 ? one : more}`

/** `120 B`, `4.1 kB`, `3.1 MB`: powers of 1024, as in filters. */
export function size(bytes) {
    if (bytes === undefined || bytes === null) return "–"
    if (bytes < 1024) return `${bytes} B`
    let value = bytes
    for (const unit of ["kB", "MB", "GB", "TB"]) {
        value /= 1024
        if (value < 1000 || unit === "TB") return `${value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${unit}`
    }
}

/** `0.4 ms`, `41 ms`, `3.1 s`, `2m 4s`, `1h 3m`. */
export function duration(ms) {
    if (ms === undefined || ms === null) return "–"
    if (ms < 0) return "0 ms"
    if (ms < 10) return `${Number(ms.toFixed(1))} ms`
    if (ms < 999.5) return `${Math.round(ms)} ms`
    if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
    const seconds = Math.round(ms / 1000)
    if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
    return `${Math.floor(seconds / 3600)}h ${Math.floor(seconds / 60) % 60}m`
}

/** The time of day where the reader is, to the millisecond. */
export function clock(moment) {
    const date = new Date(moment)
    if (Number.isNaN(date.getTime())) return "–"
    const two = number => String(number).padStart(2, "0")
    return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, "0")}`
}

/** Day and time where the reader is, with the zone. */
export function moment(text) {
    const date = new Date(text)
    if (Number.isNaN(date.getTime())) return "–"
    const two = number => String(number).padStart(2, "0")
    const offset = -date.getTimezoneOffset()
    const zone = `UTC${offset < 0 ? "−" : "+"}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(text)} ${zone}`
}

/** To the second, for what happens once a day. */
export const second = text => moment(text).replace(/\.\d{3}/, "")

const short = {
    "text/event-stream": "sse", "application/x-www-form-urlencoded": "form", "multipart/form-data": "multipart",
    "application/javascript": "js", "text/javascript": "js", "application/octet-stream": "binary",
    "application/x-protobuf": "protobuf", "application/protobuf": "protobuf", "application/vnd.google.protobuf": "protobuf",
    "text/plain": "text", "image/svg+xml": "svg", "application/xhtml+xml": "html", "image/x-icon": "ico",
    "image/vnd.microsoft.icon": "ico", "application/vnd.apple.mpegurl": "m3u8", "font/woff2": "woff2",
}

/** `json` for `application/problem+json; charset=utf-8`. */
export function shortType(type) {
    if (!type) return ""
    const plain = mediaType(type)
    if (short[plain]) return short[plain]
    if (plain.startsWith("application/grpc")) return "grpc"
    return plain.split("/").pop().split("+").pop().replace(/^(x-|vnd\.)/, "").slice(0, 24)
}

/** Lower case, without parameters. */
export const mediaType = type => String(type ?? "").split(";")[0].trim().toLowerCase()

/** A parameter of a header's value: `charset` of `text/html; charset="utf-8"`. */
export function parameter(value, name) {
    const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, "i").exec(String(value ?? ""))
    return found ? (found[1]?.replace(/\\(.)/g, "$1") ?? found[2]) : null
}

/** The address without its port. */
export function withoutPort(address) {
    const text = String(address ?? "")
    const ipv6 = /^\[(.*)\](:\d+)?$/.exec(text)
    if (ipv6) return ipv6[1]
    return /^[^:]*:\d+$/.test(text) ? text.slice(0, text.lastIndexOf(":")) : text
}

/** Hex as base64, as pins are written. */
export function base64OfHex(hex) {
    const bytes = String(hex).match(/[0-9a-f]{2}/gi) ?? []
    return btoa(String.fromCharCode(...bytes.map(pair => parseInt(pair, 16))))
}

export function bytesOfBase64(text) {
    try {
        return Uint8Array.from(atob(text), character => character.charCodeAt(0))
    } catch {
        return new Uint8Array()
    }
}
