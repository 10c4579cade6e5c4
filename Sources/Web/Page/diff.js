// What two texts have in common and where they differ, line by line.

const most = 4000

/** `[{kind: "same" | "left" | "right", text}]`. Very long texts are compared by place beyond the limit. */
export function diffLines(left, right) {
    const a = left.split("\n")
    const b = right.split("\n")
    let begin = 0
    while (begin < a.length && begin < b.length && a[begin] === b[begin]) begin += 1
    let end = 0
    while (end < a.length - begin && end < b.length - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
    const out = a.slice(0, begin).map(text => ({ kind: "same", text }))
    const inner = [a.slice(begin, a.length - end), b.slice(begin, b.length - end)]
    if (inner[0].length * inner[1].length > most * most / 4) {
        out.push(...inner[0].map(text => ({ kind: "left", text })), ...inner[1].map(text => ({ kind: "right", text })))
    } else out.push(...common(...inner))
    out.push(...a.slice(a.length - end).map(text => ({ kind: "same", text })))
    return out
}

/** By the longest common subsequence. */
function common(a, b) {
    const width = b.length + 1
    const longest = new Uint16Array((a.length + 1) * width)
    for (let i = a.length - 1; i >= 0; i -= 1) {
        for (let j = b.length - 1; j >= 0; j -= 1) {
            longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1])
        }
    }
    const out = []
    let i = 0
    let j = 0
    while (i < a.length && j < b.length) {
        if (a[i] === b[j]) {
            out.push({ kind: "same", text: a[i] })
            i += 1
            j += 1
        } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) out.push({ kind: "left", text: a[i++] })
        else out.push({ kind: "right", text: b[j++] })
    }
    while (i < a.length) out.push({ kind: "left", text: a[i++] })
    while (j < b.length) out.push({ kind: "right", text: b[j++] })
    return out
}

/** Two lists of `[name, value]`: by name and how often it came, in the order of the first list. */
export function diffFields(left, right) {
    const numbered = fields => {
        const seen = new Map()
        return fields.map(([name, value]) => {
            const key = name.toLowerCase()
            seen.set(key, (seen.get(key) ?? 0) + 1)
            return [`${key}#${seen.get(key)}`, name, value]
        })
    }
    const rest = new Map(numbered(right).map(one => [one[0], one]))
    const out = numbered(left).map(([key, name, value]) => {
        const other = rest.get(key)
        rest.delete(key)
        return { name, left: value, right: other?.[2], same: value === other?.[2] }
    })
    for (const [, name, value] of rest.values()) out.push({ name, left: undefined, right: value, same: false })
    return out
}
