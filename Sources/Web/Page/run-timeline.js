// A run, start by start: what was presented in each connection, what the client did, and what it printed.

import { button, el, fill, peer } from "./dom.js"
import { focusHeading } from "./focus.js"
import { cut } from "./signs.js"
import { alertWords, attackOf, didOf, judgedLines, judgement, whenOf } from "./run-words.js"
import { count, duration, plural } from "./text.js"

const step = 200

/**
 * The timeline of a run: `element`, `look({attack, host, controls})` that shows a part of it, `arrive()` that goes there.
 *
 * @param run as the API gives it; `choose(change)` is told what is to be looked at; `names` of certificates by their hashes
 */
export function timeline({ report, list, trials, client, names, choose }) {
    const judged = judgedLines(report)
    const judgedHosts = new Set((report.hosts ?? []).map(host => host.host))
    const outputs = outputsOf(client)
    const numbers = [...new Set([...trials.keys(), ...[...outputs.keys()].filter(number => number !== null), ...list.map(one => one.trial).filter(number => number !== undefined)])].sort((a, b) => a - b)
    const [attackSelect, hostSelect] = ["attack", "host"].map(key => el("select", { id: `timeline-${key}`, onchange: event => choose({ [key]: event.target.value }) }))
    const controlsBox = el("input", { type: "checkbox", id: "timeline-controls", onchange: event => choose({ controls: event.target.checked ? "1" : "" }) })
    const controlsPart = el("span", { class: "check" }, controlsBox, el("label", { for: "timeline-controls" }, "with what the controls did in the same starts"))
    const heading = el("h3", {}, "Connections")
    const total = el("p", { class: "dim", role: "status" })
    const rows = el("ol", { class: "timeline", "aria-label": "Connections" })
    const rest = el("p", {})
    const other = otherOutput(outputs.get(null))
    let items = []
    let at = 0

    const more = () => {
        const to = Math.min(items.length, at + step)
        for (; at < to; at += 1) rows.append(items[at].one ? connectionRow(items[at].one, judged, names) : trialHead(items[at].trial, trials.get(items[at].trial), outputs.get(items[at].trial), items[at].none))
        fill(rest, at < items.length ? button(`Show ${count(Math.min(step, items.length - at))} more of ${count(items.length)} lines`, () => {
            const shown = rows.childElementCount
            more()
            rows.children[shown]?.querySelector("summary")?.focus()
        }, { class: "more" }) : null)
    }

    let looked = null

    const look = ({ attack = "", host = "", controls = "" }) => {
        // What is open stays open while nothing else is asked for.
        const key = JSON.stringify([attack, host, controls])
        if (key === looked) return
        looked = key
        const isPart = attack !== "" || host !== ""
        choices(attackSelect, "all attacks", attackChoices(list.filter(one => !host || one.host === host), report.attacks), attack)
        choices(hostSelect, "all hosts", hostChoices(list, judgedHosts), host)
        controlsBox.checked = controls !== ""
        controlsPart.hidden = !isPart || (host !== "" && !judgedHosts.has(host))
        const chosen = chosenConnections(list, { attack, host, controls: controls !== "", judged: judgedHosts })
        items = itemsOf(chosen, numbers, isPart)
        total.textContent = `${isPart ? `${count(chosen.length)} of ${plural(list.length, "connection")}` : plural(list.length, "connection")} in ${plural(items.filter(item => item.trial !== undefined).length, "start")}`
        at = 0
        fill(rows)
        rows.hidden = !items.length
        more()
        if (other) other.hidden = isPart
    }

    return {
        look, arrive: () => focusHeading(heading),
        element: el("section", { class: "connections", "aria-label": "Timeline" }, heading,
            el("p", { class: "timeline-filter" }, [[attackSelect, "Attack"], [hostSelect, "Host"]].map(([select, words]) => el("span", { class: "choice" }, el("label", { for: select.id }, words), select)), controlsPart), total,
            el("p", { class: "dim" }, "Each line says what the verdict counts it as. A host that has to refuse refuses by an alert, or by closing in the handshake or after it without a byte; a single connection with data is an acceptance."),
            rows, rest, other),
    }
}

