// What can be done with one flow: copy it as a command, mark it, write to it, compare it.

import * as api from "./api.js"
import { button, el, fill, say } from "./dom.js"
import { copy } from "./clipboard.js"
import { dialog, menuButton } from "./dialog.js"
import { shownURL } from "./redact.js"

const formats = [["curl", "curl"], ["fetch", "fetch"], ["httpie", "HTTPie"], ["python", "Python"]]

/** Copies a flow as a command and says whether it did. Secrets go along, as without them it would not run; not in presentation mode. */
export async function copyAs(id, format, context) {
    try {
        const text = await api.exported(`id:${id}`, format, !context.presenting())
        const done = await copy(text.trimEnd())
        context.note(done ? `Copied as ${format}` : "It could not be copied")
    } catch (error) {
        context.note(`It could not be copied: ${error.message}`)
    }
}

export function flowActions(flow, context) {
    const request = flow.method !== undefined
    return [
        menuButton("Copy", () => [
            ...(request ? formats.map(([format, words]) => ({ text: `as ${words}`, action: () => copyAs(flow.id, format, context), title: format === "curl" ? "c" : undefined })) : []),
            flow.url ? { text: "URL", action: async () => context.note(await copy(shownURL(flow.url)) ? "Copied the URL" : "It could not be copied") } : null,
            { text: "Flow as JSON", action: () => copyFlow(flow, context) },
        ], { title: "Copy as curl (c) and others", "data-key": "copy" }),
        button(flow.mark || flow.comment ? "Note ✎" : "Note", () => noteDialog(flow, context), { "data-key": "note", title: "Mark it, write a comment" }),
        button(context.comparedWith() === flow.id ? "Compared: choose another" : context.comparedWith() ? "Compare" : "Compare…", () => context.compare(flow.id), { "data-key": "compare", title: "Compare two flows (m)" }),
    ]
}

async function copyFlow(flow, context) {
    try {
        const text = context.presenting() ? await api.exported(`id:${flow.id}`, "jsonl", false) : JSON.stringify(flow, null, 2)
        context.note(await copy(text) ? "Copied as JSON" : "It could not be copied")
    } catch (error) {
        context.note(`It could not be copied: ${error.message}`)
    }
}

const marks = [["", "none"], ["red", "red"], ["amber", "amber"], ["green", "green"], ["blue", "blue"]]

function noteDialog(flow, context) {
    dialog("Mark and comment", close => {
        const chosen = marks.some(([value]) => value === flow.mark) ? flow.mark ?? "" : ""
        const choice = el("div", { class: "marks", role: "radiogroup", "aria-label": "Mark" }, marks.map(([value, words]) =>
            el("label", { class: "mark-choice" }, el("input", { type: "radio", name: "mark", value, checked: value === chosen }), el("span", { class: "mark-sign", "data-mark": value }), words)))
        const text = el("textarea", { id: "comment", class: "value", rows: 5, "data-start": "", placeholder: "Kept with the flow, and in HAR" })
        text.value = flow.comment ?? ""
        const fault = el("p", { class: "fault", role: "alert", hidden: true })
        return [
            el("form", {
                onsubmit: async event => {
                    event.preventDefault()
                    try {
                        await api.note(flow.id, choice.querySelector("input:checked")?.value ?? "", text.value)
                        close()
                        say("Noted")
                        context.noted(flow.id)
                    } catch (error) {
                        fill(fault, error.message).hidden = false
                    }
                },
            }, choice, el("label", { for: "comment" }, "Comment"), text, fault,
            el("p", { class: "dialog-buttons" }, button("Cancel", close), el("button", { type: "submit", class: "main" }, "Keep"))),
        ]
    })
}
