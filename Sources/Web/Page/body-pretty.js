// The pretty form of a body, by its kind; null where Raw or Hex says as much.

import { button, el, peer } from "./dom.js"
import { save } from "./clipboard.js"
import { imageOf, images, kindOfBody, textOfBody } from "./body-kinds.js"
import { jsonView } from "./json-view.js"
import { fieldLines } from "./field-lines.js"
import { fieldsOf } from "./fields.js"
import { graphqlOperations } from "./graphql.js"
import { grpcMessages, grpcWebText } from "./grpc.js"
import { jsonLines, jsonTree } from "./json-tokens.js"
import { hexOf } from "./hex.js"
import { markupLines } from "./markup.js"
import { multipartParts } from "./multipart.js"
import { protobufFields } from "./protobuf.js"
import { protobufView } from "./protobuf-view.js"
import { hidden, isSecret, presenting, shownText } from "./redact.js"
import { cut } from "./signs.js"
import { mediaType, plural, size } from "./text.js"

const markupMost = 256 << 10
const mostParts = 100
const someText = 64 << 10
const someBytes = 1024

/** @param type with its parameters */
export function pretty(kind, bytes, type, depth = 0) {
    switch (kind) {
    case "json": return json(textOfBody(bytes, type).text)
    case "image": return image(bytes, type)
    case "form": return form(textOfBody(bytes, type).text)
    case "multipart": return multipart(bytes, type, depth)
    case "protobuf": return message(bytes)
    case "grpc": return grpc(bytes)
    case "grpc-text": return grpcText(textOfBody(bytes, type).text)
    case "xml":
    case "html": return markup(textOfBody(bytes, type).text, kind === "html")
    case "binary": return /^application\/(octet-stream|x-.*)?$/.test(mediaType(type)) && bytes.length < 1 << 16 ? guess(bytes) : null
    default: return null
    }
}

function json(text) {
    let tree = jsonLines(text)
    if (!tree) {
        try {
            tree = jsonTree(text)
        } catch (error) {
            return [el("p", { class: "dim" }, error.isTooDeep ? "It is not shown as a tree: " : "This is no JSON: ", peer(error.message), error.at === undefined ? "" : `, at character ${error.at + 1}`, "."), el("pre", { class: "text", tabindex: 0 }, peer(shownText(text.slice(0, markupMost))))]
        }
    }
    const operations = graphqlOperations(tree)
    if (!operations) return jsonView(tree)
    return operations.map(({ name, query, rest }) => [
        el("h4", {}, "GraphQL ", peer(name || "query")), el("pre", { class: "text", tabindex: 0 }, peer(shownText(query))),
        rest.members.length ? jsonView(rest) : null,
    ])
}

function image(bytes, type) {
    const plain = imageOf(bytes) ?? (images.has(mediaType(type)) ? mediaType(type) : null)
    if (!plain) return null
    const address = URL.createObjectURL(new Blob([bytes], { type: plain }))
    const picture = el("img", { alt: `Picture, ${plain}, ${size(bytes.length)}`, class: "picture" })
    const about = el("p", { class: "dim" }, `${plain}, ${size(bytes.length)}`)
    picture.addEventListener("load", () => {
        about.textContent = `${plain}, ${picture.naturalWidth} × ${picture.naturalHeight}, ${size(bytes.length)}`
        URL.revokeObjectURL(address)
    })
    picture.addEventListener("error", () => {
        about.textContent = `This is no ${plain} that the browser can show: Hex has its bytes.`
        picture.remove()
        URL.revokeObjectURL(address)
    })
    picture.src = address
    return [el("div", { class: "picture-frame" }, picture), about]
}

function form(text) {
    const fields = fieldsOf(text)
    return fields.length ? fieldLines(fields, "Form") : null
}

function multipart(bytes, type, depth) {
    const parts = depth < 3 ? multipartParts(bytes, type) : null
    if (!parts?.length) return null
    return multipartView(parts, part => pretty(kindOfBody(part.type, part.bytes), part.bytes, part.type, depth + 1))
}

