// Two sets of flows, each by a filter: what one has and the other has not, and what was asked or answered otherwise.

import * as api from "./api.js"
import { at, go, onGo } from "./address.js"
import { button, el, fill, peer } from "./dom.js"
import { cardTable } from "./card-table.js"
import { focusHeading, focusIsLost, focusKept, kept } from "./focus.js"
import { quoted, unitsOf } from "./filter-words.js"
import { afterPause, differencesOf, pairsOf } from "./session-match.js"
import { cut, lineSigns } from "./signs.js"
import { count, duration, plural, second, shortType, size, withoutPort } from "./text.js"

/** Flows of a session, pairs that are compared whole, rows that are shown. */
const [mostFlows, mostPairs, mostRows] = [4000, 1000, 1000]

let current = null
/** The pair that was opened last: on the way back the focus goes there. */
let opened = null

onGo((now, old) => {
    if (now.view === "compare") current?.follow()
    else if (old.view === "compare") go({ first: "", second: "", equal: "" }, { quiet: true })
})

export function drawSessions(place, filter) {
    current = new Sessions(place, filter)
}

class Sessions {
    #asked = 0

    constructor(place, filter) {
        this.fields = [new SessionField("Left", "first"), new SessionField("Right", "second")]
        this.equal = el("input", { type: "checkbox", id: "sessions-equal", onchange: () => go({ equal: this.equal.checked ? "1" : "" }) })
        this.equalPart = el("p", { class: "check", hidden: true }, this.equal, el("label", { for: "sessions-equal" }, "show equal ones too"))
        this.status = el("p", { role: "status" })
        this.fault = el("p", { class: "fault", role: "alert", hidden: true })
        this.result = el("div", { role: "region", "aria-label": "Differences" })
        this.known = el("p", { class: "dim" })
        this.place = place
        fill(place, el("p", {}, "Two filters, two sessions. Flows belong together by method and URL without its query; durations, and the values of headers and queries, count as no difference."), this.known,
            el("form", { class: "sessions", onsubmit: event => { event.preventDefault(); this.#submit() } }, this.fields.map(field => field.element), el("button", { type: "submit", class: "main" }, "Compare")),
            this.fault, this.status, this.equalPart, this.result)
        const isAsked = at("first") !== "" || at("second") !== ""
        this.fields[0].show(isAsked ? at("first") : filter)
        this.fields[1].show(at("second"))
        this.shown = ["", ""]
        if (focusIsLost() && opened === null) this.fields[isAsked ? 1 : 0].box.focus({ preventScroll: true })
        if (isAsked) this.follow()
        this.#hint()
    }

    /** What the address says, also after Back. */
    follow() {
        if (!this.place.isConnected || (at("left") && at("right"))) return
        this.equal.checked = at("equal") !== ""
        const wanted = [at("first"), at("second")]
        if (wanted.some((text, index) => text !== this.shown[index])) {
            this.fields.forEach((field, index) => field.show(wanted[index]))
            this.#compare(wanted)
        } else this.#draw()
    }

    #submit() {
        const wanted = this.fields.map(field => field.text)
        if (!wanted[0] && !wanted[1]) return void (this.status.textContent = "Write a filter on one side at least: an empty one is all flows.")
        this.shown = wanted
        go({ first: wanted[0], second: wanted[1] }, { step: true })
        this.#compare(wanted)
    }

    async #compare(wanted) {
        const number = this.#asked += 1
        this.shown = wanted
        this.list = null
        this.fault.hidden = true
        this.status.textContent = "Loading…"
        fill(this.result)
        this.equalPart.hidden = true
        // Everything beside everything is no question: with Back the view is as empty as it began.
        if (!wanted[0] && !wanted[1]) return void (this.status.textContent = "")
        const sides = await Promise.allSettled(wanted.map(rowsOf))
        if (number !== this.#asked) return
        const faults = sides.map(side => side.reason)
        if (faults.some(Boolean)) {
            faults.forEach((fault, index) => { if (fault?.status === 400) this.fields[index].wrong(fault) })
            const other = faults.find(fault => fault && fault.status !== 400)
            this.fault.hidden = !other
            this.fault.textContent = other?.message ?? ""
            this.status.textContent = ""
            return
        }
        const [left, right] = sides.map(side => side.value)
        const pairs = pairsOf(left.rows, right.rows)
        const whole = await flowsOf(pairs.filter(pair => pair.left && pair.right && pair.left.id !== pair.right.id).slice(0, mostPairs))
        if (number !== this.#asked) return
        this.list = pairs.map(pair => ({ ...pair, flows: [whole.get(pair.left?.id), whole.get(pair.right?.id)] }))
            .map(pair => ({ ...pair, differences: differencesOf(pair, pair.flows) }))
        const both = this.list.filter(pair => pair.left && pair.right)
        const differing = both.filter(pair => pair.differences.length).length
        const [onlyLeft, onlyRight] = ["right", "left"].map(missing => this.list.filter(pair => !pair[missing]).length)
        const cutSides = [left, right].filter(side => side.rows.length < side.total)
        this.status.textContent = `${plural(left.total, "flow")} and ${plural(right.total, "flow")}: ${plural(both.length, "pair")}, ${count(differing)} ${differing === 1 ? "differs" : "differ"}; ${count(onlyLeft)} only on the left, ${count(onlyRight)} only on the right.`
            + (cutSides.length ? ` Only the newest ${count(mostFlows)} of a side were looked at: narrow its filter.` : "")
            + (pairs.length > mostPairs ? ` Beyond ${count(mostPairs)} pairs, the request's size, headers and bodies are not compared.` : "")
        this.#draw()
        // The way back from a pair ends at its button, wherever the view itself begins.
        if (opened !== null && (focusIsLost() || document.activeElement.matches(".aside h2")) && focusKept(this.result, opened)) document.activeElement.scrollIntoView({ block: "center" })
        opened = null
    }

    #draw() {
        if (!this.list) return
        this.equalPart.hidden = this.list.every(pair => pair.differences.length)
        const shown = this.list.filter(pair => pair.differences.length || this.equal.checked)
        if (!shown.length) return void fill(this.result, el("p", { class: "box calm" }, this.list.length ? "Nothing differs." : "Neither filter finds a flow."))
        fill(this.result, cardTable(["Request", "What differs", "Left", "Right", "Open"], shown.slice(0, mostRows).map(pair => this.#row(pair)), { class: "diff sessions-table", label: "Pairs of flows" }),
            shown.length > mostRows ? el("p", { class: "dim" }, `and ${plural(shown.length - mostRows, "more", "more")}: narrow the filters`) : null)
    }

    #row(pair) {
        const { left, right, differences, name } = pair
        const key = `${left?.id ?? ""} ${right?.id ?? ""}`
        const open = change => {
            opened = key
            go(change, { step: true })
            focusHeading(document.querySelector(change.left ? ".aside h2" : "#detail h2"))
        }
        const label = lineSigns(name.slice(0, 80))
        return {
            attributes: { "data-diff": !differences.length ? "same" : !left ? "right" : !right ? "left" : "both" },
            cells: [
                { head: true, content: peer(name.slice(0, 500)) },
                { content: differences.length ? el("ul", {}, differences.map(one => el("li", {}, one.what, one.left === undefined ? null : [": ", peer(cut(one.left, 200)), " → ", peer(cut(one.right, 200))]))) : el("span", { class: "dim" }, "nothing") },
                { content: sideOf(left, pair.flows[0]), empty: !left }, { content: sideOf(right, pair.flows[1]), empty: !right },
                {
                    content: left && right
                        ? button("Compare", () => open({ left: left.id, right: right.id }), { ...kept(key), "aria-label": `Compare ${label}, flows ${left.id} and ${right.id}` })
                        : button("Show", () => open({ view: "", flow: (left ?? right).id }), { ...kept(key), "aria-label": `Show ${label}, flow ${(left ?? right).id}` }),
                },
            ],
        }
    }

    /** What can name a session: ids, times, marks, clients, saved filters. */
    async #hint() {
        try {
            const [newest, oldest, status, ...marked] = await Promise.all([
                api.page({ view: "row", limit: 400, order: "desc" }), api.page({ view: "row", limit: 1, order: "asc" }), api.status(),
                ...marks.map(mark => api.index(`mark:${mark}`)),
            ])
            const [last, first] = [newest.flows[0], oldest.flows[0]]
            if (!first) return
            const pause = afterPause(newest.flows)
            fill(this.known, `Recorded: flow ${first.id} (${second(first.started)}) to flow ${last.id} (${second(last.started)}).`,
                pause ? ` The longest pause of late, ${duration(pause.pause)}, ended with flow ${pause.row.id} (${second(pause.row.started)}).` : "")
            const chosen = Number(at("flow")) || pause?.row.id
            const clients = [...new Set(newest.flows.map(row => withoutPort(row.client ?? "")).filter(Boolean))]
            const hints = [
                ...(chosen ? [[`before flow ${chosen}`, `id:<${chosen}`], [`from flow ${chosen}`, `id:>=${chosen}`]] : []),
                ["last hour", "after:1h"], ["before that", "before:1h"],
                ...marks.filter((_, index) => marked[index].count).map(mark => [`marked ${mark}`, `mark:${mark}`]),
                ...(clients.length > 1 ? clients.slice(0, 4).map(client => [`client ${cut(client, 20)}`, `client:${quoted(client)}`]) : []),
                ...(status.filters ?? []).slice(0, 4).map(({ name }) => [cut(name, 20), `filter:${name}`]),
            ]
            for (const field of this.fields) field.offer(hints)
        } catch { /* Filters can be written without being told what there is. */ }
    }
}

const marks = ["red", "amber", "green", "blue"]

/** A filter's field, with what it may be and what is wrong with it. */
class SessionField {
    constructor(name, id) {
        this.box = el("input", { type: "search", id: `session-${id}`, class: "filter value", "aria-label": `${name} filter`, placeholder: "such as id:1..200, client:old or before:1h", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": `session-${id}-fault`, oninput: () => this.#right() })
        this.under = el("div", { class: "under value", "aria-hidden": "true", hidden: true })
        this.fault = el("p", { id: `session-${id}-fault`, class: "fault", role: "alert", hidden: true })
        this.hints = el("div", { class: "chips", role: "group", "aria-label": `${name}: what there is`, hidden: true })
        this.name = name
        this.box.addEventListener("scroll", () => { this.under.scrollLeft = this.box.scrollLeft })
        this.element = el("div", { class: "session" }, el("label", { for: this.box.id }, name), el("div", { class: "filter-line" }, this.under, this.box), this.fault, this.hints)
    }

    get text() { return this.box.value.trim() }

    show(text) {
        this.box.value = text
        this.#right()
    }

    offer(hints) {
        this.hints.hidden = !hints.length
        fill(this.hints, hints.map(([words, filter]) => button(words, () => this.show(filter), { class: "chip", title: filter, "aria-label": `${this.name}: ${words}` })))
    }

    #right() {
        this.box.removeAttribute("aria-invalid")
        this.fault.hidden = true
        this.under.hidden = true
    }

    /** A mistake: where, what, and what was meant, as in the list's filter. */
    wrong(problem) {
        this.box.setAttribute("aria-invalid", "true")
        this.fault.hidden = false
        if (!problem.column) return void fill(this.fault, lineSigns(problem.message))
        const text = this.box.value = this.text
        const { from, to } = unitsOf(text, problem.column, problem.length)
        fill(this.under, text.slice(0, from), el("mark", {}, text.slice(from, to) || " "), text.slice(to))
        this.under.hidden = false
        const { suggestion } = problem
        const better = suggestion ? text.slice(0, from) + suggestion + text.slice(to) : ""
        fill(this.fault, /^column/i.test(problem.message) ? "" : `Column ${problem.column}: `, lineSigns(suggestion ? `${problem.message.split("; ")[0].replace(/\.$/, "")}. ` : problem.message),
            suggestion && !problem.message.includes("Did you mean") ? `Did you mean ${lineSigns(suggestion)}? ` : "",
            suggestion ? button(`Write ${suggestion}`, () => { this.show(better); this.box.focus() }, { class: "chip" }) : null)
    }
}

async function rowsOf(filter) {
    const { ids } = await api.index(filter)
    const newest = ids.slice(-mostFlows)
    const rows = []
    for (let from = 0; from < newest.length; from += 400) rows.push(...await api.rows(newest.slice(from, from + 400)))
    return { rows, total: ids.length }
}

/** The whole flows of pairs, by their ids. */
async function flowsOf(pairs) {
    const ids = [...new Set(pairs.flatMap(pair => [pair.left.id, pair.right.id]))]
    const flows = new Map()
    for (let from = 0; from < ids.length; from += 100) {
        const part = await api.page({ ids: ids.slice(from, from + 100).join(",") })
        for (const flow of part.flows) flows.set(flow.id, flow)
    }
    return flows
}

/** `flow 31 · 200 · json · ↑ 12 B ↓ 24 B · 41 ms`. */
function sideOf(row, flow) {
    if (!row) return "–"
    const sizes = flow ? `↑ ${size(flow.request?.body?.size ?? 0)} ↓ ${size(flow.response?.body?.size ?? 0)}` : row.size === undefined ? "" : `↓ ${size(row.size)}`
    return [el("span", { class: "dim" }, `flow ${row.id} · `), peer([row.failure ?? row.status ?? row.state ?? row.kind, shortType(row.type), sizes, row.duration_ms === undefined ? "" : duration(row.duration_ms)]
        .filter(value => value !== "" && value !== undefined).map(value => String(value).replace(/ /g, "\u00a0")).join(" · "))]
}
