// Bytes and durations of what is listed, for the line at the bottom.

import * as api from "./api.js"

/** Flows up to which it is asked: the store looks at each of them. */
const most = 50_000
/** Milliseconds between two questions at least, and in proportion to what the last one took. */
const pause = 5000
const share = 20

export class Summary {
    /** @param changed called when there is something new to show */
    constructor(changed) {
        this.changed = changed
        this.known = null
        this.wanted = null
        this.next = 0
        this.timer = null
        this.running = false
    }

    /** `{bytes, p95}` of what is listed now, or null. */
    of(filter) { return this.known?.filter === filter ? this.known : null }

    /** Told of what is listed, as often as one likes. */
    see(filter, count) {
        const same = this.wanted?.filter === filter && this.wanted.count === count
        if (same || !count || count > most) return
        if (this.wanted?.filter !== filter) this.next = Math.min(this.next, Date.now() + 300)
        this.wanted = { filter, count }
        this.#plan()
    }

    #plan() {
        clearTimeout(this.timer)
        if (!this.running) this.timer = setTimeout(() => this.#ask(), Math.max(300, this.next - Date.now()))
    }

    async #ask() {
        if (document.hidden) return void (this.wanted = null)
        const { filter, count } = this.wanted
        const began = Date.now()
        this.running = true
        try {
            const { all } = await api.stats(filter)
            this.known = { filter, bytes: all.request_bytes + all.response_bytes, p95: all.p95_ms }
            this.changed()
        } catch { /* a wrong filter, or pinproof has gone: others say so */ }
        this.running = false
        this.next = Date.now() + Math.max(pause, (Date.now() - began) * share)
        if (this.wanted && (this.wanted.filter !== filter || this.wanted.count !== count)) this.#plan()
    }
}
