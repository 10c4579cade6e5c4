// A body: Pretty, Raw or Hex, with copying, saving and wrapping; fetched only when it is looked at.

import * as api from "./api.js"
import { add, button, el, fill, peer, toggle } from "./dom.js"
import { more } from "./focus.js"
import { copyButton } from "./clipboard.js"
import { saveLink } from "./dialogs.js"
import { hexLines } from "./hex.js"
import { kindOfBody, textOfBody, typeOfBody } from "./body-kinds.js"
import { pretty } from "./body-pretty.js"
import { presenting, shownText } from "./redact.js"
import { setWish, wish } from "./settings.js"
import { cut } from "./signs.js"
import { size } from "./text.js"

/** More than this is not fetched to be looked at. */
const largest = 8 << 20
/** More text than this is shown from its beginning. */
const much = 256 << 10
const hexMuch = 64 << 10

const hidden = "Bytes are not shown while secrets are hidden."

/** Bytes of this side that are in no body: nothing that is read began with them. */
export const hasRawBytes = (flow, side) => flow.kind === "raw" || (!flow[side] && flow.undecodable !== undefined && flow.kind !== "tunnel")

/** @returns `close`, and `ready`, which is kept when what can be shown is there */
export function bodyView(holder, flow, side) {
    const isRaw = hasRawBytes(flow, side)
    const body = flow[side]?.body ?? (isRaw ? { size: 0, kept: 0 } : undefined)
    if (!isRaw && (!body || (!body.size && !body.kept))) {
        if (flow[side]) holder.append(el("p", { class: "dim" }, "No body."))
        return { ready: Promise.resolve() }
    }
    const stop = new AbortController()
    const title = `${side === "request" ? "Request" : "Response"} body`
    const type = typeOfBody(flow[side])
    const whole = body.decoded_size ?? body.size
    const about = el("span", { class: "dim" }, flow[side] ? ` ${size(whole)}` : "", `${body.type ? ` · ` : ""}`, body.type ? peer(body.type.slice(0, 120)) : null)
    const modes = el("span", { class: "segments", role: "group", "aria-label": "How to show the body" })
    const tools = el("span", { class: "tools" })
    const place = el("div", { class: "body-place" }, el("p", { class: "dim" }, "Loading…"))
    holder.append(el("section", { class: "body", "aria-label": title }, el("h3", {}, "Body", about), el("div", { class: "body-bar" }, modes, tools), place))

    // Bytes of no protocol that is read are kept elsewhere, and how many shows when they come.
    const lacking = !isRaw && body.kept < body.size ? `${size(body.kept)} of ${size(body.size)}` : ""
    const notes = [
        lacking ? `Only the first ${lacking} were kept: the rest was beyond --max-body or left out under load.` : null,
        flow.undecodable && side === "response" ? "A part of it could not be decoded." : null,
    ].filter(Boolean)
    let isWire = false
    let isPart = false
    const save = () => presenting() ? el("span", { class: "dim" }, "No copying or saving while secrets are hidden.") : [
        saveLink("Save", api.bodyAddress(flow.id, side, isWire, isPart), { title: isWire ? "Save the bytes as they came" : "Save the bytes as they are, decoded" }),
        lacking ? el("span", { class: "dim" }, ` only the first ${lacking} were kept`) : null,
    ]

    // Of what was not kept there is nothing to show.
    const length = lacking && !body.encoding ? body.kept : whole
    if (isRaw && presenting()) {
        fill(place, el("p", { class: "dim" }, hidden))
        modes.hidden = true
        return { close: () => stop.abort(), ready: Promise.resolve() }
    }
    if (length > largest && !isRaw) {
        fill(place, el("p", { class: "box calm" }, `${size(whole)} are too large to show. `, save()))
        modes.hidden = true
        return { close: () => stop.abort(), ready: Promise.resolve() }
    }
    const fetched = how => api.body(flow.id, side, { ...how, limit: largest, signal: stop.signal })
    const ready = fetched().catch(undecoded).then(found => {
        if (!found) return fill(place, el("p", { class: "dim" }, "Its bytes are not kept."))
        if (!found.bytes.length) return fill(place, el("p", { class: "dim" }, "Its bytes are not kept, or it is empty."))
        if (isRaw && found.whole && found.bytes.length < body.size) notes.push(`Only the first ${size(found.bytes.length)} of ${size(body.size)} were kept: the rest was beyond --max-body.`)
        if (!found.whole) notes.push(`The first ${size(found.bytes.length)}: the rest is too large to show.`)
        show(found.bytes)
    }).catch(error => {
        if (error.name !== "AbortError") fill(place, el("p", { class: "fault" }, `The body cannot be read: ${error.message}`))
    })

    /** What could be decoded of it, else its bytes as they came. */
    async function undecoded(error) {
        if (error.status !== 422 || presenting()) throw error
        const coding = cut(body.encoding ?? "coding", 40)
        const why = /was cut off/.test(error.message) ? `It was cut off before the end of its ${coding}`
            : /not whole yet/.test(error.message) ? "It is not whole yet"
                : /is more than/.test(error.message) ? `It is too large without its ${coding}` : `It is no ${coding} to its end`
        try {
            const part = await fetched({ part: true })
            isPart = true
            notes.push(`${why}: this is as much as could be decoded.`)
            return part
        } catch (again) {
            if (again.status !== 422) throw again
            isWire = true
            notes.push(`${why}, and nothing of it could be decoded: these are its bytes as they came.`)
            return fetched({ raw: true })
        }
    }

    function show(bytes) {
        const kind = kindOfBody(type, bytes)
        const choices = ["pretty", "raw", "hex"]
        const buttons = choices.map(name => button(name[0].toUpperCase() + name.slice(1), () => { setWish("body", name); draw(name) }, { "aria-pressed": "false" }))
        fill(modes, buttons)
        fill(tools, toggle("Wrap", wish("wrap"), on => { setWish("wrap", on); place.dataset.wrap = on }, { title: "Break long lines" }),
            presenting() ? null : copyButton("Copy", () => textOfBody(bytes, type).text, { "aria-label": "Copy the body" }), save())
        place.dataset.wrap = wish("wrap")

        function draw(name) {
            for (const [index, one] of buttons.entries()) one.setAttribute("aria-pressed", choices[index] === name)
            place.replaceChildren(...notes.map(note => el("p", { class: "dim" }, note)))
            if (name === "hex") return drawHex(place, bytes)
            if (name === "raw") return drawText(place, textOfBody(bytes, type).text)
            const made = pretty(kind, bytes, type)
            if (made) add(place, made)
            else if (kind === "binary" || kind === "image") drawHex(place, bytes)
            else drawText(place, textOfBody(bytes, type).text)
        }

        draw(choices.includes(wish("body")) ? wish("body") : "pretty")
    }

    return { close: () => stop.abort(), ready }
}

/** Text as it is; of much, the beginning. */
export function drawText(place, whole) {
    const text = shownText(whole)
    const block = el("pre", { tabindex: 0, class: "text" }, peer(text.slice(0, much)))
    place.append(block)
    if (text.length > much) {
        place.append(more(`Show all ${size(text.length)}`, next => {
            fill(block, peer(text))
            next.remove()
            return block
        }))
    }
}

export function drawHex(place, bytes) {
    if (presenting()) return place.append(el("p", { class: "dim" }, hidden))
    const block = el("pre", { tabindex: 0, class: "hex" })
    let shown = 0
    const next = more("", step)
    function step() {
        const to = Math.min(bytes.length, shown + hexMuch)
        block.append(`${shown ? "\n" : ""}${hexLines(bytes, shown, to).join("\n")}`)
        shown = to
        next.hidden = shown >= bytes.length
        next.textContent = `Show ${size(Math.min(hexMuch, bytes.length - shown))} more of ${size(bytes.length)}`
        return block
    }
    place.append(block, next)
    step()
}
