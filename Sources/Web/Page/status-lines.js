// The line at the bottom, and the calm one at the top when pinproof is gone.

import { el, fill } from "./dom.js"
import { count, duration, size } from "./text.js"
import { cut } from "./signs.js"

export class StatusLines {
    /** @param footer where the line goes; `beside` are put at its end */
    constructor(footer, connection, beside) {
        this.connection = connection
        this.words = el("span", { role: "status", class: "status-words", "aria-live": "off" })
        fill(footer, this.words, ...beside)
        this.shown = ""
    }

    /** @param summary bytes and durations of what is listed, where they are known */
    draw({ listed, filter, status, seen, held, paused, reach, summary }) {
        const parts = []
        if (listed === null) parts.push("loading…")
        const total = Math.max(status?.flows ?? 0, seen ?? 0, listed)
        if (listed !== null) parts.push(filter ? `${count(listed)} of ${count(total)} flows` : `${count(listed)} flows`)
        if (summary && listed) parts.push(size(summary.bytes))
        if (summary?.p95 !== undefined && listed) parts.push(`p95 ${duration(summary.p95)}`)
        if (paused) parts.push(held ? `paused, ${count(held)} held back` : "paused")
        else if (reach === true) parts.push(status?.fault ? `not recording: ${cut(status.fault, 120)}` : status?.recording === false ? "not recording" : "recording")
        if (status) parts.push(`${count(status.dropped ?? 0)} dropped`)
        const text = parts.join(" · ")
        if (text !== this.shown) this.words.textContent = this.shown = text
        this.#reach(reach)
    }

    #reach(reach) {
        if (reach === this.reach) return
        this.reach = reach
        document.body.dataset.reach = String(reach)
        this.connection.hidden = reach === true
        this.connection.textContent = reach === "unknown"
            ? "pinproof was started anew and does not know this page: open the link that pinproof printed."
            : reach === false ? "pinproof stopped. What is shown stays; it goes on by itself when it is back." : ""
    }
}
