// Keys of the whole page. None while somebody types, none with Control, Alt or Meta.

const typing = element => element?.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]")

/** @param actions by key; each gives `false` where it has nothing to do, and then the browser may */
export function listenToKeys(actions) {
    addEventListener("keydown", event => {
        if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
        if (document.querySelector("dialog[open]")) return
        if (typing(event.target)) {
            if (event.key === "Escape") event.target.blur()
            return
        }
        // A list, a separator or tabs of their own have these keys for themselves.
        const own = event.target.closest?.("[role=separator], [role=tablist], [role=tree], [data-own-keys]")
        if (own && /^(Arrow|Home|End|Page|Enter)/.test(event.key)) return
        if (event.key === "Enter" && event.target.closest?.("button, a, summary")) return
        // Text that scrolls is scrolled, unless the list has the focus or nothing has.
        const scrolls = event.target.closest?.("#detail, #runs")
        if (scrolls && /^(Arrow|Home|End|Page)/.test(event.key)) return
        const action = actions[event.key]
        if (!action || action(event) === false) return
        event.preventDefault()
    })
}