function choices(select, all, list, value) {
    fill(select, el("option", { value: "" }, all), list.map(({ name, times, control }) => el("option", { value: name }, `${cut(name, 80)} (${count(times)}${control ? ", not judged" : ""})`)))
    if (value && !list.some(({ name }) => name === value)) select.append(el("option", { value }, `${cut(value, 80)} (0)`))
    select.value = value
}

/** Starts, each with its connections; of a part, only the starts that have some. */
export function itemsOf(chosen, numbers, isPart) {
    const byTrial = new Map(numbers.map(number => [number, []]))
    const outside = []
    for (const one of chosen) (byTrial.get(one.trial) ?? outside).push(one)
    const items = []
    for (const [trial, ones] of byTrial) if (ones.length || !isPart) items.push({ trial, none: !ones.length }, ...ones.map(one => ({ one })))
    return [...items, ...outside.map(one => ({ one }))]
}

function trialHead(number, trial, output, none) {
    const { start, end } = trial ?? {}
    const ended = end ? end.timed_out ? "timed out" : end.signal !== undefined ? `ended by signal ${end.signal}` : end.exit !== undefined ? `COMMAND exited ${end.exit}` : "ended" : "no end noted"
    return el("li", { class: "trial" }, el("strong", {}, `Trial ${number}`), start ? [" ", el("code", {}, `${start.attack}${start.variant ? `/${start.variant}` : ""}`)] : null,
        el("span", { class: "dim" }, trial ? ` ${ended}${end?.seconds !== undefined ? ` after ${end.seconds.toFixed(1)} s` : ""}` : "", none ? ", no connection" : ""), outputView(output))
}

/** @param names what is known of certificates, by their hashes */
function connectionRow(one, judged, names) {
    const { word, tone, about } = judgement(one, judged)
    const facts = []
    const put = (name, value) => { if (value !== undefined && value !== null && value !== "" && value?.length !== 0) facts.push(el("dt", {}, name), el("dd", {}, value)) }
    put("Counted as", about)
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
    put("Alerts", one.alerts?.length ? el("ul", {}, one.alerts.map(alert => el("li", {}, peer(alertWords(alert))))) : null)
    put("Evidence", one.line && `line ${one.line} of evidence.jsonl`)
    return el("li", { "data-tone": tone }, el("details", {},
        el("summary", {}, el("span", { class: "dim when" }, whenOf(one.at)), el("span", { class: "what" }, word), el("code", {}, attackOf(one)), peer(one.host ?? one.target ?? "", "span", { class: "who" }), peer(didOf(one), "span", { class: "did" })),
        el("dl", { class: "facts" }, facts)))
}

/** By its names where they are known, and always by its hash. */
function certificate(hash, known) {
    if (!known) return peer(hash)
    return [peer(known.subject), el("span", { class: "dim" }, " issued by "), peer(known.issuer), el("span", { class: "dim" }, ` until ${String(known.not_after).slice(0, 10)}, SHA-256 `), peer(hash)]
}

// Which connections are looked at: of an attack, of a host, with what the controls did beside them.

export const familyOf = one => attackOf(one).split("/")[0]

/**
 * @param judged names of the hosts that the report judges: all others are controls, and hosts that nobody named
 * @returns the connections that are asked for, in their order
 */
