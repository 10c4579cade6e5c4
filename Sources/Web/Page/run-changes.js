// Two gate runs compared: what changed from one to the other.

import { button, el, fill, peer } from "./dom.js"
import { go } from "./address.js"
import { changesOf, resultOf } from "./run-words.js"
import { second } from "./text.js"

export function drawRunChanges(place, before, after) {
    const changes = changesOf(before.run.report ?? {}, after.run.report ?? {})
    const side = one => {
        const result = resultOf(one.run.report?.result)
        return [peer(one.name), " ", el("strong", { "data-tone": result.tone }, `${result.sign} ${result.words}`), " ", el("span", { class: "dim" }, one.run.report?.started ? second(one.run.report.started) : "")]
    }
    fill(place,
        el("header", { class: "run-head" }, el("h2", {}, "What changed"),
            el("p", {}, "From ", side(before)), el("p", {}, "to ", side(after)),
            el("p", { class: "buttons" }, button("Swap", () => go({ run: before.name, with: after.name })), button("Close the comparison", () => go({ with: "" })))),
        changes.length ? el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Changes" }, el("table", { class: "diff" },
            el("thead", {}, el("tr", {}, ["Host", "What", "Before", "After"].map(words => el("th", { scope: "col" }, words)))),
            el("tbody", {}, changes.map(change => el("tr", {}, el("th", { scope: "row" }, peer(change.host || "the run")), el("td", {}, peer(change.what)), el("td", {}, peer(change.before ?? "–")), el("td", {}, peer(change.after ?? "–")))))))
            : el("p", { class: "box calm" }, "Nothing: the same verdicts, reasons, outcomes and findings."))
}
