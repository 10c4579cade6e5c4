// Where the page begins: it joins the parts and hands on what happens.

import * as api from "./api.js"
import { at, go, onGo, settle } from "./address.js"
import { button, el, fill, say, whenQuiet } from "./dom.js"
import { addTerm, quoted } from "./filter-words.js"
import { clearDialog, exportDialog, help } from "./dialogs.js"
import { compareFlows } from "./compare.js"
import { copyAs } from "./detail-actions.js"
import { Detail } from "./detail.js"
import { drawEmpty } from "./empty.js"
import { drawSessions } from "./compare-sessions.js"
import { FilterBox } from "./filter-box.js"
import { FlowGrid } from "./list-grid.js"
import { Flows } from "./flows.js"
import { listenToKeys } from "./keys.js"
import { live } from "./live.js"
import { onWish, setWish, wish } from "./settings.js"
import { Runs } from "./runs.js"
import { seenValues } from "./seen-values.js"
import { separator } from "./separator.js"
import { StatusLines } from "./status-lines.js"
import { Summary } from "./summary.js"
import { TopBar } from "./top-bar.js"

const place = name => document.getElementById(name)
const main = place("main")
const empty = el("div", { class: "empty", hidden: true })
const noted = el("p", { class: "noted", role: "status" })
const side = el("section", { id: "aside", class: "aside", "aria-label": "Comparison", hidden: true })
let status = null
let reach = null
let seen = 0
let highest = 0
let loaded = false

// The list, and what is chosen in it.

const flows = new Flows({
    changed: change => {
        grid.changed(change)
        for (const row of change.rows ?? []) detail.heard(row.id)
        draw()
    },
    loaded: () => {
        loaded = true
        highest = Math.max(highest, flows.ids.at(flows.ids.count - 1) ?? 0)
        grid.loaded(flows.filter === grid.lastFilter)
        grid.lastFilter = flows.filter
        // The list may have been read again under the last filter that was right.
        if (flows.filter === filter.text) filter.right()
        draw()
    },
    failed: (error, wanted) => {
        if (error.status === 400) {
            if (wanted === filter.text) filter.wrong(error)
            // Whoever comes with a wrong filter sees all flows, and the mistake.
            if (!loaded && wanted) flows.load("")
        } else if (error.status !== undefined && error.status !== 401 && error.status !== 403) note(`The list cannot be read: ${error.message}`)
    },
})

const grid = new FlowGrid(flows, {
    choose: id => {
        if (at("flow")) go({ flow: id })
        else say("")
    },
    open,
})

function open(id = grid.selected) {
    if (id === null) return false
    go({ flow: id }, { step: !at("flow") })
}

function close() {
    go({ flow: "", left: "", right: "" }, { step: false })
    grid.reveal()
    grid.focus()
}

const context = {
    close,
    filterBy: term => { filter.write(addTerm(filter.text, term)) },
    compare,
    comparedWith: () => grid.compared,
    presenting: () => wish("present"),
    note,
    hosts: () => status?.hosts ?? {},
    row: id => flows.row(id) ?? null,
    noted: id => detail.heard(id),
}
const detail = new Detail(place("detail"), context)

/** The first flow is kept in mind; the second one is compared with it. */
function compare(id) {
    if (id === null) return
    if (grid.compared === null || grid.compared === id) {
        grid.compared = grid.compared === id ? null : id
        note(grid.compared === null ? "Nothing is kept for comparing" : "Choose another flow and compare: m, or its button")
        grid.draw()
        return detail.redraw()
    }
    const left = grid.compared
    grid.compared = null
    note("")
    grid.draw()
    go({ left, right: id }, { step: true })
}

function note(text) {
    noted.textContent = text
    clearTimeout(note.timer)
    note.timer = setTimeout(() => { noted.textContent = "" }, 4000)
}

// Filter, buttons, lines.

