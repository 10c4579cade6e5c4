// Dialogs: a title, a content, buttons; Escape closes, and the focus goes back to where it was.

import { button, el } from "./dom.js"

/** @param make gives the content; it is handed `close`. The focus begins at what has `data-start`, else at the content */
export function dialog(title, make, { wide = false } = {}) {
    const before = document.activeElement
    const made = el("dialog", { class: wide ? "wide" : "", "aria-labelledby": "dialog-title" })
    const close = () => made.close()
    // What is taller than the window is scrolled by keys, too.
    const content = el("div", { class: "dialog-body", tabindex: 0, role: "region", "aria-labelledby": "dialog-title" })
    made.append(el("header", {}, el("h2", { id: "dialog-title" }, title), button("×", close, { class: "quiet", "aria-label": "Close", title: "Close (Escape)" })), content)
    for (const part of [make(close)].flat(Infinity)) if (part) content.append(part)
    made.addEventListener("click", event => { if (event.target === made) close() })
    made.addEventListener("keydown", event => { if (event.key === "Escape") event.stopPropagation() })
    made.addEventListener("close", () => {
        made.remove()
        // It may have been drawn anew meanwhile.
        const back = before?.isConnected ? before : before?.dataset.key ? document.querySelector(`[data-key="${CSS.escape(before.dataset.key)}"]`) : null
        back?.focus({ preventScroll: true })
    })
    document.body.append(made)
    made.showModal()
    ;(made.querySelector("[data-start]") ?? content).focus({ preventScroll: true })
    return made
}

/** A few buttons under another: opens at the button, closes by itself. */
export function menuButton(words, items, attributes = {}) {
    const list = el("div", { class: "menu", role: "menu", hidden: true })
    const made = button(words, () => (list.hidden ? open() : close()), { "aria-haspopup": "menu", "aria-expanded": "false", ...attributes })
    const frame = el("span", { class: "menu-frame" }, made, list)

    function open() {
        list.replaceChildren()
        for (const { text, action, on, title } of items().filter(Boolean)) {
            list.append(button(text, () => { close(); made.focus(); action() }, on === undefined
                ? { role: "menuitem", tabindex: -1, title }
                : { role: "menuitemcheckbox", tabindex: -1, title, "aria-checked": String(on) }))
        }
        list.hidden = false
        made.setAttribute("aria-expanded", "true")
        list.firstChild?.focus()
        // Where it would leave the window on the right, it hangs from its right edge.
        list.dataset.side = made.getBoundingClientRect().left + list.offsetWidth > innerWidth ? "right" : "left"
    }

    function close() {
        list.hidden = true
        made.setAttribute("aria-expanded", "false")
    }

    made.addEventListener("keydown", event => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
        event.preventDefault()
        event.stopPropagation()
        if (list.hidden) open()
        ;(event.key === "ArrowUp" ? list.lastChild : list.firstChild)?.focus()
    })
    list.addEventListener("keydown", event => {
        const all = [...list.children]
        const at = all.indexOf(document.activeElement)
        if (event.key === "ArrowDown") all[(at + 1) % all.length].focus()
        else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length].focus()
        else if (event.key === "Home") all[0].focus()
        else if (event.key === "End") all.at(-1).focus()
        else if (event.key === "Escape") { close(); made.focus() } else return
        event.preventDefault()
        event.stopPropagation()
    })
    frame.addEventListener("focusout", event => { if (!frame.contains(event.relatedTarget)) close() })
    return frame
}
