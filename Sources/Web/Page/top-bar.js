// The line at the top: name, filter, chips, and the buttons of the whole list.

import { button, el, fill, toggle } from "./dom.js"
import { menuButton } from "./dialog.js"
import { setWish, wish } from "./settings.js"

export class TopBar {
    /** @param actions `pause(on)`, `clear()`, `export()`, `help()`, `view(name)` */
    constructor(element, filter, actions) {
        this.state = el("span", { class: "state", "aria-hidden": "true" }, "●")
        this.pause = toggle("Pause", false, on => actions.pause(on), { title: "Hold the list still (p); recording goes on" })
        const views = [["", "Traffic"], ["runs", "Runs"]].map(([name, words]) =>
            button(words, () => actions.view(name), { class: "view", "data-view": name, "aria-pressed": "false" }))
        this.views = el("span", { class: "views segments", role: "group", "aria-label": "View" }, views)
        this.buttons = el("div", { class: "buttons", role: "toolbar", "aria-label": "List" },
            this.pause,
            button("Clear", actions.clear, { title: "Delete what the filter shows" }),
            button("Export", actions.export, { title: "Save what the filter shows (x)" }),
            this.more = menuButton("⋯", () => [
                { text: "Hide secrets", on: wish("present"), action: () => setWish("present", !wish("present")), title: "Presentation: passwords, tokens and cookies are hidden on the screen (s)" },
                { text: "Compact rows", on: wish("compact"), action: () => setWish("compact", !wish("compact")) },
                { text: "Compare two sessions", action: () => actions.view("compare") },
                { text: "Keys and filters", action: actions.help, title: "?" },
            ], { "aria-label": "More", title: "More", class: "quiet" }),
            button("?", actions.help, { "aria-label": "Help", title: "Keys and filters (?)", class: "quiet help" }))
        fill(element, el("h1", { class: "name" }, "pinproof ", this.state), this.views, filter.element, filter.chips, this.buttons,
            this.secrets = el("button", { type: "button", class: "presenting", hidden: true, onclick: () => { setWish("present", false); this.more.firstChild.focus() }, title: "Show them again" }, "Secrets hidden"))
    }

    draw({ view, paused, reach, recording }) {
        for (const one of this.views.children) one.setAttribute("aria-pressed", one.dataset.view === view)
        this.pause.setAttribute("aria-pressed", paused)
        this.pause.textContent = "Pause"
        this.state.dataset.state = reach !== true ? "gone" : paused || recording === false ? "paused" : "on"
        this.secrets.hidden = !wish("present")
    }
}
