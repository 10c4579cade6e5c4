// Protocol buffers without their schema: field numbers and wire types are certain, what a field means is guessed.

const names = { 0: "varint", 1: "64-bit", 2: "length", 3: "group", 5: "32-bit" }
/** Guesses go this deep, and a message shows so many fields. */
const deepest = 24
const most = 20_000

/** Reads all fields, or gives null: then these bytes are no message. */
export function protobufFields(bytes, depth = 0, budget = { left: most }) {
    const fields = []
    let at = 0
    while (at < bytes.length) {
        if ((budget.left -= 1) < 0) return null
        const tag = varint(bytes, at)
        if (!tag || tag.value > 0xffffffffn) return null
        at = tag.end
        const field = { number: Number(tag.value >> 3n), wire: names[Number(tag.value & 7n)] }
        if (field.number === 0 || !field.wire || field.wire === "group") return null
        if (field.wire === "varint") {
            const value = varint(bytes, at)
            if (!value) return null
            at = value.end
            field.readings = varintReadings(value.value)
        } else if (field.wire === "length") {
            const length = varint(bytes, at)
            if (!length || length.value > BigInt(bytes.length - length.end)) return null
            at = length.end + Number(length.value)
            Object.assign(field, lengthReading(bytes.subarray(length.end, at), depth, budget))
        } else {
            const width = field.wire === "64-bit" ? 8 : 4
            if (at + width > bytes.length) return null
            field.readings = fixedReadings(bytes.subarray(at, at + width))
            at += width
        }
        fields.push(field)
    }
    return fields
}

function varint(bytes, at) {
    let value = 0n
    for (let index = 0; index < 10 && at + index < bytes.length; index += 1) {
        const byte = bytes[at + index]
        value |= BigInt(byte & 0x7f) << BigInt(7 * index)
        if (byte < 0x80) return value >> 64n ? null : { value, end: at + index + 1 }
    }
    return null
}

function varintReadings(value) {
    const readings = [String(value)]
    if (value >> 63n) readings.push(`int ${BigInt.asIntN(64, value)}`)
    const zigzag = (value >> 1n) ^ -(value & 1n)
    if (zigzag < 0n) readings.push(`sint ${BigInt.asIntN(64, zigzag)}`)
    if (value === 0n || value === 1n) readings.push(value ? "true" : "false")
    return readings
}

function fixedReadings(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const wide = bytes.length === 8
    const float = wide ? view.getFloat64(0, true) : Number(view.getFloat32(0, true).toPrecision(7))
    const whole = wide ? view.getBigUint64(0, true) : BigInt(view.getUint32(0, true))
    const signed = BigInt.asIntN(bytes.length * 8, whole)
    const readings = [`${wide ? "double" : "float"} ${float}`, `fixed ${whole}`]
    if (signed < 0n) readings.push(`sfixed ${signed}`)
    return readings
}

/** A text where it is one that people write, a message where it reads as one, else bytes. */
function lengthReading(bytes, depth, budget) {
    if (!bytes.length) return { text: "" }
    const text = textOf(bytes)
    const nested = depth < deepest ? protobufFields(bytes, depth + 1, budget) : null
    if (nested && (text === null || !/^[\p{L}\p{N}\p{P}\p{S}\p{Zs}\n\r\t]+$/u.test(text))) return { fields: nested }
    return text === null ? { bytes } : { text }
}

function textOf(bytes) {
    try {
        const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
        return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) ? null : text
    } catch {
        return null
    }
}
