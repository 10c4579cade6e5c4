// The dialogs of the whole page: keys, export, clear, and how to trust the CA.

import * as api from "./api.js"
import { button, el, fill, link, peer } from "./dom.js"
import { copyButton } from "./clipboard.js"
import { dialog } from "./dialog.js"
import { count, plural } from "./text.js"
import { keys as filterKeys } from "./filter-words.js"

const keyTable = [
    ["/", "Filter"], ["j k ↓ ↑", "Next, previous flow"], ["g G Home End", "First, last flow; the last one follows"],
    ["PgUp PgDn", "A page up, down"], ["Enter", "Open the chosen flow"], ["1 … 6", "Tab of the flow"], ["[ ]", "Previous, next tab"],
    ["Escape", "Close the innermost thing"], ["c", "Copy as curl"], ["f", "Filter by the host of the flow"], ["p", "Pause, go on"],
    ["m", "Choose a flow to compare with; on a second one, compare"], ["x", "Export"], ["r", "Gate runs, traffic"], ["s", "Hide secrets"], ["?", "This help"],
]

export function help() {
    dialog("Keys and filters", () => [
        el("table", { class: "keys" }, el("tbody", {}, keyTable.map(([keys, words]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, keys)), el("td", {}, words))))),
        el("h3", {}, "Filters"),
        el("p", { class: "dim" }, "Terms hold together; or, not, - and parentheses as usual. A bare word is looked for in URLs, headers and text bodies. To find something in a long list, filter it: the browser's own search sees only the rows on the screen."),
        el("table", { class: "keys" }, el("tbody", {}, filterKeys.map(([, example, words]) => el("tr", {}, el("th", { scope: "row" }, el("code", {}, example)), el("td", {}, words))))),
    ], { wide: true })
}

const formats = [["har", "HAR, for other tools"], ["jsonl", "JSON lines, nothing lost"], ["curl", "curl commands"], ["fetch", "fetch, for JavaScript"],
    ["httpie", "HTTPie"], ["python", "Python, with requests"], ["raw", "Raw bytes"], ["pcapng", "pcapng, for Wireshark"]]

export function exportDialog(filter, number) {
    dialog("Export", close => {
        const format = el("select", { id: "export-format", "data-start": "" }, formats.map(([name, words]) => el("option", { value: name }, words)))
        const secrets = el("input", { type: "checkbox", id: "export-secrets" })
        const made = () => api.exportAddress(filter, format.value, secrets.checked)
        if (!number) return nothing(filter, "save", close)
        return [
            el("p", {}, filter ? [`${plural(number, "flow")} that match `, peer(filter, "code")] : `All ${plural(number, "flow")}`, "."),
            el("p", {}, el("label", { for: "export-format" }, "Format "), format),
            el("p", {}, secrets, el("label", { for: "export-secrets" }, " With secrets: passwords, tokens and cookies as they were")),
            el("p", { class: "dialog-buttons" }, button("Cancel", close), button("Save", () => {
                const download = document.createElement("a")
                download.href = made()
                download.download = ""
                download.click()
                close()
            }, { class: "main" })),
        ]
    })
}

export function clearDialog(filter, number, done) {
    dialog("Clear", close => {
        if (!number) return nothing(filter, "delete", close)
        const fault = el("p", { class: "fault", role: "alert", hidden: true })
        return [
            el("p", {}, filter ? [`Delete the ${plural(number, "flow")} that match `, peer(filter, "code"), "? The others stay."] : `Delete all ${plural(number, "flow")}?`, " This cannot be undone."),
            fault,
            el("p", { class: "dialog-buttons" }, button("Cancel", close, { "data-start": "" }), button(`Delete ${count(number)}`, async () => {
                try {
                    await api.remove(filter)
                    close()
                    done()
                } catch (error) {
                    fill(fault, error.message).hidden = false
                }
            }, { class: "main bad" })),
        ]
    })
}

/** Where no flow is listed. */
const nothing = (filter, verb, close) => [
    el("p", {}, filter ? ["No flow matches ", peer(filter, "code"), `: there is nothing to ${verb}.`] : `There are no flows: there is nothing to ${verb}.`),
    el("p", { class: "dialog-buttons" }, button("Cancel", close, { "data-start": "" }), button(verb === "save" ? "Save" : "Delete", () => {}, { class: "main", disabled: true })),
]

export function trustDialog() {
    const site = "http://pinproof.test/"
    dialog("How to trust the CA", () => [
        el("p", {}, "A client that is to be decrypted has to trust pinproof's CA. On the device, through the proxy, open"),
        el("p", { class: "address" }, el("code", {}, site), copyButton("Copy", site, { "aria-label": "Copy the address" })),
        el("p", {}, "It has the CA's files and the steps for iOS, Android, emulators, macOS, Windows, Linux, Firefox, Java, Node.js, Python, Flutter and React Native, and it says whether the device trusts the CA. A device that does not use the proxy yet opens the proxy's own address."),
        el("p", {}, "Without a browser, in a terminal of this computer:"),
        el("p", { class: "address" }, el("code", {}, "pinproof ca export --out ca-files"), copyButton("Copy", "pinproof ca export --out ca-files", { "aria-label": "Copy the command" })),
        el("p", { class: "dim" }, "A client that refuses it all the same has a pin, or a list of its own. That is what pinproof gate proves."),
    ])
}

/** Where a thing of the API is to be saved. */
export function saveLink(words, address, attributes = {}) {
    const made = link(words, address, { class: "save", ...attributes })
    made.download = ""
    return made
}
