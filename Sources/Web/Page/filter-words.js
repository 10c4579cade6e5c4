// The words of the filter language, for completion and help; what they mean is the server's to say.

export const keys = [
    ["host", "host:api.example.com", "name of the server, * for any letters"],
    ["path", "path:/v1/*", "path, with or without its query"],
    ["url", "url:login", "a part of the URL"],
    ["status", "status:4xx", "404, 4xx, >=400, 200..299"],
    ["method", "method:POST,PUT", "of the request"],
    ["type", "type:json", "media type of the answer"],
    ["is", "is:failed", "failed, open, aborted, tunnel, …"],
    ["kind", "kind:websocket", "http, websocket, raw, tunnel, failure"],
    ["header", "header:x-a=b", "a header of either side, with a value"],
    ["req.header", "req.header:cookie", "a header of the request"],
    ["res.header", "res.header:set-cookie", "a header of the answer"],
    ["body", "body:\"token\"", "text or /regex/ in a body"],
    ["req.body", "req.body:\"token\"", "text or /regex/ in the request's body"],
    ["res.body", "res.body:/id=\\d+/", "text or /regex/ in the answer's body"],
    ["dur", "dur:>500ms", "how long it took"],
    ["size", "size:>1M", "bytes of the answer's body"],
    ["req.size", "req.size:>10K", "bytes of the request's body"],
    ["messages", "messages:>10", "of WebSocket, events, gRPC"],
    ["client", "client:pixel-8", "name or address of the client"],
    ["failure", "failure:client-refused-certificate", "why it failed"],
    ["tag", "tag:graphql:Login", "what pinproof recognised"],
    ["scheme", "scheme:http", "http or https"],
    ["port", "port:8443", "of the server"],
    ["tls", "tls:1.2", "version with the client"],
    ["alpn", "alpn:h2", "protocol with the client"],
    ["ja4", "ja4:t13d*", "fingerprint of the client's hello"],
    ["connection", "connection:317", "number of the connection"],
    ["id", "id:1000..1100", "number of the flow"],
    ["after", "after:2026-01-01T10:00", "began at or after"],
    ["before", "before:10m", "began before"],
    ["filter", "filter:errors", "a saved filter, by its name"],
    ["mark", "mark:*", "what somebody marked"],
    ["comment", "comment:\"a b\"", "what somebody wrote"],
]

const fixed = {
    is: ["failed", "open", "complete", "aborted", "tunnel", "redirect", "cached", "graphql", "grpc", "sse"],
    kind: ["http", "websocket", "raw", "tunnel", "failure"],
    method: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"],
    scheme: ["https", "http"],
    status: ["2xx", "3xx", "4xx", "5xx", ">=400", "404"],
    type: ["json", "html", "javascript", "css", "image/*", "xml"],
    tls: ["1.3", "1.2", "1.1", "1.0"],
    alpn: ["h2", "http/1.1"],
    dur: [">100ms", ">500ms", ">1s"],
    size: [">10K", ">100K", ">1M"],
    mark: ["*", "red", "amber", "green", "blue"],
    before: ["10m", "1h", "1d"],
    after: ["10m", "1h", "1d"],
    failure: ["client-refused-certificate", "client-closed-after-handshake", "client-gone", "client-not-tls",
        "client-no-common-parameters", "origin-unreachable", "origin-name-not-found", "origin-refused", "origin-certificate",
        "origin-closed", "origin-reset", "origin-timeout", "proxy-limit", "proxy-loop", "proxy-forbidden"],
}

/** Where the word under the caret begins and ends, without the signs that may stand before it. */
export function wordAt(text, caret) {
    let quoted = false
    let from = 0
    for (let index = 0; index < caret; index += 1) {
        if (text[index] === "\"") quoted = !quoted
        else if (!quoted && /[\s()]/.test(text[index])) from = index + 1
    }
    if (text[from] === "-") from += 1
    let to = caret
    while (to < text.length && !/[\s()]/.test(text[to])) to += 1
    return { from, to, word: text.slice(from, caret) }
}

/**
 * What may stand in place of the word under the caret: `[{text, label, help, from, to, open}]`; `open` wants a value yet.
 * `seen(key)` gives the values that were seen in the list.
 */
