// The page's address is its state: filter, chosen flow, tab, and what is looked at.

const names = ["filter", "flow", "tab", "view", "run", "with", "left", "right", "attack", "host", "controls", "first", "second", "equal"]
let listeners = []
let state = read()

function read() {
    const query = new URLSearchParams(location.search)
    return Object.fromEntries(names.map(name => [name, query.get(name) ?? ""]))
}

export const at = name => state[name]

/** Changes parts of the state. `step` makes it one that the browser's Back undoes. */
export function go(change, { step = false, quiet = false } = {}) {
    const next = { ...state }
    for (const [name, value] of Object.entries(change)) next[name] = value === null || value === undefined ? "" : String(value)
    if (names.every(name => next[name] === state[name])) return
    const old = state
    state = next
    const query = new URLSearchParams(names.filter(name => state[name] !== "").map(name => [name, state[name]]))
    const text = query.size ? `/?${query}` : "/"
    history[step ? "pushState" : "replaceState"](null, "", text)
    if (!quiet) tell(old)
}

/** Told of every change with the state before it. */
export function onGo(listener) { listeners.push(listener) }

function tell(old) {
    for (const listener of listeners) listener(state, old)
}

addEventListener("popstate", () => {
    const old = state
    state = read()
    tell(old)
})
