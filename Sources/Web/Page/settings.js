// What this browser remembers of its reader's wishes; nothing of any flow.

const defaults = { width: 46, compact: false, wrap: true, present: false, body: "pretty" }
const listeners = []
const key = "pinproof"
let values = { ...defaults }

try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "{}")
    for (const name of Object.keys(defaults)) if (typeof kept[name] === typeof defaults[name]) values[name] = kept[name]
} catch { /* a browser without storage: the wishes last as long as the page */ }

export const wish = name => values[name]

export function setWish(name, value) {
    if (values[name] === value) return
    values = { ...values, [name]: value }
    try { localStorage.setItem(key, JSON.stringify(values)) } catch { /* as above */ }
    for (const listener of listeners) listener(name, value)
}

export const onWish = listener => { listeners.push(listener) }
