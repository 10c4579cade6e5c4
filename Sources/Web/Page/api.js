// pinproof's API: every question of this page goes through here.

import { wish } from "./settings.js"

/** What the API answered in place of what was asked for, as a problem document says it. */
export class Problem extends Error {
    constructor(status, document = {}) {
        super(document.detail ?? document.title ?? `pinproof answered ${status}`)
        this.status = status
        this.column = document.column
        this.length = document.length
        this.suggestion = document.suggestion
    }
}

/** Told of whether pinproof answers: `true`, `false`, or `"unknown"` where it does not know this browser any more. */
let told = () => {}
export const onReach = listener => { told = listener }
export const reached = how => told(how)

async function ask(path, options = {}) {
    let answer
    try {
        answer = await fetch(path, { cache: "no-store", credentials: "same-origin", redirect: "error", ...options })
    } catch (error) {
        if (error.name !== "AbortError") told(false)
        throw error
    }
    if (answer.ok) return answer
    if (answer.status === 401 || answer.status === 403) told("unknown")
    let document = {}
    // What is not from this API says enough by its status.
    try { document = await answer.json() } catch (error) { if (error.name === "AbortError") throw error }
    throw new Problem(answer.status, document)
}

function address(path, query) {
    const words = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== "")
    return words.length ? `${path}?${new URLSearchParams(words)}` : path
}

const json = async (path, query, options) => (await ask(address(path, query), options)).json()

const send = (method, path, value) => json(path, null, {
    method, headers: { "content-type": "application/json" }, body: JSON.stringify(value),
})

export const status = () => json("/api/status")
export const stats = filter => json("/api/stats", { filter })
export const index = (filter, signal) => json("/api/index", { filter }, { signal })
export const matching = async (filter, ids) => (await json("/api/index", { filter, ids: ids.join(",") })).ids

/** While secrets are hidden they do not come here at all: pinproof leaves out what its exports leave out. */
const asShown = options => wish("present") ? { ...options, headers: { "pinproof-redact": "1" } } : options

export const rows = async (ids, signal) => (await json("/api/flows", { ids: ids.join(","), view: "row" }, asShown({ signal }))).flows
export const page = query => json("/api/flows", query, asShown({}))
export const flow = (id, signal) => json(`/api/flows/${Number(id)}`, null, asShown({ signal }))
export const messages = (id, after, signal) => json(`/api/flows/${Number(id)}/messages`, { after, limit: 200 }, asShown({ signal }))
export const remove = async filter => (await json("/api/flows", { filter }, { method: "DELETE" })).deleted
export const note = (id, mark, comment) => send("POST", `/api/flows/${Number(id)}`, { mark, comment })
export const treat = (host, action) => send("POST", "/api/hosts", { host, action })
export const runs = async () => (await json("/api/runs")).runs
export const run = name => json(`/api/runs/${encodeURIComponent(name)}`)

export const bodyAddress = (id, side, raw, part) => `/api/flows/${Number(id)}/${side === "request" ? "request" : "response"}/body${raw ? "?raw=1" : part ? "?part=1" : ""}`
export const exportAddress = (filter, format, secrets) => address("/api/export", { filter, format, secrets: secrets ? 1 : 0 })
export const exported = async (filter, format, secrets) => (await ask(exportAddress(filter, format, secrets))).text()

/** A body's bytes, at most so many; `whole` is false where there are more, null where none are kept. */
export async function body(id, side, { raw = false, part = false, limit = 8 << 20, signal } = {}) {
    let answer
    try {
        answer = await ask(bodyAddress(id, side, raw, part), asShown({ signal }))
    } catch (error) {
        if (error.status === 404) return null
        throw error
    }
    const reader = answer.body.getReader()
    const parts = []
    let length = 0
    while (length < limit) {
        const { done, value } = await reader.read()
        if (done) return { bytes: joined(parts, length), whole: true }
        parts.push(value)
        length += value.length
    }
    const { done } = await reader.read()
    reader.cancel()
    return { bytes: joined(parts, length), whole: done }
}

function joined(parts, length) {
    const all = new Uint8Array(length)
    let at = 0
    for (const part of parts) {
        all.set(part, at)
        at += part.length
    }
    return all
}
