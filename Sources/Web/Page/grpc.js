// gRPC's frames in a body: one byte that says whether it is compressed, four of length, the message.

/** `{messages: [{compressed, trailer, bytes}], rest}`: what is left over did not come whole. */
export function grpcMessages(bytes) {
    const messages = []
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    let at = 0
    while (at + 5 <= bytes.length && messages.length < 10_000) {
        const flags = bytes[at]
        const length = view.getUint32(at + 1)
        if ((flags & 0x7e) !== 0 || at + 5 + length > bytes.length) break
        messages.push({ compressed: (flags & 1) === 1, trailer: (flags & 0x80) !== 0, bytes: bytes.subarray(at + 5, at + 5 + length) })
        at += 5 + length
    }
    return { messages, rest: bytes.subarray(at) }
}

/** gRPC-Web's text form is base64, perhaps of several pieces. */
export function grpcWebText(text) {
    const pieces = text.replace(/\s+/g, "").match(/[^=]+=*/g) ?? []
    try {
        const parts = pieces.map(piece => atob(piece))
        return Uint8Array.from(parts.join(""), character => character.charCodeAt(0))
    } catch {
        return null
    }
}

/** How a gRPC call ended: the HTTP status is 200 also where it failed. */
const statusNames = ["OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"]

/** `{code, name, message}` from the trailers, or from the headers where there was nothing else; null where it is not said. */
export function grpcStatus(flow) {
    const fields = [...(flow.response?.trailers ?? []), ...(flow.response?.headers ?? [])]
    const value = name => fields.find(([other]) => other.toLowerCase() === name)?.[1]
    const status = value("grpc-status")
    if (!/^\d{1,9}$/.test(status ?? "")) return null
    const code = Number(status)
    return { code, name: statusNames[code] ?? "", message: percentDecoded(value("grpc-message") ?? "") }
}

/** `gRPC status 5 NOT_FOUND: no such user`. */
export const grpcWords = ({ code, name, message }) => `gRPC status ${code}${name ? ` ${name}` : ""}${message ? `: ${message}` : ""}`

/** Wrong escapes stay as they are, as gRPC asks for. */
const percentDecoded = text => text.replace(/(?:%[0-9a-f]{2})+/gi, run => new TextDecoder().decode(Uint8Array.from(run.match(/[0-9a-f]{2}/gi), pair => parseInt(pair, 16))))
