// The filter: one box with completion, a mistake shown at its column, and chips that write into the box.

import { button, el, fill, whenQuiet } from "./dom.js"
import { complete, completions, hasTerm, isBegun, toggleTerm, unitsOf } from "./filter-words.js"
import { cut, lineSigns } from "./signs.js"

const chips = [["failed", "is:failed", "What failed"], ["json", "type:json", "Answers in JSON"], ["4xx", "status:4xx", "The client's mistakes"],
    ["5xx", "status:5xx", "The server's mistakes"], ["ws", "kind:websocket", "WebSockets"]]

export class FilterBox {
    #choices = []
    #chosen = -1

    /** @param changed called with the text, some milliseconds after the last key, and whether it is meant to stay; `seen(key)` values that were seen; `leave` to the list */
    constructor({ changed, seen, leave }) {
        Object.assign(this, { seen, leave })
        this.box = el("input", {
            type: "search", class: "filter value", placeholder: "Filter, such as host:api.* status:4xx", autocomplete: "off", autocapitalize: "off",
            spellcheck: "false", role: "searchbox", "aria-label": "Filter", "aria-autocomplete": "list", "aria-controls": "filter-choices",
            "aria-describedby": "filter-fault", title: "Filter (/)",
        })
        this.choices = el("ul", { id: "filter-choices", class: "choices", role: "listbox", "aria-label": "Completions", hidden: true })
        this.fault = el("p", { id: "filter-fault", class: "fault", role: "alert", hidden: true })
        this.under = el("div", { class: "under value", "aria-hidden": "true", hidden: true })
        this.clear = button("×", () => this.write("", true), { class: "quiet clear-filter", "aria-label": "Clear filter", title: "Show all flows", hidden: true })
        this.element = el("div", { class: "filter-frame" },
            el("div", { class: "filter-line" }, this.under, this.box, this.clear), this.choices, this.fault)
        this.chips = el("div", { class: "chips", role: "group", "aria-label": "Quick filters" })
        this.saved([])
        // While a value is still missing, the list stays as it is.
        this.now = settled => { if (settled || !isBegun(this.box.value) || document.activeElement !== this.box) changed(this.text, settled) }
        this.soon = whenQuiet(80, this.now)
        this.box.addEventListener("input", () => { this.#edited(); this.#offer() })
        this.box.addEventListener("keydown", event => this.#key(event))
        this.box.addEventListener("blur", () => setTimeout(() => this.#close(), 120))
        this.box.addEventListener("scroll", () => { this.under.scrollLeft = this.box.scrollLeft })
        this.choices.addEventListener("mousedown", event => event.preventDefault())
        this.choices.addEventListener("click", event => {
            const at = [...this.choices.children].indexOf(event.target.closest("li"))
            if (at >= 0) this.#take(this.#choices[at])
        })
    }

    /** Offers saved filters (`{name, filter}`) beside the quick ones: the first as chips, all of them by completion. */
    saved(filters) {
        const key = JSON.stringify(filters)
        if (key === this.savedKey) return
        this.savedKey = key
        this.names = filters.map(({ name }) => name)
        const own = filters.slice(0, 3).map(({ name, filter }) => [cut(name, 16), `filter:${name}`, lineSigns(filter ?? "A saved filter")])
        fill(this.chips, [...chips, ...own].map(([words, term, title]) => button(words, () => this.write(toggleTerm(this.box.value, term), false),
            { class: "chip", title: `${title}: ${term}`, "aria-pressed": hasTerm(this.box.value, term), "data-term": term })))
    }

    get text() { return this.box.value.trim() }
    focus() { this.box.focus(); this.box.select() }

    /** Puts a text in, as if it had been typed. */
    write(text, focus = false) {
        this.box.value = text
        if (focus) this.box.focus()
        this.#edited(true)
        this.#close()
    }

    /** Shows a text that is in force already. */
    show(text) {
        if (this.text !== text) this.box.value = text
        this.#marks()
        this.right()
    }

    #edited(settled = false) {
        this.#marks()
        this.right()
        this.soon(settled)
    }

    #marks() {
        this.clear.hidden = !this.box.value
        for (const chip of this.chips.children) chip.setAttribute("aria-pressed", hasTerm(this.box.value, chip.dataset.term))
    }

    right() {
        this.box.removeAttribute("aria-invalid")
        this.fault.hidden = true
        this.under.hidden = true
    }

    /** A mistake: where, what, and what was meant. */
    wrong(problem) {
        this.box.setAttribute("aria-invalid", "true")
        const text = this.box.value
        const offset = text.length - text.trimStart().length
        const parts = []
        if (problem.column) {
            const { from, to } = unitsOf(text.trimStart(), problem.column, problem.length)
            fill(this.under, text.slice(0, offset + from), el("mark", {}, text.slice(offset + from, offset + to) || " "), text.slice(offset + to))
            this.under.hidden = false
            this.under.scrollLeft = this.box.scrollLeft
            if (!/^column/i.test(problem.message)) parts.push(`Column ${problem.column}: `)
            // Where it is known what was meant, the list of all that is known only takes room.
            parts.push(lineSigns(problem.suggestion ? `${problem.message.split("; ")[0].replace(/\.$/, "")}. ` : problem.message))
            if (problem.suggestion) {
                if (!problem.message.includes("Did you mean")) parts.push(`Did you mean ${lineSigns(problem.suggestion)}? `)
                const better = text.slice(0, offset + from) + problem.suggestion + text.slice(offset + to)
                parts.push(button(`Write ${problem.suggestion}`, () => this.write(better, true), { class: "chip" }))
            }
        } else parts.push(lineSigns(problem.message))
        fill(this.fault, ...parts)
        this.fault.hidden = false
    }

    #offer() {
        const caret = this.box.selectionStart ?? this.box.value.length
        this.#choices = this.box.value.trim() ? completions(this.box.value, caret, this.seen).slice(0, 12) : []
        this.#chosen = -1
        fill(this.choices, this.#choices.map((choice, index) => el("li", { role: "option", id: `choice-${index}`, "aria-selected": "false" },
            el("span", { class: "value" }, lineSigns(choice.label)), el("span", { class: "dim" }, choice.help))))
        this.choices.hidden = !this.#choices.length
        this.box.removeAttribute("aria-activedescendant")
    }

