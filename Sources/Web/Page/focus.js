// Where the keyboard is stays where it was, whatever is drawn anew around it.

import { button } from "./dom.js"

/** What a control is known by when it is drawn again. */
export const kept = key => ({ "data-key": key })

/** The key of the control in there that has the focus, else null. */
export function keptFocus(inside) {
    const active = document.activeElement
    return active && inside.contains(active) ? active.closest("[data-key]")?.dataset.key ?? null : null
}

/** Gives the focus to the control of that key; false where there is none. */
export function focusKept(inside, key) {
    const found = [...inside.querySelectorAll("[data-key]")].find(one => one.dataset.key === key && !one.disabled)
    found?.focus({ preventScroll: true })
    return !!found
}

/** Gives the focus to a heading, from where Tab goes on. */
export function focusHeading(heading) {
    if (!heading) return
    heading.setAttribute("tabindex", "-1")
    heading.focus({ preventScroll: true })
    heading.scrollIntoView({ block: "start" })
}

/** Whether nobody has the focus: what had it is gone. */
export const focusIsLost = () => document.activeElement === null || document.activeElement === document.body

/** What can have the focus. */
const focusable = "button, a[href], input, select, textarea, summary, [tabindex]"

const nameOf = element => element.dataset.key ?? element.getAttribute("aria-label") ?? element.textContent.slice(0, 200)

/** Draws, and gives the focus to what stands now where it was: by name, else by place, else to what all of it lies in. */
export function keepFocus(holder, draw) {
    const old = document.activeElement
    if (!old || old === holder || !holder.contains(old)) return draw()
    const alike = element => element.localName === old.localName && (element.dataset.key ?? "") === (old.dataset.key ?? "")
    const place = [...holder.querySelectorAll(focusable)].filter(alike).indexOf(old)
    const name = nameOf(old)
    const result = draw()
    if (old.isConnected && document.activeElement === old) return result
    const all = [...holder.querySelectorAll(focusable)].filter(alike)
    const named = all.filter(element => nameOf(element) === name)
    const next = named.length === 1 ? named[0] : named.includes(all[place]) ? all[place] : named[0] ?? (old.dataset.key ? all[0] : null)
    ;(next ?? holder.closest("[tabindex]"))?.focus({ preventScroll: true })
    return result
}

/** A button that shows more. Where it goes with that, the focus goes to what `action` gives, else to what it was in. */
export function more(words, action) {
    const made = button(words, () => {
        const around = made.parentElement?.closest("[tabindex]")
        const next = action(made)
        if (!made.isConnected || made.hidden) (next ?? around)?.focus({ preventScroll: true })
    }, { class: "more" })
    return made
}
