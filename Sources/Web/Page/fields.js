// Name and value lines: of a query, and of a form that came as application/x-www-form-urlencoded.

/** `[[name, value]]` in their order, duplicates apart; what cannot be decoded stays as it is. */
export function fieldsOf(text) {
    if (!text) return []
    return text.split("&").filter(Boolean).slice(0, 5000).map(pair => {
        const equals = pair.indexOf("=")
        return equals < 0 ? [decoded(pair), ""] : [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))]
    })
}

function decoded(text) {
    const spaced = text.replace(/\+/g, " ")
    try {
        return decodeURIComponent(spaced)
    } catch {
        return spaced
    }
}

/** Between `?` and `#`. */
export function queryOf(url) {
    const text = String(url ?? "")
    const from = text.indexOf("?")
    if (from < 0) return ""
    const to = text.indexOf("#", from)
    return text.slice(from + 1, to < 0 ? undefined : to)
}

/** The cookies of a request's `Cookie`. */
export function cookiesOf(value) {
    return String(value).split(/;\s*/).filter(Boolean).map(pair => {
        const equals = pair.indexOf("=")
        return equals < 0 ? ["", pair] : [pair.slice(0, equals), pair.slice(equals + 1)]
    })
}