export function completions(text, caret, seen = () => []) {
    const { from, to, word } = wordAt(text, caret)
    const colon = word.indexOf(":")
    if (colon < 0) {
        const begun = word.toLowerCase()
        if (!begun && text.slice(0, caret).trim() && !/[\s(]$/.test(text.slice(0, caret))) return []
        const fits = keys.filter(([key]) => key.startsWith(begun))
        const parts = begun.length > 1 ? keys.filter(([key]) => !key.startsWith(begun) && key.includes(begun)) : []
        return [...fits, ...parts].map(([key, example, help]) => ({ text: `${key}:`, label: `${key}:`, help: `${help} · ${example}`, from, to, open: true }))
    }
    const key = word.slice(0, colon).toLowerCase()
    const comma = word.lastIndexOf(",")
    const start = comma > colon ? comma + 1 : colon + 1
    const begun = word.slice(start).replace(/^"/, "").toLowerCase()
    const values = [...new Set([...seen(key), ...(fixed[key] ?? [])])]
    const list = values.filter(value => value.toLowerCase().includes(begun) && value.toLowerCase() !== begun)
    list.sort((a, b) => b.toLowerCase().startsWith(begun) - a.toLowerCase().startsWith(begun))
    return list.slice(0, 12).map(value => ({ text: quoted(value), label: `${word.slice(0, start)}${value}`, help: "", from: from + start, to, open: false }))
}

/** Whether somebody is in the middle of a term: a known key, and no value yet. */
export function isBegun(text) {
    const key = /(?:^|[\s(])-?([a-z.]+):$/i.exec(text)?.[1].toLowerCase()
    return keys.some(([known]) => known === key)
}

/** A value as it has to be written. */
export function quoted(value) {
    const text = String(value)
    return text === "" || /[\s"()]|^[-/]/.test(text) ? `"${text.replace(/(["\\])/g, "\\$1")}"` : text
}

/** The text with one completion taken, and where the caret goes. */
export function complete(text, choice) {
    const end = choice.open ? "" : /^\s/.test(text.slice(choice.to)) ? "" : " "
    const before = text.slice(0, choice.from) + choice.text + end
    return { text: before + text.slice(choice.to), caret: before.length }
}

const bare = term => term.replace(/^-/, "")

/** Whether a term stands by itself in the filter, and is asked for. */
export const hasTerm = (filter, term) => termsOf(filter).some((one, at, all) => one === term && all[at - 1]?.toLowerCase() !== "not")

/** The words of a filter, quotes kept together. */
export const termsOf = filter => filter.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g) ?? []

/** The filter without a term and its opposite, and without the `or`, `and` and `not` that would have nothing to join. */
function without(filter, term) {
    const rest = []
    for (const one of termsOf(filter)) {
        const isJoin = /^(or|and)$/i.test(one)
        const isGone = bare(one) === bare(term)
        if ((isJoin || isGone) && /^not$/i.test(rest.at(-1) ?? "")) rest.pop()
        if (!isGone && !(isJoin && (!rest.length || /^(or|and)$/i.test(rest.at(-1))))) rest.push(one)
    }
    while (/^(or|and|not)$/i.test(rest.at(-1) ?? "")) rest.pop()
    return rest.join(" ")
}

/** Puts a term in, in place of its opposite; takes it out where it is there already. */
export function toggleTerm(filter, term) {
    return hasTerm(filter, term) ? without(filter, term) : addTerm(filter, term)
}

/** Adds a term, once. Where `or` stands in the filter, the rest goes into parentheses: what is added holds for all of it. */
export function addTerm(filter, term) {
    if (isEither(filter)) return `(${filter}) ${term}`
    if (hasTerm(filter, term)) return filter
    const rest = without(filter, term)
    return rest ? `${rest} ${term}` : term
}

/** Whether `or` joins parts of it, and not only what is in parentheses or quotes. */
function isEither(filter) {
    const text = filter.replace(/"(?:[^"\\]|\\.)*"/g, quote => "x".repeat(quote.length))
    let depth = 0
    let outside = ""
    for (const one of text) {
        if (one === "(") depth += 1
        outside += depth ? " " : one
        if (one === ")") depth = Math.max(0, depth - 1)
    }
    return /(^|\s)or(\s|$)/i.test(outside)
}

/** Columns count code points; a text field counts UTF-16. */
export function unitsOf(text, column, length = 1) {
    const points = [...text]
    const from = points.slice(0, column - 1).join("").length
    return { from, to: from + Math.max(1, points.slice(column - 1, column - 1 + length).join("").length) }
}
