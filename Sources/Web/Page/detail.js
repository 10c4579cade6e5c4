// The region beside the list: one flow, its tabs, and what can be done with it.

import * as api from "./api.js"
import { at, go } from "./address.js"
import { button, el, fill, peer, say, whenQuiet } from "./dom.js"
import { keepFocus } from "./focus.js"
import { flowActions } from "./detail-actions.js"
import { drawKnown, drawOverview } from "./detail-overview.js"
import { drawSide } from "./detail-side.js"
import { drawMessages } from "./detail-messages.js"
import { drawTLS } from "./detail-tls.js"
import { drawTiming } from "./detail-timing.js"
import { count } from "./text.js"
import { cut } from "./signs.js"
import { shownURL } from "./redact.js"
import { titleOf, titleOfRow } from "./flow-words.js"

const tabs = [
    ["overview", "Overview", drawOverview],
    ["request", "Request", (panel, flow, context) => drawSide(panel, flow, "request", context)],
    ["response", "Response", (panel, flow, context) => drawSide(panel, flow, "response", context)],
    ["messages", "Messages", drawMessages],
    ["tls", "TLS", drawTLS],
    ["timing", "Timing", drawTiming],
]

export class Detail {
    id = null
    flow = null
    #drawn = null
    #text = ""
    #request = null
    #again = 0
    #busy = false

