// The view of gate runs: which there are, one of them in full, two of them compared.

import * as api from "./api.js"
import { at, go, onGo } from "./address.js"
import { button, el, fill, peer } from "./dom.js"
import { focusHeading, focusIsLost, focusKept, keepFocus, kept, keptFocus } from "./focus.js"
import { resultOf } from "./run-words.js"
import { drawRehearsal } from "./rehearsal-view.js"
import { drawRun } from "./run-view.js"
import { drawRunChanges } from "./run-changes.js"
import { lineSigns } from "./signs.js"
import { second } from "./text.js"

/** How often the list is asked for while it is looked at; longer where the answer takes long. */
const interval = 4000

/** What is chosen within a run, to be left with it. */
const nothingChosen = { with: "", attack: "", host: "", controls: "" }

export class Runs {
    #headingWanted = false
    #asked = 0

    constructor(element) {
        this.element = element
        this.list = el("ul", { class: "run-list", "aria-label": "All runs" })
        // The newest ones, at hand in whatever view.
        this.brief = el("ul", { "aria-label": "Runs" }, el("li", {}, "No gate runs"))
        this.about = el("p", { class: "dim", role: "status" })
        this.place = el("div", { class: "run-place" })
        fill(element, el("nav", { class: "run-side", "aria-label": "Gate runs" }, el("h2", {}, "Gate runs"), this.about, this.list), this.place)
        onGo((now, old) => { if (old.view === "runs" && now.view !== "runs") go(nothingChosen, { quiet: true }) })
        const again = () => { if (this.#isSeen()) this.load() }
        addEventListener("focus", again)
        document.addEventListener("visibilitychange", again)
        this.#watch()
    }

    #isSeen() { return at("view") === "runs" && !document.hidden }

    async #watch() {
        const began = performance.now()
        if (this.#isSeen()) await this.load()
        // A folder of hundreds of runs is read for each answer: it must not keep pinproof busy.
        setTimeout(() => this.#watch(), Math.max(interval, 20 * (performance.now() - began)))
    }

    async load() {
        const number = this.#asked += 1
        let runs
        try {
            runs = await api.runs()
        } catch (error) {
            this.about.hidden = false
            this.about.textContent = `They cannot be read: ${error.message}`
            return
        }
        if (number !== this.#asked) return
        this.about.hidden = runs.length > 0
        this.about.textContent = "None under the current folder's runs/. pinproof gate PROFILE makes one."
        // The newest first: their names begin with the time where nobody chose another.
        runs.sort((a, b) => String(b.started ?? "").localeCompare(String(a.started ?? "")))
        const entry = list => JSON.stringify(list?.find(run => run.name === at("run")))
        if (this.runs && this.known?.name === at("run") && entry(this.runs) !== entry(runs)) this.known = this.shown = null
        this.runs = runs
        this.draw()
    }

    /** Draws what has changed: where the keyboard is and what is scrolled to stay. */
    draw() {
        const runs = this.runs ?? []
        const signs = JSON.stringify([runs, at("run")])
        if (signs !== this.drawn) {
            this.drawn = signs
            keepFocus(this.brief, () => fill(this.brief, runs.length ? runs.slice(0, 4).map(run => this.#short(run)) : el("li", {}, "No gate runs")))
            keepFocus(this.list, () => fill(this.list, runs.map(run => this.#entry(run))))
        }
        this.show()
    }

    #short(run) {
        const result = resultOf(run.verdict)
        return el("li", {}, button([el("span", { "data-tone": result.tone }, result.sign), " ", peer(run.name.replace(/^\d{8}T\d{6}Z-/, "").slice(0, 60)), ` ${result.words}`],
            () => go({ ...nothingChosen, view: "runs", run: run.name }, { step: true }), { ...kept(run.name), title: `${lineSigns(run.name.slice(0, 100))}${run.started ? `, ${second(run.started)}` : ""}` }))
    }

    #entry(run) {
        const result = resultOf(run.verdict)
        const isChosen = run.name === at("run")
        const short = lineSigns(run.name.slice(0, 60))
        return el("li", {}, el("button", { type: "button", class: "run", "aria-current": isChosen ? "true" : null, onclick: () => go({ ...nothingChosen, run: run.name }, { step: true }), ...kept(`run ${run.name}`) },
            el("span", { class: "run-result", "data-tone": result.tone }, `${result.sign} ${result.words}`), peer(run.name, "span", { class: "run-name" }),
            el("span", { class: "dim" }, run.started ? second(run.started) : "")),
        this.#isCompared(run) ? button("Compare", () => this.#compare(run.name),
            { class: "quiet compare-run", title: `What changed from ${short} to the run that is shown`, "aria-label": `Compare with ${short}`, ...kept(`compare ${run.name}`) }) : null)
    }

    /** A gate run with another one: a rehearsal has other questions. */
    #isCompared(run) {
        const chosen = this.runs.find(one => one.name === at("run"))
        return chosen && chosen !== run && !chosen.kind && !run.kind
    }

    #compare(name) {
        this.#headingWanted = true
        if (at("with") === name) focusHeading(this.heading)
        else go({ ...nothingChosen, with: name }, { step: true })
    }

    /** What the address asks for. */
    async show() {
        const name = at("run")
        const other = at("with")
        const key = JSON.stringify([name, other])
        if (key === this.shown) {
            this.look?.(this.#part())
            return
        }
        this.shown = key
        this.look = null
        const wasInside = this.place.contains(document.activeElement)
        const focused = keptFocus(this.place)
        if (!name) {
            if (this.runs?.length) fill(this.place, el("p", { class: "dim hint" }, "Choose a run: its verdicts, every connection, and what changed since another."))
            else this.place.replaceChildren()
            return
        }
        const scroller = this.last === key ? [this.place, this.element].map(one => [one, one.scrollTop]) : []
        // What has the focus stays until there is something in its place.
        if (this.known?.name !== name && !wasInside) fill(this.place, el("p", { class: "dim" }, "Loading…"))
        this.place.setAttribute("aria-busy", "true")
        try {
            const [run, before] = await Promise.all([this.known?.name === name ? this.known.run : api.run(name), other ? api.run(other) : null])
            if (this.shown !== key) return
            this.known = { name, run }
            if (before) this.heading = drawRunChanges(this.place, { name: other, run: before }, { name, run })
            else {
                const { heading, look } = (run.rehearsal ? drawRehearsal : drawRun)(this.place, name, run)
                Object.assign(this, { heading, look })
                look(this.#part())
            }
            if (this.last !== key) for (const one of [this.place, this.element]) one.scrollTop = 0
            for (const [one, top] of scroller) one.scrollTop = top
            this.last = key
            this.#focus(wasInside, focused)
        } catch (error) {
            if (this.shown !== key) return
            fill(this.place, el("p", { class: "fault", role: "alert", tabindex: -1 }, `This run cannot be read: ${error.message}`))
            if (wasInside) this.place.firstChild.focus()
            this.shown = null
        } finally {
            this.place.removeAttribute("aria-busy")
        }
    }

    #part() { return { attack: at("attack"), host: at("host"), controls: at("controls") } }

    /** On the control that was used, else on the heading of what came in its place. */
    #focus(wasInside, focused) {
        const wanted = this.#headingWanted
        this.#headingWanted = false
        if (wanted) return focusHeading(this.heading)
        if (wasInside && focusIsLost() && !(focused !== null && focusKept(this.place, focused))) focusHeading(this.heading)
    }
}