/** @param inner gives the pretty form of a part, or null */
function multipartView(parts, inner) {
    return [
        el("ol", { class: "parts" }, parts.slice(0, mostParts).map((part, index) => el("li", {}, partHead(part, index), partContent(part, inner)))),
        parts.length > mostParts ? el("p", { class: "dim" }, `and ${plural(parts.length - mostParts, "part")} more: Raw has all of them.`) : null,
    ]
}

function partHead(part, index) {
    const name = part.name ?? part.file ?? `part ${index + 1}`
    const isFile = part.file !== null || kindOfBody(part.type, part.bytes) === "binary"
    return el("h4", {}, peer(cut(name, 200)), part.file !== null && part.name !== null ? [" ", peer(cut(part.file, 200), "span", { class: "dim" })] : null,
        el("span", { class: "dim" }, ` ${size(part.bytes.length)} · `, peer(cut(part.type, 100))),
        isFile && !presenting() ? button("Save", () => save(part.bytes, part.file || name), { class: "copy", "aria-label": `Save ${cut(part.file || name, 60)}`, title: "Save the bytes of this part" }) : null)
}

function partContent(part, inner) {
    if (presenting() && isSecret(part.name ?? "")) return el("p", { class: "dim" }, hidden)
    if (!part.bytes.length) return el("p", { class: "dim" }, "Empty.")
    const made = inner(part)
    if (made) return made
    if (kindOfBody(part.type, part.bytes) !== "binary") {
        const { text } = textOfBody(part.bytes, part.type)
        return [
            el("pre", { class: "text", tabindex: 0 }, peer(shownText(text.slice(0, someText)))),
            text.length > someText ? el("p", { class: "dim" }, `The first ${size(someText)}: Save has all of it.`) : null,
        ]
    }
    if (presenting()) return el("p", { class: "dim" }, "Bytes are not shown while secrets are hidden.")
    return el("pre", { class: "text", tabindex: 0 }, hexOf(part.bytes.subarray(0, someBytes)) + (part.bytes.length > someBytes ? " …" : ""))
}

function message(bytes) {
    const fields = protobufFields(bytes)
    return fields ? protobufView(fields) : null
}

/** Bytes that nobody named may be a message. */
function guess(bytes) {
    const fields = protobufFields(bytes)
    return fields?.length ? [el("p", { class: "dim" }, "Nobody says what this is; it reads as a protocol buffer."), protobufView(fields)] : null
}

function grpc(bytes) {
    const { messages, rest } = grpcMessages(bytes)
    if (!messages.length) return null
    return [
        el("ol", { class: "parts" }, messages.slice(0, 200).map((one, index) => el("li", {},
            el("h4", {}, one.trailer ? "Trailers" : `Message ${index + 1}`, el("span", { class: "dim" }, ` ${size(one.bytes.length)}${one.compressed ? ", compressed" : ""}`)),
            one.trailer ? el("pre", { class: "text" }, peer(shownText(new TextDecoder().decode(one.bytes))))
                : one.compressed ? el("p", { class: "dim" }, "The tab Messages has it inflated.")
                    : message(one.bytes) ?? el("pre", { class: "hex" }, hexOf(one.bytes.subarray(0, someBytes)) + (one.bytes.length > someBytes ? " …" : ""))))),
        messages.length > 200 ? el("p", { class: "dim" }, `and ${plural(messages.length - 200, "message")} more: the tab Messages has all of them`) : null,
        rest.length ? el("p", { class: "dim" }, `${size(rest.length)} at the end are no whole message.`) : null,
    ]
}

function grpcText(text) {
    const bytes = grpcWebText(text)
    return bytes && grpc(bytes)
}

function markup(text, html) {
    const block = el("pre", { class: "text markup", tabindex: 0 }, markupLines(shownText(text).slice(0, markupMost), html).map(piece =>
        piece.kind === "text" ? peer(piece.text) : peer(piece.text, "span", { "data-piece": piece.kind })))
    return [block, text.length > markupMost ? el("p", { class: "dim" }, `The first ${size(markupMost)}: Raw has all of it.`) : null]
}
