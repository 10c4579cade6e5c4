// Bytes that are read: hex, protocol buffers, gRPC, multipart, forms, GraphQL, XML, kinds of bodies.

import { bytes, holds, same, test } from "./check.js"
import { fieldsOf, queryOf, cookiesOf } from "/assets/fields.js"
import { graphqlOperations, graphqlPretty } from "/assets/graphql.js"
import { grpcMessages, grpcStatus, grpcWebText, grpcWords } from "/assets/grpc.js"
import { hexLines } from "/assets/hex.js"
import { jsonTree } from "/assets/json-tokens.js"
import { kindOfBody, textOfBody, typeOfBody } from "/assets/body-kinds.js"
import { markupLines, markupPieces } from "/assets/markup.js"
import { multipartParts } from "/assets/multipart.js"
import { closeWords, cutWords, kindOf, matchingMessages, messageLine, protobufLine } from "/assets/message-text.js"
import { protobufFields } from "/assets/protobuf.js"

test("hex has sixteen bytes a line, and letters only where ASCII has them", () => {
    const lines = hexLines(bytes("AB", 0, 0x1b, 0xff, "0123456789abcdef"))
    same(lines.length, 2)
    same(lines[0], "00000000  41 42 00 1b ff 30 31 32  33 34 35 36 37 38 39 61  AB···0123456789a")
    same(lines[1].slice(0, 16), "00000010  62 63 ")
})

test("a protocol buffer gives numbers, wire types and what they may mean", () => {
    const [number, text, nested, float] = protobufFields(bytes(0x08, 0x96, 0x01, 0x12, 7, "testing", 0x1a, 2, 0x08, 0x01, 0x25, 0, 0, 0x80, 0x3f))
    same([number.number, number.wire, number.readings[0]], [1, "varint", "150"])
    same([text.number, text.text], [2, "testing"])
    same(nested.fields[0].readings, ["1", "sint -1", "true"])
    same(float.readings[0], "float 1")
})

test("a negative number is read both ways", () => {
    const [field] = protobufFields(bytes(0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01))
    same(field.readings.slice(0, 2), ["18446744073709551615", "int -1"])
})

test("what is no protocol buffer is none", () => {
    for (const wrong of [bytes(0x08), bytes(0x12, 5, "ab"), bytes(0x00, 0x01), bytes(0x0b), bytes(...Array(11).fill(0xff))]) same(protobufFields(wrong), null)
})

test("nesting in a protocol buffer has an end", () => {
    let inner = bytes(0x08, 1)
    for (let depth = 0; depth < 40; depth += 1) inner = bytes(0x0a, inner.length, ...inner)
    holds(protobufFields(inner) !== null, "not read")
})

test("gRPC's frames are told apart, and what is left over is said", () => {
    const { messages, rest } = grpcMessages(bytes(0, 0, 0, 0, 2, 8, 1, 1, 0, 0, 0, 1, 9, 0x80, 0, 0, 0, 3, "a:b", 0, 0, 0))
    same(messages.map(one => [one.compressed, one.trailer, one.bytes.length]), [[false, false, 2], [true, false, 1], [false, true, 3]])
    same(rest.length, 3)
    same(grpcWebText("AAAA")?.length, 3)
    same(grpcWebText("!"), null)
})

test("a multipart body's parts have their names, files and bytes", () => {
    const parts = multipartParts(bytes('pre\r\n--X\r\nContent-Disposition: form-data; name="a"\r\n\r\none\r\n--X\r\nContent-Disposition: form-data; name="f"; filename="ü.txt"\r\nContent-Type: text/x\r\n\r\n--Xy\r\n\r\n--X--'), 'multipart/form-data; boundary="X"')
    same(parts.map(part => [part.name, part.file, part.type, new TextDecoder().decode(part.bytes)]), [["a", null, "text/plain", "one"], ["f", "ü.txt", "text/x", "--Xy\r\n"]])
    same(multipartParts(bytes("x"), "multipart/mixed"), null)
    same(multipartParts(bytes("x"), "multipart/mixed; boundary=Y"), null)
})

test("a body's type has the parameters of its header", () => {
    const side = (type, ...headers) => ({ body: { type }, headers })
    same(typeOfBody(side("multipart/form-data", ["Content-Type", "multipart/form-data; boundary=x"])), "multipart/form-data; boundary=x")
    same(typeOfBody(side("text/html", ["content-type", "application/json"])), "text/html")
    same(typeOfBody(side(undefined, ["content-type", "text/plain; charset=latin1"])), "text/plain; charset=latin1")
    same([typeOfBody(side("text/html")), typeOfBody(undefined)], ["text/html", ""])
})

test("a file's name may be encoded", () => {
    const [part] = multipartParts(bytes("--X\r\nContent-Disposition: form-data; name=a; filename=old; filename*=UTF-8''n%C3%A4w.txt\r\n\r\n1\r\n--X--"), "multipart/mixed; boundary=X")
    same(part.file, "näw.txt")
})

test("gRPC's status is read from trailers or headers", () => {
    const words = response => { const status = grpcStatus({ response }); return status && grpcWords(status) }
    same(words({ headers: [["grpc-status", "5"], ["grpc-message", "no such %E2%82%AC 100% <b>"]] }), "gRPC status 5 NOT_FOUND: no such € 100% <b>")
    same(words({ headers: [], trailers: [["Grpc-Status", "99"]] }), "gRPC status 99")
    same(grpcStatus({ response: { trailers: [["grpc-status", "0"]] } }).code, 0)
    same([words({ headers: [["grpc-status", "x"]] }), words(undefined)], [null, null])
})

