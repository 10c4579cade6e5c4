// Copying and saving: from the page to the clipboard, or to a file.

import { button, say } from "./dom.js"

export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text)
        return true
    } catch {
        return copyBySelection(text)
    }
}

/** Where the clipboard's own interface is not allowed: in pages that are not from this machine. */
function copyBySelection(text) {
    const area = document.createElement("textarea")
    area.value = text
    area.className = "hidden-visually"
    area.setAttribute("aria-label", "Copied text")
    const focused = document.activeElement
    ;(document.querySelector("dialog[open]") ?? document.body).append(area)
    area.select()
    let done = false
    try { done = document.execCommand("copy") } catch { /* then it could not be copied, and the button says so */ }
    area.remove()
    focused?.focus?.()
    return done
}

/** A button that copies what `text` gives, and says whether it did. */
export function copyButton(words, text, attributes = {}) {
    const made = button(words, async () => {
        let done = false
        try { done = await copy(typeof text === "function" ? await text() : text) } catch { /* said below */ }
        made.textContent = done ? "Copied" : "Not copied"
        say(done ? "Copied" : "It could not be copied")
        clearTimeout(made.back)
        made.back = setTimeout(() => { made.textContent = words }, 1200)
    }, { class: "copy", ...attributes })
    return made
}

export function save(bytes, name) {
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }))
    const made = document.createElement("a")
    made.href = address
    made.download = name.replace(/[^\w.-]+/g, "_").slice(0, 80) || "file"
    made.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
