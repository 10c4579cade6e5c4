// XML and HTML as coloured pieces of text: it is looked at and never becomes a page.

const piece = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[?!][^>]*>?|<\/?[^\s<>/]+(?:"[^"]*"|'[^']*'|[^>"'])*>?|[^<]+|</g
const never = new Set("area base br col embed hr img input link meta source track wbr".split(" "))
const most = 100_000

/** `[{kind: "comment" | "data" | "tag" | "text", text}]`, nothing lost. */
export function markupPieces(text) {
    const pieces = []
    for (const [found] of text.matchAll(piece)) {
        const kind = found.startsWith("<!--") ? "comment" : found.startsWith("<![") ? "data" : found.length > 1 && found[0] === "<" ? "tag" : "text"
        pieces.push({ kind, text: found })
        if (pieces.length >= most) {
            const length = pieces.reduce((sum, one) => sum + one.text.length, 0)
            pieces.push({ kind: "text", text: text.slice(length) })
            break
        }
    }
    return pieces
}

/** The same, one element a line, for XML that came in one line. What has its own lines keeps them. */
export function markupLines(text, html) {
    const pieces = markupPieces(text)
    if (html || text.trim().split("\n").length > 4) return pieces
    const laid = []
    let depth = 0
    let open = false
    for (const one of pieces) {
        if (one.kind === "text" && !one.text.trim()) continue
        const closing = one.kind === "tag" && one.text.startsWith("</")
        const single = one.kind === "tag" && (/^<[?!]/.test(one.text) || one.text.endsWith("/>") || never.has(one.text.slice(1).split(/[\s>/]/)[0]))
        if (closing) depth = Math.max(0, depth - 1)
        const inline = one.kind === "text" || (closing && open)
        if (!inline && laid.length) laid.push({ kind: "text", text: `\n${"  ".repeat(Math.min(depth, 40))}` })
        laid.push(one)
        open = one.kind === "text" || (one.kind === "tag" && !closing && !single)
        if (one.kind === "tag" && !closing && !single) depth += 1
    }
    return laid
}
