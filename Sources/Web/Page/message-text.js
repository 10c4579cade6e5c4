// One message in a line, and which messages a few words mean.

import { cut } from "./signs.js"
import { shownText } from "./redact.js"
import { bytesOfBase64 } from "./text.js"
import { hexOf } from "./hex.js"

export const messageBytes = message => message.base64 !== undefined ? bytesOfBase64(message.base64) : new TextEncoder().encode(message.data ?? "")

export function messageLine(message) {
    if (message.data !== undefined) return cut(shownText(message.data.slice(0, 400)), 300)
    if (message.base64 === undefined) return ""
    const bytes = bytesOfBase64(message.base64.slice(0, 64))
    return hexOf(bytes) + (message.size > bytes.length ? " …" : "")
}

/** Every word has to be in it; `from:` and `type:` look at what it is. */
export function matchingMessages(messages, words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
    if (!wanted.length) return messages
    return messages.filter(message => wanted.every(word => {
        const without = word.length > 1 && word.startsWith("-")
        const plain = without ? word.slice(1) : word
        const fits = plain.startsWith("from:") ? message.from.startsWith(plain.slice(5))
            : plain.startsWith("type:") ? message.type.startsWith(plain.slice(5))
                : (message.data ?? "").toLowerCase().includes(plain)
        return fits !== without
    }))
}
