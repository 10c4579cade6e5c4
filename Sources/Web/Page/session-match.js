// Which requests of two sessions belong together, and how they differ.

import { mediaType, shortType, size } from "./text.js"

const pathOf = row => String(row.path ?? "").split("?")[0]
const addressOf = row => `${row.host ?? ""}${row.port && row.port !== (row.scheme === "http" ? 80 : 443) ? `:${row.port}` : ""}${pathOf(row)}`
const methodOf = row => row.method ?? row.kind ?? ""

/**
 * Pairs of rows, `[{name, left, right}]`; what has no partner has one side alone and comes after them.
 *
 * Partners have method and URL in common, those with the same query first, each in its order; then the URL alone.
 */
export function pairsOf(left, right) {
    const pairs = []
    let rest = [left, right]
    for (const key of [row => `${methodOf(row)} ${addressOf(row)} ${row.path}`, row => `${methodOf(row)} ${addressOf(row)}`, addressOf]) {
        const waiting = new Map()
        for (const row of rest[1]) waiting.set(key(row), [...waiting.get(key(row)) ?? [], row])
        for (const list of waiting.values()) list.reverse()
        const alone = []
        const taken = new Set()
        for (const row of rest[0]) {
            const partner = waiting.get(key(row))?.pop()
            if (!partner) { alone.push(row); continue }
            taken.add(partner)
            pairs.push({ name: nameOf(row, partner), left: row, right: partner })
        }
        rest = [alone, rest[1].filter(row => !taken.has(row))]
    }
    pairs.push(...rest[0].map(row => ({ name: nameOf(row), left: row })), ...rest[1].map(row => ({ name: nameOf(row), right: row })))
    const isSingle = pair => !pair.left || !pair.right
    return pairs.sort((a, b) => isSingle(a) - isSingle(b) || (a.left ?? a.right).id - (b.left ?? b.right).id)
}

function nameOf(row, partner = row) {
    const methods = [...new Set([methodOf(row), methodOf(partner)])].join(" / ")
    return `${methods} ${addressOf(row)}`.trim()
}

/** What differs in a pair, `[{what, left, right}]`. Whole flows, where they are there, tell more than rows. */
export function differencesOf({ left, right }, flows = [null, null]) {
    if (!left || !right) return [{ what: left ? "only on the left" : "only on the right" }]
    const [a, b] = [left, right].map((row, index) => factsOf(row, flows[0] && flows[1] ? flows[index] : null))
    const list = []
    for (const what of Object.keys(a)) {
        if (a[what].key === b[what].key) continue
        // Of a body with another size it is plain that its bytes differ.
        if (what.endsWith(" body") && list.some(one => one.what === what.replace(" body", " size"))) continue
        const names = a[what].names && b[what].names
        list.push(names ? { what, left: only(a[what].names, b[what].names), right: only(b[what].names, a[what].names) } : { what, left: a[what].words, right: b[what].words })
    }
    return list
}

const only = (names, others) => names.filter(name => !others.includes(name)).join(", ") || "–"

function factsOf(row, flow) {
    const plain = value => ({ key: String(value ?? "–"), words: String(value ?? "–") })
    const facts = {
        kind: plain(row.kind), status: plain(row.status), state: plain(row.state), failure: plain(row.failure), method: plain(row.method),
        type: { key: mediaType(row.type) || "–", words: shortType(row.type) || "–" },
    }
    if (!flow) return { ...facts, "answer size": { key: String(row.size ?? 0), words: size(row.size ?? 0) } }
    for (const [name, side] of [["request", flow.request], ["answer", flow.response]]) {
        const bytes = side?.body?.size ?? 0
        facts[`${name} size`] = { key: String(bytes), words: exact(bytes) }
        facts[`${name} body`] = { key: side?.body?.sha256 ?? "", words: side?.body?.sha256 ? `SHA-256 ${side.body.sha256.slice(0, 12)}…` : "not kept" }
        facts[`${name} headers`] = named((side?.headers ?? []).map(([header]) => String(header).toLowerCase()))
    }
    facts["query"] = named([...new URLSearchParams(String(row.path ?? "").split("?").slice(1).join("?")).keys()])
    return facts
}

const named = names => {
    const once = [...new Set(names)].sort()
    return { key: once.join("\n"), names: once }
}

/** To the byte where the short form would hide what differs. */
const exact = bytes => bytes < 1024 ? size(bytes) : `${size(bytes)} (${bytes} B)`

/** Where the longest silence ends: the first row of what is likely another session; null where there is none. */
export function afterPause(rows) {
    const sorted = rows.filter(row => row.started).sort((a, b) => a.id - b.id)
    let found = null
    for (let index = 1; index < sorted.length; index += 1) {
        const pause = Date.parse(sorted[index].started) - Date.parse(sorted[index - 1].started)
        if (pause >= 1000 && pause > (found?.pause ?? 0)) found = { row: sorted[index], pause }
    }
    return found
}
