// Tables that become cards on a phone.

import { el } from "./dom.js"

/**
 * A table that becomes cards where there is no room for its columns: each cell says its column's name.
 *
 * @param heads names of the columns: words, or `{words, number}` for a column of numbers
 * @param rows `{attributes, cells: [{content, head, number, …attributes}]}`; `head` names the row
 */
export function cardTable(heads, rows, { label, ...attributes }) {
    const columns = heads.map(head => typeof head === "string" ? { words: head } : head)
    return el("div", { class: "cards" }, el("table", { ...attributes, role: "table", "aria-label": label },
        el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, columns.map(({ words, number }) => el("th", { scope: "col", role: "columnheader", class: number ? "number" : null }, words)))),
        el("tbody", { role: "rowgroup" }, rows.map(row => el("tr", { ...row.attributes, role: "row" }, row.cells.map((cell, index) => cellOf(cell, columns[index])))))))
}

function cellOf({ content, head, empty, ...attributes }, column) {
    return el(head ? "th" : "td", {
        ...attributes, scope: head ? "row" : null, role: head ? "rowheader" : "cell", "data-name": column.words, "data-empty": empty ? "true" : null,
        class: [column.number ? "number" : "", attributes.class ?? ""].join(" ").trim() || null,
    }, el("div", {}, content))
}
