// The messages of a WebSocket, an event stream or gRPC: a list that follows, and the chosen one in full.

import * as api from "./api.js"
import { button, el, fill, peer, whenQuiet } from "./dom.js"
import { copyButton } from "./clipboard.js"
import { drawHex, drawText } from "./body-view.js"
import { jsonTree } from "./json-tokens.js"
import { jsonView } from "./json-view.js"
import { contentLine, cutWords, kindOf, matchingMessages, messageLine, messageBytes } from "./message-text.js"
import { presenting } from "./redact.js"
import { protobufFields } from "./protobuf.js"
import { protobufView } from "./protobuf-view.js"
import { clock, count, duration, plural, size } from "./text.js"
import { VirtualRows } from "./virtual-rows.js"

/** Messages, and characters of them, that are held for looking; the export has all of them. */
const most = 20_000
const mostText = 64 << 20

export function drawMessages(panel, flow) {
    if (!flow.messages && flow.kind !== "websocket") {
        panel.append(el("p", { class: "dim" }, "This flow has no messages: only WebSockets, event streams and gRPC do."))
        return
    }
    const stop = new AbortController()
    const state = { all: [], shown: [], chosen: null, cursor: undefined, length: 0, full: false, busy: false, again: false, words: "" }
    const filter = el("input", { type: "search", class: "filter value", "aria-label": "Filter messages", placeholder: "Filter messages: text, from:client, type:text", spellcheck: "false", autocomplete: "off" })
    const number = el("span", { class: "dim", role: "status" })
    const list = el("div", { class: "messages", role: "listbox", tabindex: 0, "aria-label": "Messages", "data-own-keys": "" })
    const newest = button("↓ newest", () => { follow(true); virtual.toEnd(); list.focus({ preventScroll: true }) }, { class: "newer", hidden: true })
    const whole = el("section", { class: "message", "aria-label": "Message", hidden: true })
    panel.append(el("div", { class: "message-frame" }, el("div", { class: "body-bar" }, filter, number), el("div", { class: "list-frame" }, list, newest), whole))

    let following = true
    const follow = on => { following = on; newest.hidden = on || virtual.whole <= virtual.room }
    const virtual = new VirtualRows({
        scroller: list, height: 24, make: () => el("div", { class: "message-row", role: "option" }, el("span", { class: "way" }), el("span", { class: "dim at" }), el("span", { class: "type" }), el("span", { class: "value data" }), el("span", { class: "dim size" })),
        draw: (row, index) => {
            const message = state.shown[index]
            if (row.message === message && row.chosen === (message === state.chosen)) return
            row.message = message
            row.chosen = message === state.chosen
            row.setAttribute("aria-selected", row.chosen)
            row.id = `message-${message.index}`
            row.dataset.from = message.from
            const [way, at, type, data, length] = row.children
            way.textContent = message.from === "client" ? "↑" : "↓"
            way.title = message.from === "client" ? "from the client" : "from the server"
            at.textContent = clock(Date.parse(flow.started) + message.at_ms)
            type.textContent = message.type
            data.textContent = messageLine(message)
            length.textContent = size(message.size)
            row.setAttribute("aria-label", `${way.title}, ${message.type}, ${size(message.size)}, ${messageLine(message).slice(0, 160)}`)
        },
    })
    list.addEventListener("scroll", () => follow(virtual.follows(following)), { passive: true })
    const sized = new ResizeObserver(() => {
        if (following) virtual.toEnd()
        else if (state.chosen) reveal(state.chosen)
    })
    sized.observe(list)
    list.addEventListener("click", event => {
        const row = event.target.closest(".message-row")
        if (row) choose(row.message)
    })
    list.addEventListener("keydown", event => {
        const at = state.shown.indexOf(state.chosen)
        const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? state.shown.length - 1 : at - 1, Home: 0, End: state.shown.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key]
        if (to === undefined || !state.shown.length) return
        event.preventDefault()
        const index = Math.max(0, Math.min(state.shown.length - 1, to))
        choose(state.shown[index])
        list.setAttribute("aria-activedescendant", `message-${state.shown[index].index}`)
    })
    filter.addEventListener("input", whenQuiet(80, () => { state.words = filter.value; narrow() }))

    function narrow() {
        state.shown = matchingMessages(state.all, state.words)
        number.textContent = state.words ? `${count(state.shown.length)} of ${plural(state.all.length, "message")}` : plural(state.all.length, "message") + (state.full ? ", the first: export the flow for all" : "")
        virtual.count = state.shown.length
        if (following) virtual.toEnd()
        else virtual.update()
    }

    /** The one that is read stays in view. */
    function reveal(message) {
        const index = state.shown.indexOf(message)
        if (index >= 0) virtual.show(index)
    }

    function choose(message) {
        state.chosen = message
        // What comes does not take away the one that is read.
        if (message !== state.shown.at(-1)) follow(false)
        reveal(message)
        whole.hidden = false
        const bytes = messageBytes(message)
        fill(whole, el("h3", {}, message.from === "client" ? "↑ client" : "↓ server", el("span", { class: "dim" }, ` ${kindOf(message)} · ${size(message.size)} · ${duration(message.at_ms)} after the start `),
            presenting() ? null : copyButton("Copy", () => message.data ?? message.base64 ?? "", { "aria-label": "Copy the message" })))
        if (message.fault) whole.append(el("p", { class: "fault" }, message.fault))
        if (message.cut) whole.append(el("p", { class: "fault" }, cutWords(message)))
        if (message.type === "close") whole.append(el("p", {}, peer(contentLine(message))))
        else if (message.data !== undefined) {
            try { whole.append(...[jsonView(jsonTree(message.data))].flat()) } catch { drawText(whole, message.data) }
        } else {
            const fields = message.type === "grpc" ? protobufFields(bytes) : null
            if (fields) whole.append(protobufView(fields))
            else drawHex(whole, bytes)
        }
    }

    /** Reads on behind the last one that is here. */
    async function read() {
        if (state.full) return
        if (state.busy) { state.again = true; return }
        state.busy = true
        try {
            do {
                state.again = false
                const page = await api.messages(flow.id, state.cursor, stop.signal)
                for (const message of page.messages) {
                    state.cursor = message.index
                    state.length += (message.data ?? message.base64 ?? "").length
                    state.all.push(message)
                }
                state.full = state.all.length >= most || state.length >= mostText
                if (page.next !== undefined && page.next !== null && !state.full) state.again = true
                narrow()
            } while (state.again && !state.full)
        } catch (error) {
            if (error.name !== "AbortError") number.textContent = `Not readable: ${error.message}`
        }
        state.busy = false
    }

    read()
    return { update: () => read(), close: () => { stop.abort(); sized.disconnect(); virtual.close() } }
}
