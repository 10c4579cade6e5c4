// Every connection of a run in its order: what was presented, and what the client did.

import { button, el, fill, peer } from "./dom.js"
import { attackOf, didOf, toneOfConnection, whenOf } from "./run-words.js"
import { count, duration } from "./text.js"

const step = 200

export function timeline(list, trials, { attack, attacks = [], pinned, choose, names = new Map() }) {
    const present = [...new Set([...list.map(one => attackOf(one).split("/")[0]), ...attacks])].filter(Boolean)
    const shown = attack ? list.filter(one => attackOf(one).split("/")[0] === attack) : list
    const choice = el("select", { id: "timeline-attack", onchange: event => choose(event.target.value) }, el("option", { value: "" }, `all attacks (${count(list.length)})`),
        present.map(name => el("option", { value: name }, `${name} (${count(list.filter(one => attackOf(one).split("/")[0] === name).length)})`)))
    choice.value = present.includes(attack) ? attack : ""
    const rows = el("ol", { class: "timeline", "aria-label": "Connections" })
    const rest = el("p", {})
    let at = 0
    let trial = null
    const more = () => {
        const to = Math.min(shown.length, at + step)
        for (; at < to; at += 1) {
            const one = shown[at]
            if (one.trial !== undefined && one.trial !== trial) {
                trial = one.trial
                rows.append(trialHead(trial, trials.get(trial)))
            }
            rows.append(connection(one, pinned, names))
        }
        fill(rest, at < shown.length ? button(`Show ${count(Math.min(step, shown.length - at))} more of ${count(shown.length)}`, more, { class: "more" }) : null)
    }
    more()
    return el("section", { class: "connections", "aria-label": "Timeline" },
        el("h3", {}, "Connections", el("span", { class: "dim" }, ` ${count(shown.length)}`)),
        el("p", {}, el("label", { for: "timeline-attack" }, "Attack "), choice), shown.length ? rows : el("p", { class: "dim" }, "None was seen."), rest)
}

function trialHead(number, trial) {
    const { start, end } = trial ?? {}
    const ended = end ? end.timed_out ? "timed out" : end.signal !== undefined ? `ended by signal ${end.signal}` : end.exit !== undefined ? `COMMAND exited ${end.exit}` : "ended" : "no end noted"
    return el("li", { class: "trial" }, el("strong", {}, `Trial ${number}`), start ? [" ", el("code", {}, `${start.attack}${start.variant ? `/${start.variant}` : ""}`)] : null,
        el("span", { class: "dim" }, trial ? ` ${ended}${end?.seconds !== undefined ? ` after ${end.seconds.toFixed(1)} s` : ""}` : ""))
}

const words = { data: "sent data", refused: "refused", unclear: "unclear", dim: "untouched" }

/** @param names what is known of certificates, by their hashes */
function connection(one, pinned, names) {
    const tone = toneOfConnection(one)
    const facts = []
    const put = (name, value) => { if (value !== undefined && value !== null && value !== "" && value?.length !== 0) facts.push(el("dt", {}, name), el("dd", {}, value)) }
    put("Client", one.client && peer(one.client_name ? `${one.client_name} ${one.client}` : one.client))
    put("Asked for", one.target && peer(`${one.target}${one.via ? ` by ${one.via}` : ""}`))
    put("Server name", one.hello?.sni && peer(one.hello.sni))
    put("JA4", one.hello?.ja4 && peer(one.hello.ja4))
    put("Client offered", one.hello && peer([`TLS ${(one.hello.versions ?? []).join(", ")}`, ...(one.hello.alpn ?? [])].join(" · ")))
    put("Chain shown", one.presented?.length ? el("ol", { class: "hashes" }, one.presented.map((hash, index) => el("li", {}, el("span", { class: "dim" }, index === 0 ? "leaf " : index === one.presented.length - 1 ? "last " : "issuer "), certificate(hash, names.get(hash))))) : null)
    put("Unlike the genuine one", one.unlike?.length ? peer(one.unlike.join(", ")) : null)
    put("Genuine chain", one.upstream?.chain?.length ? el("ol", { class: "hashes" }, one.upstream.chain.map(hash => el("li", {}, peer(hash)))) : null)
    put("Genuine pins", one.upstream?.spki?.length ? peer(one.upstream.spki.map(pin => `sha256/${pin}`).join(" ")) : null)
    put("Server", one.upstream && peer([one.upstream.address, one.upstream.verified === false ? "not verified" : "verified", one.upstream.error].filter(Boolean).join(", ")))
    put("Agreed", one.negotiated && peer([`TLS ${one.negotiated.version}`, one.negotiated.cipher, one.negotiated.alpn].filter(Boolean).join(", ")))
    put("Our flight", one.flight && `${duration(one.flight.ms)}, ${one.flight.delivered ? "delivered" : "not known to be delivered"}`)
    put("Alerts", one.alerts?.length ? peer(one.alerts.map(alert => `${alert.from}: ${alert.code} after ${duration(alert.ms)}, ${alert.epoch}`).join("; ")) : null)
    put("Evidence", one.line && `line ${one.line} of evidence.jsonl`)
    // Data is what a host that is to refuse must not send; from the others it is wanted.
    return el("li", { "data-tone": tone === "data" && pinned && !pinned.has(one.host) ? "wanted" : tone }, el("details", {},
        el("summary", {}, el("span", { class: "dim when" }, whenOf(one.at)), el("span", { class: "what" }, words[tone]), el("code", {}, attackOf(one)), peer(one.host ?? one.target ?? "", "span", { class: "who" }), peer(didOf(one), "span", { class: "did" })),
        el("dl", { class: "facts" }, facts)))
}

/** By its names where they are known, and always by its hash. */
function certificate(hash, known) {
    if (!known) return peer(hash)
    return [peer(known.subject), el("span", { class: "dim" }, " issued by "), peer(known.issuer), el("span", { class: "dim" }, ` until ${String(known.not_after).slice(0, 10)}, SHA-256 `), peer(hash)]
}
