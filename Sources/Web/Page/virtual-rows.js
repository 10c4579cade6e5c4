// A scroller that has elements only for what is seen, for any number of rows of one height.

import { oncePerFrame } from "./dom.js"

/** Browsers end elements at some 17 million pixels; beyond this the scroll position stands for a part of the list. */
const tallest = 15_000_000

export class VirtualRows {
    count = 0
    #height
    #rows = []
    #settled = 0
    #scrolled = 0

    /**
     * @param scroller what scrolls; its first child, if any, stays at the top
     * @param make gives a new row's element
     * @param draw `(element, index)` fills it; called for every row that is seen, so it compares before it writes
     * @param seen `(from, to)` after drawing
     */
    constructor({ scroller, height, make, draw, seen = () => {}, head = 0 }) {
        Object.assign(this, { scroller, make, draw, seen, head })
        this.#height = height
        this.space = document.createElement("div")
        this.space.className = "space"
        this.space.setAttribute("role", "presentation")
        scroller.append(this.space)
        this.update = oncePerFrame(() => this.now())
        scroller.addEventListener("scroll", this.update, { passive: true })
        this.watch = new ResizeObserver(this.update)
        this.watch.observe(scroller)
    }

    get height() { return this.#height }
    get whole() { return this.count * this.#height }
    get tall() { return Math.min(this.whole, tallest) }
    /** How high the room for rows is. */
    get room() { return Math.max(0, this.scroller.clientHeight - this.head) }
    get atEnd() { return this.scroller.scrollTop + this.scroller.clientHeight >= this.scroller.scrollHeight - this.#height / 2 }

    /** Whether somebody has scrolled up since the end was shown, told also before the browser says so. */
    get left() {
        const end = this.scroller.scrollHeight - this.scroller.clientHeight
        return this.scroller.scrollTop < Math.min(this.#settled, end) - 1
    }

    /** Asked after every scroll: scrolling up lets go of the end; only scrolling down to it takes hold again, and not a window that has changed. */
    follows(following) {
        const top = this.scroller.scrollTop
        const isDown = top > this.#scrolled
        this.#scrolled = top
        return following ? !this.left : isDown && this.atEnd
    }

    /** Where the list's first seen pixel is, as if all of it were there. */
    get top() {
        const scrolled = this.scroller.scrollTop
        if (this.whole <= tallest) return Math.min(scrolled, Math.max(0, this.whole - this.room))
        const part = scrolled / Math.max(1, this.tall - this.room)
        return Math.min(1, part) * (this.whole - this.room) 
    }

    set top(pixels) {
        const bound = Math.max(0, Math.min(pixels, this.whole - this.room))
        this.space.style.height = `${this.tall}px`
        if (this.whole <= tallest) this.scroller.scrollTop = bound
        else this.scroller.scrollTop = bound / Math.max(1, this.whole - this.room) * (this.tall - this.room)
    }

    /** Whether a row is seen at least in part. */
    shows(index) { return (index + 1) * this.#height > this.top && index * this.#height < this.top + this.room }

    toEnd() {
        this.space.style.height = `${this.tall}px`
        this.scroller.scrollTop = this.scroller.scrollHeight
        this.#settled = this.scroller.scrollTop
        this.now()
    }

    /** Scrolls as little as is needed. */
    show(index) {
        const from = index * this.#height
        if (from < this.top) this.top = from
        else if (from + this.#height > this.top + this.room) this.top = from + this.#height - this.room
        this.now()
    }

    /** @param end whether the end is what is to be seen: a window that changes has moved it before anybody could ask */
    setHeight(height, end = this.atEnd) {
        if (height === this.#height) return
        const first = this.top / this.#height
        this.#height = height
        if (end) this.toEnd()
        else this.top = first * height
        this.update()
    }

    /** Draws what is seen and some rows around it. */
    now() {
        this.space.style.height = `${this.tall}px`
        const top = this.top
        const from = Math.max(0, Math.floor(top / this.#height) - 4)
        const to = Math.min(this.count, Math.ceil((top + this.room) / this.#height) + 4)
        // Where the position is scaled, rows lie around the scrolled place and not at their own.
        const base = this.whole <= tallest ? 0 : this.scroller.scrollTop - top
        while (this.#rows.length < to - from) {
            this.#rows.push({ element: this.make(), index: -1 })
        }
        // A row keeps its element while it is seen: by its place, modulo the number of elements.
        const pool = this.#rows.length
        const used = new Set()
        for (let index = from; index < to; index += 1) {
            const row = this.#rows[index % pool]
            used.add(row)
            row.index = index
            const place = `translateY(${Math.round(index * this.#height + base)}px)`
            if (row.place !== place) row.element.style.transform = row.place = place
            this.draw(row.element, index)
        }
        for (const row of this.#rows) if (!used.has(row) && row.element.parentNode) row.element.remove()
        this.#order([...used])
        this.seen(from, to, top)
    }

    /** Elements stand in the order of their rows, for whoever reads them one after the other; as few as possible are moved. */
    #order(rows) {
        const { space } = this
        const places = new Map(rows.map(row => [row.element, row.index]))
        const at = element => places.get(element)
        while (space.childElementCount > 1 && at(space.firstChild) > at(space.lastChild) && at(space.firstChild) - at(space.lastChild) === 1) space.append(space.firstChild)
        while (space.childElementCount > 1 && at(space.lastChild) < at(space.firstChild) && at(space.firstChild) - at(space.lastChild) === 1) space.prepend(space.lastChild)
        let next = space.firstChild
        for (const { element } of rows) {
            if (element === next) next = next.nextSibling
            else space.insertBefore(element, next)
        }
    }

    close() { this.watch.disconnect() }
}
