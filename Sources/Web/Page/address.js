// The page's address is its state: filter, chosen flow, tab, and what is looked at.

const names = ["filter", "flow", "tab", "view", "run", "with", "left", "right", "attack", "host", "controls", "first", "second", "equal"]
let listeners = []
let state = read()

function read() {
    const query = new URLSearchParams(location.search)
    return Object.fromEntries(names.map(name => [name, query.get(name) ?? ""]))
}

export const at = name => state[name]

/** What was there before something was tried out, and has no entry of the history yet. */
let before = null

function addressOf(one) {
    const query = new URLSearchParams(names.filter(name => one[name] !== "").map(name => [name, one[name]]))
    return query.size ? `/?${query}` : "/"
}

/** Changes parts of the state. `step` makes it one that the browser's Back undoes; what is tried out (`trial`) becomes one when it is settled. */
export function go(change, { step = false, quiet = false, trial = false } = {}) {
    const next = { ...state }
    for (const [name, value] of Object.entries(change)) next[name] = value === null || value === undefined ? "" : String(value)
    if (names.every(name => next[name] === state[name])) return
    if (step) settle()
    if (trial) before ??= state
    const old = state
    state = next
    history[step ? "pushState" : "replaceState"](null, "", addressOf(state))
    if (!quiet) tell(old)
}

/** What was tried out stays: Back gives what was there before. */
export function settle() {
    const old = before
    before = null
    if (!old || old.filter === state.filter) return
    history.replaceState(null, "", addressOf(old))
    history.pushState(null, "", addressOf(state))
}

/** Told of every change with the state before it. */
export function onGo(listener) { listeners.push(listener) }

function tell(old) {
    for (const listener of listeners) listener(state, old)
}

addEventListener("popstate", () => {
    const old = state
    before = null
    state = read()
    tell(old)
})