    #close() {
        this.choices.hidden = true
        this.#chosen = -1
        this.box.removeAttribute("aria-activedescendant")
    }

    #take(choice) {
        const { text, caret } = complete(this.box.value, choice)
        this.box.value = text
        this.box.setSelectionRange(caret, caret)
        this.box.focus()
        this.#edited()
        if (choice.open) this.#offer()
        else this.#close()
    }

    #key(event) {
        const open = !this.choices.hidden
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault()
            if (!open) {
                if (event.key === "ArrowDown" && !this.box.value) return this.#all()
                return this.#offer()
            }
            this.#mark(this.#chosen + (event.key === "ArrowDown" ? 1 : -1))
        } else if ((event.key === "Tab" || event.key === "Enter") && open && this.#choices.length && (this.#chosen >= 0 || (event.key === "Tab" && !event.shiftKey))) {
            event.preventDefault()
            this.#take(this.#choices[Math.max(0, this.#chosen)])
        } else if (event.key === "Enter") {
            event.preventDefault()
            this.#close()
            this.now(true)
            this.leave()
        } else if (event.key === "Escape") {
            event.preventDefault()
            event.stopPropagation()
            if (open) return this.#close()
            // What was typed a moment ago counts, too.
            this.now(true)
            this.leave()
        }
    }

    /** All keys, for who does not know any yet. */
    #all() {
        this.#choices = completions("", 0, this.seen)
        fill(this.choices, this.#choices.map((choice, index) => el("li", { role: "option", id: `choice-${index}`, "aria-selected": "false" },
            el("span", { class: "value" }, choice.label), el("span", { class: "dim" }, choice.help))))
        this.choices.hidden = false
    }

    #mark(index) {
        const items = this.choices.children
        items[this.#chosen]?.setAttribute("aria-selected", "false")
        this.#chosen = (index + items.length) % items.length
        items[this.#chosen].setAttribute("aria-selected", "true")
        items[this.#chosen].scrollIntoView({ block: "nearest" })
        this.box.setAttribute("aria-activedescendant", `choice-${this.#chosen}`)
    }
}
