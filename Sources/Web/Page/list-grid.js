// The list as a grid: what is chosen, how it scrolls, and that nothing moves which is being read.

import { button, el, oncePerFrame } from "./dom.js"
import { drawRow, emptyRow, headRow } from "./list-row.js"
import { clientOf } from "./row-text.js"
import { count } from "./text.js"
import { VirtualRows } from "./virtual-rows.js"
import { onWish, wish } from "./settings.js"

const narrow = matchMedia("(max-width: 699px)")

export class FlowGrid {
    selected = null
    compared = null
    #follow = true
    #unseen = 0
    #clients = new Set()
    #fresh = new Map()
    #inView = false

    /** @param flows what is listed; `choose(id)` was selected, `open(id)` is to be opened */
    constructor(flows, { choose, open }) {
        Object.assign(this, { flows, choose, open })
        this.grid = el("div", {
            role: "grid", class: "grid", tabindex: 0, "aria-label": "Flows", "aria-rowcount": 0, "aria-colcount": 9,
            "aria-multiselectable": "false",
        }, headRow())
        this.newer = button("", () => { this.follow(); this.focus() }, { class: "newer", hidden: true, title: "To the newest (G)" })
        this.element = el("div", { class: "list-frame" }, this.grid, this.newer)
        this.virtual = new VirtualRows({
            scroller: this.grid, height: this.#rowHeight(), make: emptyRow, head: 26,
            draw: (row, index) => this.#draw(row, index), seen: (from, to) => this.#seen(from, to),
        })
        this.draw = oncePerFrame(() => this.#now())
        this.grid.addEventListener("scroll", () => this.#scrolled(), { passive: true })
        this.grid.addEventListener("click", event => this.#clicked(event))
        narrow.addEventListener("change", () => this.#sized())
        onWish(name => { if (name === "compact") this.#sized(); else this.draw() })
        // Only what is still open has a duration that grows.
        setInterval(() => { if (!document.hidden) this.virtual.update() }, 1000)
        new ResizeObserver(() => this.#resized()).observe(this.grid)
    }

    #rowHeight() { return narrow.matches ? 48 : wish("compact") ? 22 : 26 }

    #sized() {
        this.grid.dataset.compact = wish("compact")
        this.virtual.head = narrow.matches ? 0 : 26
        this.virtual.setHeight(this.#rowHeight(), this.#follow)
        this.#resized()
    }

    /** The end stays the end, and the chosen row stays where it can be seen. */
    #resized() {
        if (this.#follow) this.draw()
        else if (this.#inView) this.reveal()
    }

    reveal() {
        const place = this.selected === null ? -1 : this.flows.ids.place(this.selected)
        if (place >= 0 && !this.#follow) this.virtual.show(place)
    }

    /** All is new: another filter, or another start of pinproof. The selection stays where it still is in the list. */
    loaded(sameFilter) {
        this.#unseen = 0
        this.virtual.count = this.flows.ids.count
        const place = this.selected === null ? -1 : this.flows.ids.place(this.selected)
        if (!sameFilter) this.#follow = place < 0
        if (place >= 0 && !this.#follow && !sameFilter) this.virtual.show(place)
        this.draw()
    }

    changed({ moves = [], rows = [] }) {
        if (moves.length && !this.#follow) {
            // What came or went above is made up for, so that the rows that are seen stay under the eye.
            const height = this.virtual.height
            let top = this.virtual.top
            for (const { place, by } of moves) if (place * height < top - (by < 0 ? 1 : 0)) top += by * height
            this.virtual.count = this.flows.ids.count
            if (Math.abs(top - this.virtual.top) > 0.5) this.virtual.top = top
            this.#unseen = Math.max(0, this.#unseen + moves.filter(move => move.by > 0).length)
        }
        const soon = performance.now() + 150
        if (moves.length < 60) for (const { id, by } of moves) if (by > 0) this.#fresh.set(id, soon)
        for (const row of rows) this.#know(row)
        this.draw()
    }

    #know(row) {
        if (this.#clients.size > 1) return
        const client = clientOf(row)
        if (client) this.#clients.add(client)
        if (this.#clients.size > 1) this.element.dataset.clients = "many"
    }

    #now() {
        this.virtual.count = this.flows.ids.count
        this.grid.setAttribute("aria-rowcount", this.virtual.count)
        if (this.#follow && this.virtual.left) this.#follow = false
        // Where all of it is seen there is nothing to let go of.
        const isChosen = this.selected !== null && this.flows.ids.has(this.selected)
        if (!isChosen && this.virtual.whole <= this.virtual.room) this.#follow = true
        if (this.#follow) this.virtual.toEnd()
        else this.virtual.now()
        this.#offer()
    }

    #offer() {
        const hidden = this.#follow || this.virtual.count === 0
        if (this.newer.hidden !== hidden) this.newer.hidden = hidden
        const words = this.#unseen ? `↓ ${count(this.#unseen)} new` : "↓ newest"
        if (this.newer.textContent !== words) this.newer.textContent = words
    }

    #draw(element, index) {
        const id = this.flows.ids.at(index)
        const until = this.#fresh.get(id)
        if (until !== undefined && until < performance.now()) this.#fresh.delete(id)
        drawRow(element, index, id, this.flows.row(id) ?? null, {
            selected: id === this.selected, compared: id === this.compared, span: this.span, fresh: until !== undefined,
        })
    }

    #seen(from, to) {
        const room = Math.ceil(this.virtual.room / this.virtual.height)
        this.flows.want(from - room, to + room)
        this.#spanOf(from, to)
        const active = this.selected !== null && this.flows.ids.place(this.selected)
        this.#inView = active !== false && active >= 0 && this.virtual.shows(active)
        if (active !== false && active >= from && active < to) this.grid.setAttribute("aria-activedescendant", `flow-${this.selected}`)
        else this.grid.removeAttribute("aria-activedescendant")
        if (this.#fresh.size > 200) this.#fresh.clear()
    }

    /** The waterfall's scale: from the first to the last moment of the rows that are seen. */
    #spanOf(from, to) {
        let first = Infinity
        let last = -Infinity
        for (let index = from; index < to; index += 1) {
            const row = this.flows.rowAt(index)
            if (!row) continue
            this.#know(row)
            const began = Date.parse(row.started)
            first = Math.min(first, began)
            // What lasts for minutes, a WebSocket or a tunnel, would leave a dot of everything else.
            const lasts = row.state === "open" || row.messages || row.kind === "websocket" || row.kind === "tunnel"
            last = Math.max(last, began + (lasts ? 1 : row.duration_ms ?? 0))
        }
        const span = first < last ? { first, last } : null
        if (span?.first === this.span?.first && span?.last === this.span?.last) return
        const before = this.span
        this.span = span
        // A new scale is drawn with the next frame, but not for every second that something is open.
        if (!before || before.first !== span?.first) this.virtual.update()
    }

    #scrolled() {
        const follow = this.virtual.follows(this.#follow)
        if (follow) this.#unseen = 0
        if (follow !== this.#follow) {
            this.#follow = follow
            this.#offer()
        }
    }

    follow() {
        this.#follow = true
        this.#unseen = 0
        this.virtual.toEnd()
        this.draw()
    }

    #clicked(event) {
        const row = event.target.closest(".row")
        if (!row) return
        const id = Number(row.id.slice(5))
        this.select(id, { scroll: false })
        this.grid.focus({ preventScroll: true })
        this.open(id)
    }

    select(id, { scroll = true } = {}) {
        this.selected = id
        const place = id === null ? -1 : this.flows.ids.place(id)
        if (place >= 0 && scroll) {
            this.#follow = this.#follow && place === this.flows.ids.count - 1
            this.virtual.show(place)
        } else if (place >= 0) this.#follow = this.#follow && place === this.flows.ids.count - 1
        this.virtual.now()
        this.#offer()
        if (id !== null) this.choose(id)
    }

    /** By so many rows; from nothing, to the first or the last that is seen. */
    move(by) {
        const ids = this.flows.ids
        if (!ids.count) return
        const place = this.selected === null ? -1 : ids.place(this.selected)
        const next = place < 0 ? (by > 0 ? Math.floor(this.virtual.top / this.virtual.height) : Math.floor((this.virtual.top + this.virtual.room) / this.virtual.height) - 1) : place + by
        this.select(ids.at(Math.max(0, Math.min(ids.count - 1, next))))
    }

    page(by) { this.move(by * Math.max(1, Math.floor(this.virtual.room / this.virtual.height) - 1)) }
    toFirst() { if (this.flows.ids.count) this.select(this.flows.ids.at(0)) }

    toLast() {
        if (!this.flows.ids.count) return
        this.#follow = true
        this.virtual.toEnd()
        this.select(this.flows.ids.at(this.flows.ids.count - 1))
    }

    focus() { this.grid.focus({ preventScroll: true }) }
}
