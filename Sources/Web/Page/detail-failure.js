// The box that answers "why is this not decrypted?".

import * as api from "./api.js"
import { button, el, fill, peer, say, withCode } from "./dom.js"
import { copyButton } from "./clipboard.js"
import { trustDialog } from "./dialogs.js"
import { explained, gateCommand } from "./failure-words.js"

/** The box, or null. */
export function failureBox(flow) {
    const words = explained(flow)
    if (!words) return null
    const host = flow.server?.host ?? flow.tls?.sni
    const said = el("p", { class: "box-said", role: "status" })
    const box = el("section", { class: `box ${flow.failure ? "bad" : "calm"}`, "aria-label": "Why is this not decrypted?" },
        el("h3", {}, peer(words.title)),
        el("dl", {},
            words.happened ? [el("dt", {}, "What happened"), el("dd", {}, withCode(sentence(words.happened)), flow.failure?.alert ? [" Alert: ", peer(flow.failure.alert, "code"), "."] : null)] : null,
            words.why ? [el("dt", {}, "Most likely why"), el("dd", {}, peer(words.why))] : null,
            words.hint || words.act ? [el("dt", {}, "What to do"), el("dd", {}, words.hint ? el("p", {}, withCode(sentence(words.hint))) : null, actions(words, host, said))] : null),
        said)
    if (words.gate && host) {
        const command = gateCommand(host)
        box.append(el("details", {}, el("summary", {}, "Prove that it is a pin"),
            el("p", {}, "pinproof gate shows the app several forged certificates, and tells a pin from a missing CA:"),
            el("p", { class: "command" }, peer(command, "code"), copyButton("Copy", command, { "aria-label": "Copy the gate's command" }))))
    }
    return box
}

/** Words of the command line begin small and have no full stop. */
const sentence = text => text ? text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".") : ""

function actions(words, host, said) {
    const treat = action => async () => {
        try {
            await api.treat(host, action)
            const done = action === "tunnel"
                ? "From its next connection on, this host is passed on as it is, for this run of pinproof."
                : "From its next connection on, this host is decrypted, for this run of pinproof."
            fill(said, done)
            say(done)
        } catch (error) {
            fill(said, `It could not be done: ${error.message}`)
        }
    }
    const list = []
    if (words.act === "trust") list.push(button("How to trust the CA", trustDialog, { class: "main" }))
    if (host && (words.act === "trust" || words.act === "tunnel")) {
        list.push(button("Tunnel this host", treat("tunnel"), { class: words.act === "tunnel" ? "main" : "", title: `Do not decrypt ${host} any more` }))
    }
    if (host && words.act === "intercept") list.push(button("Intercept this host", treat("intercept"), { class: "main", title: `Decrypt ${host}` }))
    return list.length ? el("p", { class: "buttons" }, list) : null
}
