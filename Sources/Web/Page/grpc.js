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
