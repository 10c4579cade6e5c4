// The line between list and detail: it is dragged, or moved by arrows.

import { el } from "./dom.js"
import { setWish, wish } from "./settings.js"

const bounds = [25, 75]

/** @param main what the detail's part (percent) is a part of */
export function separator(main) {
    const line = el("div", {
        role: "separator", tabindex: 0, class: "separator", "aria-label": "Width of the flow", "aria-orientation": "vertical",
        "aria-valuemin": bounds[0], "aria-valuemax": bounds[1],
    })
    const set = (part, keep = true) => {
        const width = Math.max(bounds[0], Math.min(bounds[1], Math.round(part)))
        main.style.setProperty("--detail", `${width}%`)
        line.setAttribute("aria-valuenow", width)
        if (keep) setWish("width", width)
    }
    line.addEventListener("pointerdown", event => {
        line.setPointerCapture(event.pointerId)
        const move = one => {
            const box = main.getBoundingClientRect()
            set((box.right - one.clientX) / box.width * 100)
        }
        line.addEventListener("pointermove", move)
        line.addEventListener("lostpointercapture", () => line.removeEventListener("pointermove", move), { once: true })
        event.preventDefault()
    })
    line.addEventListener("keydown", event => {
        const by = { ArrowLeft: 2, ArrowRight: -2 }[event.key]
        if (by) set(wish("width") + by)
        else if (event.key === "Home") set(bounds[1])
        else if (event.key === "End") set(bounds[0])
        else return
        event.preventDefault()
    })
    line.addEventListener("dblclick", () => set(46))
    set(wish("width"), false)
    return line
}