test("a close frame has its code, name and reason", () => {
    same([bytes(3, 0xf3, "keepalive ping timeout"), bytes(3, 0xe8), bytes(0x0f, 0xa1, "mine"), bytes(0x0f, 0xa1), bytes()].map(closeWords),
        ["1011 internal error: keepalive ping timeout", "1000 normal closure", "4001 mine", "4001", "no code"])
})

test("a close whose bytes are text is a close all the same, and what is wrong stands in front", () => {
    const close = { type: "close", from: "server", size: 4, data: "\u0010\u0004no" }
    same(messageLine(close), "4100 no")
    same(matchingMessages([close], "4100"), [close])
    const event = { type: "event", name: "content_delta\u202e", from: "server", size: 2, data: "hi" }
    same([messageLine(event), kindOf(event)], ["content_delta[U+202E]: hi", "event content_delta[U+202E]"])
    same([matchingMessages([event], "delta"), matchingMessages([event], "hi"), matchingMessages([event], "-delta")], [[event], [event], []])
    same(messageLine({ type: "close", from: "server", size: 2, base64: "A+4=", fault: "code 1006 may not be sent" }), "(code 1006 may not be sent) 1006")
    const text = { type: "text", from: "server", size: 2, base64: "Yf8=", fault: "this text is not UTF-8" }
    same([messageLine(text), matchingMessages([text], "utf-8")], ["(this text is not UTF-8) 61 ff", [text]])
    const cut = { type: "text", from: "server", size: 512, data: "{\"a\":1", cut: true }
    same([messageLine(cut), matchingMessages([cut], "cut"), cutWords(cut)], ["(cut) {\"a\":1", [cut], "Only its first 6 B of 512 B are here: it broke off, or was too large to keep."])
})

test("a protocol buffer in one line has its first fields", () => {
    same(protobufLine(protobufFields(bytes(0x0a, 3, "Ada", 0x10, 36, 0x1a, 2, 0x08, 1))), '1: "Ada", 2: 36, 3: {1: 1}')
    same(protobufLine([]), "an empty message")
})

test("pairs keep their order, duplicates and what cannot be decoded", () => {
    same(fieldsOf("a=1&a=%C3%B6+x&b&c=%zz&=d"), [["a", "1"], ["a", "ö x"], ["b", ""], ["c", "%zz"], ["", "d"]])
    same(queryOf("https://a/b?x=1?y#z?w"), "x=1?y")
    same(queryOf("https://a/b"), "")
    same(cookiesOf("a=b=c; d"), [["a", "b=c"], ["", "d"]])
})

test("GraphQL is found in its JSON, its query laid out", () => {
    const [operation] = graphqlOperations(jsonTree('{"query":"query A { user(id: 1) { id name } }","variables":{"x":1}}'))
    same(operation.name, "A")
    same(operation.query, "query A {\n  user(id: 1) {\n    id\n    name\n  }\n}")
    same(operation.rest.members.length, 1)
    same(graphqlOperations(jsonTree('{"query":"rain tomorrow"}')), null)
    same(graphqlPretty("{a}"), "{\n  a\n}")
})

test("markup is cut into pieces and nothing is lost", () => {
    const text = '<?xml version="1.0"?><a b="x>y"><!-- c --><![CDATA[<d>]]>t & u<e/></a><'
    same(markupPieces(text).map(piece => piece.text).join(""), text)
    same(markupPieces("<b>").map(piece => piece.kind), ["tag"])
    const laid = html => markupLines(html, true).map(piece => piece.text).join("")
    same(laid("<!doctype html><html><head><style>a > b {}</style><title>T</title></head><body><p>one <b>two</b><br>three</p></body></html>"),
        "<!doctype html>\n<html>\n  <head>\n    <style>a > b {}</style>\n    <title>T</title>\n  </head>\n  <body>\n    <p>one <b>two</b><br>three</p>\n  </body>\n</html>")
    same(laid("<div><pre>a  <div> b</pre><ul><li>1<li>2</ul></div>"), "<div>\n  <pre>a  <div> b</pre>\n  <ul>\n    <li>1\n    <li>2</ul>\n</div>")
    same(laid("</div></p>a<b>"), "</div>\n</p>a<b>")
    same(markupLines("<a><b>1</b><c/></a>", false).map(piece => piece.text).join(""), "<a>\n  <b>1</b>\n  <c/>\n</a>")
})

test("a body's kind comes from its type, else from its bytes", () => {
    for (const [type, content, kind] of [
        ["application/problem+json; charset=utf-8", "x", "json"], ["image/svg+xml", "x", "image"], ["application/grpc+proto", "x", "grpc"], ["text/html", "x", "html"], ["application/soap+xml", "x", "xml"],
        ["application/x-www-form-urlencoded", "a=b", "form"], ["", " [1]", "json"], ["", "\u0000\u0001", "binary"], ["", "hello", "text"], ["application/octet-stream", "<html>", "html"], ["application/x-ndjson", "", "json"],
    ]) same(kindOfBody(type, bytes(content)), kind, type || content)
})

test("text is read by its charset, and by a guess where it has none", () => {
    same(textOfBody(bytes(0xfc), "text/plain; charset=iso-8859-1").text, "ü")
    same(textOfBody(bytes("ü"), "text/plain; charset=nonsense").text, "ü")
    same(textOfBody(bytes(0xfc), "text/plain").text, "ü")
    same(textOfBody(bytes(0xff, 0xfe, 0x41, 0), "").text, "A")
})