export function chosenConnections(list, { attack = "", host = "", controls = false, judged }) {
    if (!attack && !host) return list
    const attackOfTrial = new Map()
    for (const one of list) if (judged.has(one.host) && familyOf(one) !== "passthrough") attackOfTrial.set(one.trial, [...attackOfTrial.get(one.trial) ?? [], familyOf(one)])
    const asked = one => {
        if (host && one.host !== host) return false
        if (!attack) return true
        if (judged.has(one.host)) return familyOf(one) === attack
        // What a control did in a start of that attack; it is shown the trusted CA in all of them.
        return host !== "" && (familyOf(one) === attack || (attackOfTrial.get(one.trial) ?? []).includes(attack))
    }
    const chosen = new Set(list.filter(asked))
    if (!controls) return [...chosen]
    const trials = new Set([...chosen].map(one => one.trial))
    return list.filter(one => chosen.has(one) || (!judged.has(one.host) && trials.has(one.trial)))
}

/** Names with the number of their connections, the judged hosts first. */
export function hostChoices(list, judged) {
    const counts = new Map([...judged].map(name => [name, 0]))
    for (const one of list) if (one.host) counts.set(one.host, (counts.get(one.host) ?? 0) + 1)
    return [...counts].map(([name, times]) => ({ name, times, control: !judged.has(name) }))
}

export function attackChoices(list, attacks = []) {
    const counts = new Map()
    for (const one of list) if (familyOf(one)) counts.set(familyOf(one), (counts.get(familyOf(one)) ?? 0) + 1)
    for (const name of attacks) if (!counts.has(name)) counts.set(name, 0)
    return [...counts].map(([name, times]) => ({ name, times }))
}

// What COMMAND printed, start by start.

const most = 65_536
const faulty = /error|fail|fatal|exception|refus|denied|reject|panic|traceback|certificate|\bcurl: \(/i

/** The files of `client/` by the number of their start: `number → {err, out, first}`; those without one under null. */
export function outputsOf(files) {
    const starts = new Map()
    for (const { name, text } of Array.isArray(files) ? files : []) {
        const [, number, stream] = /^(\d+)-.*\.(out|err)$/.exec(name ?? "") ?? []
        if (number === undefined) {
            starts.set(null, [...starts.get(null) ?? [], { name, text: text ?? "" }])
            continue
        }
        const start = starts.get(Number(number)) ?? { err: "", out: "" }
        start[stream] = text ?? ""
        starts.set(Number(number), start)
    }
    for (const [number, start] of starts) if (number !== null) start.first = firstLine(start)
    return starts
}

/** The first line that tells of a fault, else the first one at all. */
export function firstLine({ err = "", out = "" }) {
    const lines = text => text.split(/\r?\n/).map(line => line.trim()).filter(Boolean)
    const [errors, words] = [lines(err), lines(out)]
    return errors.find(line => faulty.test(line)) ?? words.find(line => faulty.test(line)) ?? errors[0] ?? words[0] ?? ""
}

/** One start's output, folded; null where it printed nothing. */
export function outputView(start) {
    if (!start || !(start.err || start.out)) return null
    return folded(["Output ", peer(cut(start.first, 200), "span", { class: "output-first" })], [["stderr", start.err], ["stdout", start.out]])
}

/** Files that belong to no start. */
export function otherOutput(files) {
    if (!files?.length) return null
    return el("section", { "aria-label": "Other output" }, el("h3", {}, "Other output"), files.slice(0, 100).map(({ name, text }) => folded(peer(name ?? ""), [["", text]])))
}

function folded(title, parts) {
    const place = el("details", { class: "output" }, el("summary", {}, title))
    // There may be hundreds of them: their text is laid out when it is asked for.
    place.addEventListener("toggle", () => {
        if (place.childElementCount > 1) return
        for (const [name, text] of parts) {
            if (!text) continue
            if (name) place.append(el("h4", {}, name))
            place.append(el("pre", { class: "text", tabindex: 0, role: "group", "aria-label": name || "Output" }, peer(text.slice(0, most))))
            if (text.length > most) place.append(el("p", { class: "dim" }, `${plural(text.length - most, "more character")}: the run's folder has all of it.`))
        }
    })
    return place
}
