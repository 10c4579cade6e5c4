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

/** The same, one element a line (of HTML, one block), for what came in one line. What has its own lines keeps them. */
export function markupLines(text, html) {
    const pieces = markupPieces(text)
    if (text.trim().split("\n").length > 4) return pieces
    return html ? htmlLines(pieces) : xmlLines(pieces)
}

const indent = depth => ({ kind: "text", text: `\n${"  ".repeat(Math.min(depth, 40))}` })
const nameOf = tag => tag.text.replace(/^<\/?/, "").split(/[\s>/]/)[0].toLowerCase()
const isSingle = one => /^<[?!]/.test(one.text) || one.text.endsWith("/>") || never.has(nameOf(one))

function xmlLines(pieces) {
    const laid = []
    let depth = 0
    let open = false
    for (const one of pieces) {
        if (one.kind === "text" && !one.text.trim()) continue
        const closing = one.kind === "tag" && one.text.startsWith("</")
        const single = one.kind === "tag" && isSingle(one)
        if (closing) depth = Math.max(0, depth - 1)
        const inline = one.kind === "text" || (closing && open)
        if (!inline && laid.length) laid.push(indent(depth))
        laid.push(one)
        open = one.kind === "text" || (one.kind === "tag" && !closing && !single)
        if (one.kind === "tag" && !closing && !single) depth += 1
    }
    return laid
}

const blocks = new Set(("html head body title base link meta script style noscript template div p ul ol li dl dt dd table caption thead tbody tfoot tr td th section article "
    + "header footer nav main aside h1 h2 h3 h4 h5 h6 form fieldset select option pre blockquote figure figcaption hr iframe dialog details summary svg").split(" "))
/** What is inside them is text, or has its own spaces. */
const kept = new Set("script style pre textarea".split(" "))

/** Deeper ones are looked for at every end, and nobody reads so far to the right. */
const deepest = 200
/** Their end may be left out before another one of them (HTML, 13.1.2.4). */
const unended = new Set("li p dt dd tr td th option".split(" "))

/** Blocks begin lines of their own, where a browser shows no space either; what stands within a line stays there. */
function htmlLines(pieces) {
    const laid = []
    const around = []
    let inside = null
    let fresh = false
    for (const one of pieces) {
        const name = one.kind === "tag" && !one.text.startsWith("<!") ? nameOf(one) : null
        const closing = one.text.startsWith("</")
        const isBlock = blocks.has(name)
        if (inside !== null && !(closing && name === inside)) {
            laid.push(one)
            continue
        }
        if (isBlock && closing && around.includes(name)) around.length = around.lastIndexOf(name)
        else if (isBlock && !closing && unended.has(name) && around.at(-1) === name) around.pop()
        // An element without blocks in it ends on the line on which it began; what has its own spaces is given none.
        if (isBlock && laid.length && !(closing && (fresh || inside !== null))) laid.push(indent(around.length))
        laid.push(one)
        if (isBlock) fresh = !closing
        inside = !closing && kept.has(name) && !one.text.endsWith("/>") ? name : null
        if (isBlock && !closing && !isSingle(one) && around.length < deepest) around.push(name)
    }
    return laid
}