/** A filter that has stood for a while is one that Back returns to. */
const settleLater = whenQuiet(1420, settle)
const noRun = { run: "", with: "", attack: "", host: "", controls: "" }

const filter = new FilterBox({
    changed: (text, settled) => {
        if (text !== at("filter") || at("view") !== "") {
            go({ filter: text, view: "", ...noRun }, { trial: true })
            flows.load(text)
        }
        settled ? settle() : settleLater()
    },
    seen: key => key === "filter" ? filter.names : seenValues(flows.rows, key),
    leave: () => { settle(); grid.focus() },
})

const pause = (on = !flows.paused) => { flows.pause(on); note(on ? "The list is held still" : ""); draw() }
const exporting = () => exportDialog(flows.filter, flows.ids.count)
const view = name => go({ view: name, ...(name === "runs" ? {} : noRun), left: "", right: "" }, { step: true })

const top = new TopBar(place("top"), filter, {
    pause, help, view, export: exporting,
    clear: () => clearDialog(flows.filter, flows.ids.count, () => { close(); flows.reload(); refresh() }),
})
const runs = new Runs(place("runs"))
const lines = new StatusLines(place("footer"), place("connection"), [noted, runs.brief])

fill(place("list"), grid.element, empty)
main.insertBefore(separator(main), place("detail"))
main.append(side)

const summary = new Summary(() => draw())

function draw() {
    if (loaded && reach === true && at("view") === "") summary.see(flows.filter, flows.ids.count)
    lines.draw({ summary: summary.of(flows.filter), listed: loaded ? flows.ids.count : null, filter: flows.filter, status, seen, held: flows.held, paused: flows.paused, reach: reach ?? true })
    top.draw({ view: at("view"), paused: flows.paused, reach: reach ?? true, recording: status?.recording })
    const none = loaded && flows.ids.count === 0
    if (empty.hidden === none || empty.filter !== flows.filter || empty.known !== !!status) {
        empty.hidden = !none
        empty.filter = flows.filter
        empty.known = !!status
        if (none) drawEmpty(empty, status, flows.filter, button("Show all flows", () => filter.write("", true), { class: "main" }))
    }
    document.title = status?.proxy?.[0] && !status.proxy[0].endsWith(":8080") ? `pinproof ${status.proxy[0]}` : "pinproof"
}

/** What the address says. */
function follow(now, old) {
    const list = now.view === ""
    place("list").hidden = !list
    place("runs").hidden = now.view !== "runs"
    const comparing = now.view === "compare" || (now.left !== "" && now.right !== "")
    const left = !side.hidden && !comparing && side.contains(document.activeElement)
    side.hidden = !comparing
    document.body.dataset.view = comparing ? "compare" : now.view || "list"
    document.body.dataset.flow = now.flow && list ? "open" : ""
    if (comparing && (now.left !== old.left || now.right !== old.right || now.view !== old.view)) drawComparison(now)
    if (now.view === "runs") now.view === old.view ? runs.draw() : runs.load()
    if (now.filter !== old.filter && now.filter !== filter.text) {
        filter.show(now.filter)
        flows.load(now.filter)
    }
    const id = now.flow && list ? Number(now.flow) : null
    if (id === null) detail.hide()
    else if (Number.isSafeInteger(id)) {
        if (grid.selected !== id) grid.select(id)
        detail.show(id)
        if (now.tab !== old.tab) detail.draw()
    }
    grid.draw()
    draw()
    if (left && list) backFromComparison()
}

/** The button that began it, or the row. */
function backFromComparison() {
    const began = place("detail").querySelector("[data-key=compare]")
    if (detail.open && began) began.focus({ preventScroll: true })
    else grid.focus()
}

