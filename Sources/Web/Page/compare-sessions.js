// Two sets of flows matched by method and URL: what one has and the other has not, and what answers otherwise.

import * as api from "./api.js"
import { button, el, fill, peer } from "./dom.js"
import { go } from "./address.js"
import { matched } from "./session-match.js"
import { plural } from "./text.js"

const most = 4000

export function drawSessions(place, first) {
    const inputs = [["Left filter", first], ["Right filter", ""]].map(([name, value]) => el("input", { type: "search", class: "filter value", "aria-label": name, placeholder: "such as client:old, id:1..200 or before:1h", value, spellcheck: "false" }))
    const result = el("div", { role: "region", "aria-label": "Differences" })
    const compare = async () => {
        fill(result, el("p", { class: "dim" }, "Loading…"))
        try {
            const [left, right] = await Promise.all(inputs.map(input => rowsOf(input.value.trim())))
            fill(result, table(matched(left, right), left.length, right.length))
        } catch (error) {
            fill(result, el("p", { class: "fault", role: "alert" }, error.message))
        }
    }
    fill(place, el("p", {}, "Two filters, two sessions: flows are matched by method and URL without its query."),
        el("form", { class: "sessions", onsubmit: event => { event.preventDefault(); compare() } }, inputs, el("button", { type: "submit", class: "main" }, "Compare")), result)
}

async function rowsOf(filter) {
    const { ids } = await api.index(filter)
    const list = []
    for (let at = 0; at < Math.min(ids.length, most); at += 400) list.push(...await api.rows(ids.slice(at, at + 400)))
    return list
}

function table(list, left, right) {
    const differing = list.filter(one => one.change !== "same")
    return [
        el("p", { role: "status" }, `${plural(left, "flow")} and ${plural(right, "flow")}; ${plural(list.length, "address", "addresses")}, ${differing.length} differ.`),
        el("table", { class: "diff" }, el("thead", {}, el("tr", {}, ["What", "Left", "Right", ""].map(words => el("th", { scope: "col" }, words)))),
            el("tbody", {}, differing.slice(0, 1000).map(one => el("tr", { "data-diff": one.change },
                el("th", { scope: "row" }, peer(one.name.slice(0, 500))), el("td", {}, one.left.words || "–"), el("td", {}, one.right.words || "–"),
                el("td", {}, one.left.id && one.right.id ? button("Compare", () => go({ left: one.left.id, right: one.right.id }, { step: true }), { class: "by", "aria-label": `Compare ${one.name.slice(0, 80)}` }) : null))))),
    ]
}
