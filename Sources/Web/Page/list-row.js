// One row of the list: its cells are written only where something changed.

import { el } from "./dom.js"
import { barOf, clientOf, hostOf, pathOf, sizeOf, spoken, statusOf, timeOf, typeOf } from "./row-text.js"
import { spanOf } from "./timing.js"
import { cut } from "./signs.js"

/** In the order in which they stand. */
export const columns = [
    { name: "status", title: "Status" }, { name: "method", title: "Method" }, { name: "host", title: "Host" },
    { name: "path", title: "Path" }, { name: "client", title: "Client" }, { name: "type", title: "Type" },
    { name: "size", title: "Size" }, { name: "time", title: "Duration" }, { name: "fall", title: "Waterfall" },
]

export function headRow() {
    return el("div", { role: "row", class: "head", "aria-rowindex": 1 },
        columns.map(({ name, title }, index) => el("div", { role: "columnheader", class: `cell ${name}`, "aria-colindex": index + 1 }, title)))
}

export function emptyRow() {
    const cells = columns.map(({ name }, index) => el("div", { role: "gridcell", class: `cell ${name}`, "aria-colindex": index + 1 }))
    // A host is cut at its beginning: the cell runs from right to left, its text does not.
    cells[2].append(el("bdi", { dir: "ltr" }))
    cells[3].append(el("span", { class: "words" }), el("span", { class: "query" }))
    cells[8].append(el("span", { class: "bar" }))
    const row = el("div", { role: "row", class: "row" }, cells)
    row.cells = Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]]))
    row.shown = {}
    return row
}

function write(row, name, text, element = row.cells[name]) {
    if (row.shown[name] === text) return
    row.shown[name] = text
    element.textContent = text
}

function mark(row, name, value, attribute) {
    if (row.shown[name] === value) return
    row.shown[name] = value
    if (value === "" || value === null) row.removeAttribute(attribute)
    else row.setAttribute(attribute, value)
}

/** @param flow null where it is not here yet; `span` of the waterfall, or null */
export function drawRow(row, index, id, flow, { selected, compared, span, fresh }) {
    mark(row, "index", String(index + 2), "aria-rowindex")
    mark(row, "id", `flow-${id}`, "id")
    mark(row, "selected", String(selected), "aria-selected")
    mark(row, "compared", compared ? "yes" : "", "data-compared")
    mark(row, "fresh", fresh ? "yes" : "", "data-fresh")
    if (!flow) {
        mark(row, "label", "loading", "aria-label")
        mark(row, "bar", "none", "data-bar")
        mark(row, "mark", "", "data-mark")
        mark(row, "note", "", "data-note")
        mark(row, "tone", "dim", "data-tone")
        for (const name of ["method", "client", "type", "size", "time"]) write(row, name, "")
        write(row, "host", "", row.cells.host.firstChild)
        write(row, "status", "·")
        write(row, "words", "", row.cells.path.firstChild)
        write(row, "query", "", row.cells.path.lastChild)
        drawBar(row, null)
        return
    }
    const status = statusOf(flow)
    const path = pathOf(flow)
    mark(row, "label", spoken(flow), "aria-label")
    mark(row, "bar", barOf(flow), "data-bar")
    mark(row, "mark", flow.mark ? markName(flow.mark) : "", "data-mark")
    mark(row, "tone", status.tone, "data-tone")
    mark(row, "note", flow.commented ? "yes" : "", "data-note")
    mark(row, "kind", path.isText ? "words" : "", "data-path")
    write(row, "status", status.sign)
    write(row, "method", cut(flow.method ?? "—", 20))
    write(row, "host", hostOf(flow), row.cells.host.firstChild)
    write(row, "words", path.words, row.cells.path.firstChild)
    write(row, "query", path.query, row.cells.path.lastChild)
    write(row, "client", clientOf(flow))
    write(row, "type", typeOf(flow) || "–")
    write(row, "size", sizeOf(flow))
    write(row, "time", timeOf(flow))
    drawBar(row, span ? spanOf(flow, span.first, span.last) : null)
}

/** A mark is any text; four of them have a colour. */
const markName = text => ["red", "amber", "green", "blue"].includes(text) ? text : "other"

function drawBar(row, span) {
    const place = span ? `${(span.from * 100).toFixed(1)} ${(Math.max(0.015, span.to - span.from) * 100).toFixed(1)}` : ""
    if (row.shown.place === place) return
    row.shown.place = place
    const bar = row.cells.fall.firstChild
    bar.hidden = !span
    if (!span) return
    const [left, width] = place.split(" ")
    bar.style.left = `${Math.min(98, left)}%`
    bar.style.width = `${width}%`
}
