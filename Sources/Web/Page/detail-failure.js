// The box that answers "why is this not decrypted?".

import * as api from "./api.js"
import { button, el, fill, peer, say, withCode } from "./dom.js"
import { copyButton } from "./clipboard.js"
import { trustDialog } from "./dialogs.js"
import { explained, gateCommand, sentence } from "./failure-words.js"

/** The box, or null. */
export function failureBox(flow, context) {
    const treated = context?.hosts?.() ?? {}
    const words = explained(flow, treated)
    if (!words) return null
    const host = flow.server?.host ?? flow.tls?.sni
    const said = el("p", { class: "box-said", role: "status" })
    const box = el("section", { class: `box ${flow.failure ? "bad" : "calm"}`, "aria-label": "Why is this not decrypted?" },
        el("h3", {}, peer(words.title)),
        el("dl", {},
            words.happened ? [el("dt", {}, "What happened"), el("dd", {}, withCode(sentence(words.happened)), flow.failure?.alert ? [" Alert: ", peer(flow.failure.alert, "code"), "."] : null)] : null,
            words.why ? [el("dt", {}, "Most likely why"), el("dd", {}, peer(words.why))] : null,
            words.hint || words.act ? [el("dt", {}, "What to do"), el("dd", {}, words.hint ? el("p", {}, withCode(sentence(words.hint))) : null, actions(words, host, said, treated[host]))] : null),
        said)
    if (words.gate && host) {
        const command = gateCommand(host)
        box.append(el("details", {}, el("summary", {}, "Prove that it is a pin"),
            el("p", {}, "pinproof gate shows the app several forged certificates. With a host that the app calls and does not pin, in the place of ", el("code", {}, "CONTROL-HOST"), ", it tells a pin from a missing CA:"),
            el("p", { class: "command" }, peer(command, "code"), copyButton("Copy", command, { "aria-label": "Copy the gate's command" }))))
    }
    return box
}

/** What this page has said of hosts, so that a box which is drawn again knows it. */
const decided = new Map()

const done = {
    tunnel: "From its next connection on, this host is passed on as it is, for this run of pinproof.",
    intercept: "From its next connection on, this host is decrypted, for this run of pinproof.",
}
const titles = { tunnel: ["Tunnel this host", "Do not decrypt"], intercept: ["Intercept this host", "Decrypt"] }

function actions(words, host, said, treated) {
    const list = []
    if (words.act === "trust") list.push(button("How to trust the CA", trustDialog, { class: "main" }))
    const usual = words.act === "intercept" ? "intercept" : words.act ? "tunnel" : null
    // What was said before, perhaps in another tab, is not offered again.
    const first = treated === usual ? (usual === "tunnel" ? "intercept" : "tunnel") : usual
    if (host && usual) list.push(treatment(host, first, words.act !== "trust", said))
    return list.length ? el("p", { class: "buttons" }, list) : null
}

/** One button: it does a thing, and then offers the way back. */
function treatment(host, usual, isMain, said) {
    const next = () => decided.has(host) ? (decided.get(host) === "tunnel" ? "intercept" : "tunnel") : usual
    const made = button("", async () => {
        const action = next()
        try {
            await api.treat(host, action)
            decided.set(host, action)
            say(done[action])
            draw()
        } catch (error) {
            fill(said, `It could not be done: ${error.message}`)
        }
    }, { class: isMain ? "main" : "" })
    const draw = () => {
        fill(made, titles[next()][0])
        made.title = `${titles[next()][1]} ${host}`
        if (decided.has(host)) fill(said, done[decided.get(host)])
    }
    draw()
    return made
}
