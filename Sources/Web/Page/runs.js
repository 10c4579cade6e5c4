// The view of gate runs: which there are, one of them in full, two of them compared.

import * as api from "./api.js"
import { at, go } from "./address.js"
import { button, el, fill, peer } from "./dom.js"
import { resultOf } from "./run-words.js"
import { drawRun } from "./run-view.js"
import { drawRunChanges } from "./run-changes.js"
import { second } from "./text.js"

export class Runs {
    constructor(element) {
        this.element = element
        this.list = el("ul", { class: "run-list", "aria-label": "All runs" })
        // The newest ones, at hand in whatever view.
        this.brief = el("ul", { "aria-label": "Runs" }, el("li", {}, "No gate runs"))
        this.about = el("p", { class: "dim", role: "status" })
        this.place = el("div", { class: "run-place" })
        fill(element, el("nav", { class: "run-side", "aria-label": "Gate runs" }, el("h2", {}, "Gate runs"), this.about, this.list), this.place)
    }

    async load() {
        let runs
        try {
            runs = await api.runs()
        } catch (error) {
            this.about.textContent = `They cannot be read: ${error.message}`
            return
        }
        this.about.hidden = runs.length > 0
        this.about.textContent = "None under the current folder's runs/. pinproof gate PROFILE makes one."
        // The newest first: their names begin with the time where nobody chose another.
        runs.sort((a, b) => String(b.started ?? "").localeCompare(String(a.started ?? "")))
        this.runs = runs
        this.draw()
    }

    draw() {
        const runs = this.runs ?? []
        fill(this.brief, runs.length ? runs.slice(0, 4).map(run => {
            const result = resultOf(run.verdict)
            return el("li", {}, button([el("span", { "data-tone": result.tone }, result.sign), " ", peer(run.name.replace(/^\d{8}T\d{6}Z-/, "").slice(0, 60)), ` ${result.words}`], () => go({ view: "runs", run: run.name, with: "", attack: "" }, { step: true }), { title: `${run.name.slice(0, 100)}${run.started ? `, ${second(run.started)}` : ""}` }))
        }) : el("li", {}, "No gate runs"))
        fill(this.list, runs.map(run => {
            const result = resultOf(run.verdict)
            return el("li", {}, el("button", { type: "button", class: "run", "aria-current": run.name === at("run") ? "true" : null, onclick: () => go({ run: run.name, with: "", attack: "" }, { step: true }) },
                el("span", { class: "run-result", "data-tone": result.tone }, `${result.sign} ${result.words}`), peer(run.name, "span", { class: "run-name" }),
                el("span", { class: "dim" }, run.started ? second(run.started) : "")),
            at("run") && run.name !== at("run") ? button("Compare", () => go({ with: run.name }, { step: true }), { class: "quiet compare-run", title: `What changed from ${run.name.slice(0, 60)} to the run that is shown`, "aria-label": `Compare with ${run.name.slice(0, 60)}` }) : null)
        }))
        this.show()
    }

    /** What the address asks for. */
    async show() {
        const name = at("run")
        const other = at("with")
        const key = JSON.stringify([name, other, at("attack")])
        if (key === this.shown) return
        this.shown = key
        if (!name) {
            if (this.runs?.length) fill(this.place, el("p", { class: "dim hint" }, "Choose a run: its verdicts, every connection, and what changed since another."))
            else this.place.replaceChildren()
            return
        }
        if (this.known?.name !== name) fill(this.place, el("p", { class: "dim" }, "Loading…"))
        try {
            const run = this.known?.name === name ? this.known.run : await api.run(name)
            if (at("run") !== name) return
            this.known = { name, run }
            if (other) drawRunChanges(this.place, { name: other, run: await api.run(other) }, { name, run })
            else drawRun(this.place, name, run)
        } catch (error) {
            fill(this.place, el("p", { class: "fault", role: "alert" }, `This run cannot be read: ${error.message}`))
            this.shown = null
        }
    }
}
