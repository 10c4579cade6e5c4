// Bytes as lines of hex and of letters, sixteen a line.

const two = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** One line, from a multiple of sixteen on: offset, bytes in two groups of eight, and the letters that ASCII has. */
export function hexLine(bytes, from) {
    let hex = ""
    let letters = ""
    for (let index = from; index < from + 16; index += 1) {
        if (index === from + 8) hex += " "
        if (index < bytes.length) {
            hex += `${two[bytes[index]]} `
            letters += bytes[index] >= 0x20 && bytes[index] < 0x7f ? String.fromCharCode(bytes[index]) : "·"
        } else hex += "   "
    }
    return `${from.toString(16).padStart(8, "0")}  ${hex} ${letters}`
}

export function hexLines(bytes, from = 0, to = bytes.length) {
    const lines = []
    for (let at = from; at < to; at += 16) lines.push(hexLine(bytes, at))
    return lines
}

/** Without offsets, for few bytes in a line. */
export const hexOf = bytes => Array.from(bytes, byte => two[byte]).join(" ")
