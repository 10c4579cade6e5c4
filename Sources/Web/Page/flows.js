// The flows of the list: all their numbers, the rows around what is seen, and what changes while one looks.

import * as api from "./api.js"
import { IDs } from "./ids.js"

/** Rows that are kept; a row is some 150 bytes. */
const kept = 6000
/** Numbers that one question may name. */
const batch = 400
/** Milliseconds until a list is asked for again that was not given. */
const retry = 5000
/** Changes that wait; beyond them the list is asked for again. */
const waiting = 20_000

export class Flows {
    ids = new IDs()
    filter = ""
    paused = false
    /** What is held back while paused. */
    held = 0
    #rows = new Map()
    #wanted = new Set()
    #asking = false
    #changed = new Map()
    /** What had changed before the list was asked for that is on its way: the answer has seen it. */
    #seen = new Map()
    #stale = false
    /** Rows that may have changed while nobody told of it. */
    #doubtful = new Set()
    #checking = false
    #timer = 0
    /** What was asked for before it grew is not taken. */
    #generation = 0
    #request = null
    #asked = null
    /** The last list that was asked for was not given. */
    #failed = false
    #listeners = {}

    /** @param listeners `changed({above})` rows or their number; `places` that moved in `moves`; `loaded`; `failed(error)` */
    constructor(listeners) { this.#listeners = listeners }

    row(id) { return this.#rows.get(id) }
    rowAt(index) { return this.#rows.get(this.ids.at(index)) }
    get rows() { return this.#rows.values() }

    /** Asks for the whole list; what was shown stays until the answer is there, and where the filter is wrong. */
    async load(filter) {
        this.#request?.abort()
        const request = this.#request = new AbortController()
        this.#asked = filter
        // Until the answer is there, nothing is put into the list that it replaces.
        for (const [id, row] of this.#changed) this.#seen.set(id, row)
        this.#changed = new Map()
        const wasStale = this.#stale
        this.#stale = false
        try {
            const { ids } = await api.index(filter, request.signal)
            if (request !== this.#request) return false
            this.#asked = null
            this.#failed = false
            this.filter = filter
            this.ids = new IDs(ids)
            for (const [id, row] of [...this.#seen, ...this.#changed]) this.#put(id, row)
            this.#endLoad(!this.paused)
            this.#listeners.loaded()
            return true
        } catch (error) {
            if (request === this.#request) {
                this.#asked = null
                this.#stale ||= wasStale
                this.#failed = true
                this.#endLoad(true)
            } else if (wasStale) this.#stale = true
            if (error.name !== "AbortError") this.#listeners.failed(error, filter)
            return false
        }
    }

    /** @param again what was seen before the question is asked about again, too: the answer may be older than what was heard. */
    #endLoad(again) {
        if (again) for (const [id, row] of this.#seen) if (!this.#changed.has(id)) this.#changed.set(id, row)
        this.#seen = new Map()
        this.held = this.paused ? this.#changed.size : 0
        this.#plan()
    }

    /** Again, with the filter that is being asked for or in force. */
    reload() {
        for (const id of this.#rows.keys()) this.#doubtful.add(id)
        return this.load(this.#asked ?? this.filter)
    }

    /** What was fetched before secrets were hidden, or shown again, is fetched anew. */
    forget() {
        this.#generation += 1
        this.#rows.clear()
        this.#changed.clear()
        this.#seen.clear()
        this.#stale = true
        this.#plan()
    }

    /** Rows of an event. */
    hear(rows) {
        for (const row of rows) {
            if (!this.#changed.has(row.id) && this.#changed.size >= waiting) {
                this.#stale = true
                break
            }
            this.#changed.set(row.id, row)
        }
        if (this.paused) {
            this.held = this.#changed.size
            this.#listeners.changed({})
        } else this.#plan()
    }

    pause(on) {
        this.paused = on
        if (on) return
        this.held = 0
        if (this.#stale) this.reload()
        else this.#plan()
    }

    /** The rows from one place to another will be shown: those that are missing are fetched. */
    want(from, to) {
        this.#wanted.clear()
        for (const id of this.ids.slice(from, to)) if (!this.#rows.has(id) || this.#doubtful.has(id)) this.#wanted.add(id)
        this.#ask()
    }

    async #ask() {
        if (this.#asking || !this.#wanted.size) return
        this.#asking = true
        const ids = [...this.#wanted].slice(0, batch)
        const generation = this.#generation
        try {
            const rows = await api.rows(ids)
            for (const row of generation === this.#generation ? rows : []) {
                this.#wanted.delete(row.id)
                if (!this.#changed.has(row.id) && !this.#seen.has(row.id)) this.#put(row.id, row)
            }
            // What is gone meanwhile is not asked for again.
            for (const id of ids) {
                this.#wanted.delete(id)
                this.#doubtful.delete(id)
            }
            this.#listeners.changed({})
        } catch {
            this.#wanted.clear()
        }
        this.#asking = false
        this.#ask()
    }

    #put(id, row) {
        this.#rows.delete(id)
        this.#rows.set(id, row)
        this.#doubtful.delete(id)
        if (this.#rows.size > kept) this.#rows.delete(this.#rows.keys().next().value)
    }

    #plan() {
        if (this.#timer || this.paused) return
        this.#timer = setTimeout(() => {
            this.#timer = 0
            this.#apply()
        }, this.#stale && this.#failed ? retry : 50)
    }

    async #apply() {
        if (this.paused || this.#checking || this.#asked !== null) return
        if (this.#stale) return void this.reload()
        if (!this.#changed.size) return
        const part = new Map([...this.#changed].slice(0, this.filter ? batch : waiting))
        let matching = part
        if (this.filter) {
            const { filter } = this
            const request = this.#request
            const generation = this.#generation
            this.#checking = true
            try {
                matching = new Set(await api.matching(filter, [...part.keys()]))
            } catch {
                this.#checking = false
                setTimeout(() => this.#plan(), 500)
                return
            }
            this.#checking = false
            if (request !== this.#request || generation !== this.#generation || this.paused) return this.#plan()
        }
        const moves = []
        for (const [id, row] of part) {
            if (this.#changed.get(id) === row) this.#changed.delete(id)
            this.#put(id, row)
            const place = matching.has(id) ? this.ids.put(id) : this.ids.take(id)
            if (place >= 0) moves.push({ place, by: matching.has(id) ? 1 : -1, id })
        }
        this.#listeners.changed({ moves, rows: [...part.values()] })
        if (this.#stale || this.#changed.size) this.#plan()
    }
}
