// JSON by token: numbers, duplicate keys and order survive as they were written, which JSON.parse would lose.

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const word = /true|false|null/y
const space = /[ \t\r\n]*/y

/** Deeper nesting is shown as text: nobody writes it for a reader. */
const deepest = 200

/** What is wrong with a text, and where. */
export class JSONFault extends Error {
    /** `isTooDeep`: it may be JSON all the same. */
    constructor(at, why, isTooDeep = false) {
        super(why)
        this.at = at
        this.isTooDeep = isTooDeep
    }
}

/**
 * The tree of a text: `{kind: "object" | "array", members: [{key?, value}]}` or
 * `{kind: "string" | "number" | "word", text}`, with every text as it stands in the source, quotes included.
 */
export function jsonTree(text) {
    let at = text.charCodeAt(0) === 0xfeff ? 1 : 0

    function take(pattern) {
        pattern.lastIndex = at
        const found = pattern.exec(text)
        if (!found) return null
        at = pattern.lastIndex
        return found[0]
    }

    function fault(wanted) {
        const found = at < text.length ? `“${text.slice(at, at + 12)}”` : "the end"
        throw new JSONFault(at, `${wanted} is missing before ${found}`)
    }

    function value(depth) {
        take(space)
        const first = text[at]
        if (first === "{" || first === "[") {
            if (depth >= deepest) throw new JSONFault(at, `nested deeper than ${deepest}`, true)
            return first === "{" ? object(depth) : array(depth)
        }
        const quoted = first === "\"" ? take(string) : null
        if (quoted !== null) return { kind: "string", text: quoted }
        const digits = take(number)
        if (digits !== null) return { kind: "number", text: digits }
        const named = take(word)
        if (named !== null) return { kind: "word", text: named }
        fault("a value")
    }

    function object(depth) {
        const members = []
        at += 1
        take(space)
        if (text[at] === "}") {
            at += 1
            return { kind: "object", members }
        }
        for (;;) {
            take(space)
            const key = take(string)
            if (key === null) fault("a key")
            take(space)
            if (text[at] !== ":") fault("a colon")
            at += 1
            members.push({ key, value: value(depth + 1) })
            take(space)
            if (text[at] === ",") { at += 1; continue }
            if (text[at] !== "}") fault("a comma or }")
            at += 1
            return { kind: "object", members }
        }
    }

    function array(depth) {
        const members = []
        at += 1
        take(space)
        if (text[at] === "]") {
            at += 1
            return { kind: "array", members }
        }
        for (;;) {
            members.push({ value: value(depth + 1) })
            take(space)
            if (text[at] === ",") { at += 1; continue }
            if (text[at] !== "]") fault("a comma or ]")
            at += 1
            return { kind: "array", members }
        }
    }

    const tree = value(0)
    take(space)
    if (at < text.length) fault("the end")
    return tree
}

/** The values of a text with one JSON value a line; null where it is none. */
export function jsonLines(text) {
    const lines = text.split("\n").filter(line => line.trim())
    if (lines.length < 2) return null
    try {
        return { kind: "array", lines: true, members: lines.map(line => ({ value: jsonTree(line) })) }
    } catch {
        return null
    }
}

/** What a quoted token says. */
export function jsonText(token) {
    try { return JSON.parse(token) } catch { return token.slice(1, -1) }
}

/** The tree as text again, two spaces a step. */
export function jsonPretty(tree, indent = "") {
    if (!tree.members) return tree.text
    const [open, close] = tree.kind === "object" ? "{}" : "[]"
    if (!tree.members.length) return open + close
    const inner = `${indent}  `
    const lines = tree.members.map(({ key, value }) => `${inner}${key === undefined ? "" : `${key}: `}${jsonPretty(value, inner)}`)
    return `${open}\n${lines.join(",\n")}\n${indent}${close}`
}