function drawComparison(now) {
    const content = el("div", { class: "aside-body" })
    const title = el("h2", { tabindex: -1 }, now.left ? "Two flows" : "Two sessions")
    fill(side, el("header", { class: "flow-head" }, button("‹ Back", () => history.length > 1 ? history.back() : go({ left: "", right: "", view: "" }), { class: "quiet" }), title), content)
    if (now.left && now.right) compareFlows(content, Number(now.left), Number(now.right))
    else drawSessions(content, now.filter)
    if (!side.contains(document.activeElement)) title.focus({ preventScroll: true })
}

onGo(follow)
onWish(name => {
    if (name !== "present") return
    // What was said aloud may hold what is hidden now.
    say("")
    // What is in no store can be fetched from nowhere.
    if (status?.store) flows.forget()
    listen()
    detail.redraw()
    if (detail.id !== null) detail.heard(detail.id)
    if (!side.hidden && at("left") && at("right")) drawComparison({ left: at("left"), right: at("right") })
    grid.draw()
    draw()
})

// Events, and whether pinproof is there.

api.onReach(how => { reach = how; draw() })

async function refresh() {
    try {
        status = await api.status()
        filter.saved(status.filters ?? [])
        seen = status.flows
        reach = true
    } catch (error) {
        if (error.status !== undefined && error.status !== 401 && error.status !== 403) reach = true
    }
    draw()
}

const listen = live({
    query: () => wish("present") ? "?redact=1" : "",
    opened: () => {
        reach = true
        refresh()
        // What happened before the first event could be heard is in the list that is asked for now.
        flows.reload()
        if (detail.id !== null) detail.heard(detail.id)
    },
    closed: () => { if (reach !== "unknown") reach = false; refresh() },
    heard: event => {
        if (event.event === "flows") {
            // Until the status is asked for again, the total is what it was and what is new since.
            for (const row of event.flows) {
                if (row.id > highest) { highest = row.id; seen += 1 }
            }
            flows.hear(event.flows)
        } else if (event.event === "dropped") {
            status = { ...status, dropped: event.count }
            draw()
        } else if (event.event === "reload" || event.event === "deleted") {
            flows.reload()
            refresh()
            if (detail.id !== null) detail.heard(detail.id)
        }
    },
})
setInterval(() => { if (!document.hidden && reach === true) refresh() }, 5000)

// Keys.

const inList = () => at("view") === ""
const move = by => () => inList() ? grid.move(by) : false
const tab = index => () => detail.open ? detail.tab(index) : false
const chosen = action => () => inList() && grid.selected !== null ? action(grid.selected) : false

listenToKeys({
    "/": () => filter.focus(),
    "j": move(1), "ArrowDown": move(1), "k": move(-1), "ArrowUp": move(-1),
    "PageDown": () => inList() ? grid.page(1) : false, "PageUp": () => inList() ? grid.page(-1) : false,
    "g": () => grid.toFirst(), "Home": () => inList() ? grid.toFirst() : false,
    "G": () => grid.toLast(), "End": () => inList() ? grid.toLast() : false,
    "Enter": () => inList() ? open() : false,
    "1": tab(0), "2": tab(1), "3": tab(2), "4": tab(3), "5": tab(4), "6": tab(5),
    "[": () => detail.open ? detail.step(-1) : false, "]": () => detail.open ? detail.step(1) : false,
    "Escape": () => !side.hidden ? go(at("left") ? { left: "", right: "" } : { view: "" }) : detail.open ? close() : false,
    "c": chosen(id => copyAs(id, "curl", context)),
    "f": chosen(id => { const host = flows.row(id)?.host; if (host) context.filterBy(`host:${quoted(host)}`) }),
    "p": () => pause(), "x": exporting, "m": chosen(compare),
    "r": () => view(at("view") === "runs" ? "" : "runs"),
    "s": () => setWish("present", !wish("present")),
    "?": () => help(),
})

runs.load()
filter.show(at("filter"))
flows.load(at("filter"))
refresh()
follow({ filter: at("filter"), flow: at("flow"), tab: at("tab"), view: at("view"), left: at("left"), right: at("right") }, {})