    /** @param context what tabs may do: `filterBy(term)`, `close()`, `compare(id)`, … */
    constructor(element, context) {
        Object.assign(this, { element, context })
        this.title = el("h2", { class: "flow-title value" })
        this.actions = el("div", { class: "flow-actions", role: "toolbar", "aria-label": "This flow" })
        this.tabs = el("div", { role: "tablist", class: "tabs", "aria-label": "Parts of the flow" },
            tabs.map(([name, words]) => el("button", {
                type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-label": words, tabindex: -1, "data-name": name,
                onclick: () => go({ tab: name === "overview" ? "" : name }),
            }, words, el("span", { class: "tab-count", "aria-hidden": "true" }))))
        this.panel = el("div", { role: "tabpanel", id: "panel", class: "panel", tabindex: 0 })
        this.fault = el("p", { class: "fault", role: "alert", hidden: true })
        fill(element, el("header", { class: "flow-head" },
            button("‹ Back", () => context.close(), { class: "quiet back" }), this.title, this.actions,
            button("×", () => context.close(), { class: "quiet close", "aria-label": "Close flow", title: "Close (Escape)" })),
        this.tabs, this.fault, this.panel)
        this.tabs.addEventListener("keydown", event => {
            const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
            if (by) this.step(by)
            else if (event.key === "Home") this.tab(0)
            else if (event.key === "End") this.tab(tabs.length - 1)
            else return
            event.preventDefault()
            this.tabs.querySelector("[aria-selected=true]").focus()
        })
        this.soon = whenQuiet(60, id => this.#fetch(id))
    }

    get open() { return !this.element.hidden }
    get name() { return tabs.some(([name]) => name === at("tab")) ? at("tab") : "overview" }

    tab(index) { if (tabs[index]) go({ tab: index ? tabs[index][0] : "" }) }
    step(by) { this.tab((tabs.findIndex(([name]) => name === this.name) + by + tabs.length) % tabs.length) }

    show(id) {
        if (id === this.id && this.open) return
        const first = !this.open || this.flow === null
        this.id = id
        this.element.hidden = false
        this.element.setAttribute("aria-busy", "true")
        if (first) this.#fetch(id)
        else this.soon(id)
    }

    hide() {
        this.#request?.abort()
        this.#end()
        this.id = this.flow = null
        this.#text = ""
        this.element.hidden = true
    }

    /** It has changed: it is asked for again soon, however often it changes meanwhile. */
    heard(id) {
        if (id !== this.id || !this.open || this.#again) return
        this.#again = setTimeout(() => {
            this.#again = 0
            if (this.#busy) this.heard(this.id)
            else this.#fetch(this.id)
        }, 200)
    }

    async #fetch(id) {
        if (id !== this.id || id === null) return
        this.#request?.abort()
        const request = this.#request = new AbortController()
        this.#busy = true
        let flow
        try {
            flow = await api.flow(id, request.signal)
            if (request === this.#request) this.#busy = false
        } catch (error) {
            if (request === this.#request) this.#busy = false
            if (error.name === "AbortError" || id !== this.id) return
            this.element.removeAttribute("aria-busy")
            if (this.flow?.id === id && error.status !== 404) return
            this.#end()
            this.flow = null
            this.#text = ""
            this.#unread(id, error)
            return
        }
        if (id !== this.id) return
        this.element.removeAttribute("aria-busy")
        const text = JSON.stringify(flow)
        if (text === this.#text) return
        const same = this.flow?.id === flow.id
        this.#text = text
        this.flow = flow
        this.fault.hidden = true
        this.#head()
        this.draw(same)
        if (!same) say(titleOf(flow))
    }

    /** What the list knows of it is shown, where pinproof cannot be asked. */
    #unread(id, error) {
        const row = error.status === undefined ? this.context.row(id) : null
        fill(this.title, row ? titleOfRow(row) : `Flow ${id}`)
        fill(this.actions)
        fill(this.panel)
        const words = error.status === 404 ? "This flow is not kept any more." : row ? "pinproof cannot be asked now: this is what the list knows of it." : `It cannot be read: ${error.message}`
        fill(this.fault, words).hidden = false
        this.fault.classList.toggle("calm", !!row)
        if (row) drawKnown(this.panel, row)
    }

    #head() { keepFocus(this.actions, () => this.#drawHead()) }

    #drawHead() {
        const { flow } = this
        fill(this.title, el("span", { class: "dim" }, flow.method ? `${cut(flow.method, 20)} ` : ""), cut(shownURL(flow.url ?? flow.server?.host ?? `flow ${flow.id}`).replace(/^[a-z]+:\/\//, ""), 500))
        this.title.title = cut(shownURL(flow.url ?? ""), 1000)
        fill(this.actions, flowActions(flow, this.context))
        const messages = this.tabs.children[3]
        messages.lastChild.textContent = flow.messages ? count(flow.messages) : ""
        messages.setAttribute("aria-description", flow.messages ? `${flow.messages} messages` : "none")
    }

    /** Draws the tab; where only the flow has changed, the reader's place in it stays. */
    draw(same = false) {
        if (this.flow) keepFocus(this.panel, () => this.#draw(same))
    }

    #draw(same) {
        const [name, words, draw] = tabs.find(([one]) => one === this.name)
        for (const tab of this.tabs.children) {
            const on = tab.dataset.name === name
            tab.setAttribute("aria-selected", on)
            tab.tabIndex = on ? 0 : -1
            if (on && !same) tab.scrollIntoView?.({ block: "nearest", inline: "nearest" })
        }
        this.panel.setAttribute("aria-labelledby", `tab-${name}`)
        if (same && this.#drawn?.name === name && this.#drawn.part?.update) return this.#drawn.part.update(this.flow)
        const place = same && this.#drawn?.name === name ? this.panel.scrollTop : 0
        this.#end()
        this.panel.replaceChildren()
        this.panel.dataset.tab = name
        try {
            this.#drawn = { name, part: draw(this.panel, this.flow, this.context) }
        } catch (error) {
            // What somebody sent must not be able to take the other tabs away.
            fill(this.panel, el("p", { class: "fault", role: "alert" }, `${words} cannot be shown: `, peer(error.message)))
            this.#drawn = { name }
        }
        this.panel.scrollTop = place
    }

    /** Settings have changed that decide how things look. */
    redraw() {
        if (!this.flow) return
        this.#head()
        this.#drawn = this.#drawn && { name: this.#drawn.name, part: { close: this.#drawn.part?.close } }
        this.draw(true)
    }

    #end() {
        this.#drawn?.part?.close?.()
        this.#drawn = null
    }
}
