// What people read: signs, numbers, rows, times, failures, secrets.

import { holds, same, test } from "./check.js"
import { base64OfHex, duration, parameter, shortType, size, withoutPort } from "/assets/text.js"
import { cut, lineSigns, signs } from "/assets/signs.js"
import { explained, gateCommand, sentence } from "/assets/failure-words.js"
import { hostOf, pathOf, sizeOf, spoken, statusOf, timeOf, typeOf } from "/assets/row-text.js"
import { isSecret, shown, shownText, shownURL } from "/assets/redact.js"
import { phasesOf, spanOf } from "/assets/timing.js"
import { matchingMessages, messageLine } from "/assets/message-text.js"
import { pinFormats } from "/assets/pins.js"

test("control and direction characters are signs", () => {
    same(signs("a\u001b[31m\u202eb\u0000\u007f"), "a␛[31m[U+202E]b␀␡")
    same(signs("a\r\nb\tc\rd"), "a\nb\tc␍d")
    same(lineSigns("a\nb\tc"), "a␊b␉c")
    same(signs("\u200b\ufeff\u2028\u0085\u00ad"), "[U+200B][U+FEFF][U+2028][U+0085][U+00AD]")
    same(signs("\ud800x\udc00"), "[U+D800]x[U+DC00]")
    same(signs("Grüße 👋🏽 日本 العربية"), "Grüße 👋🏽 日本 العربية")
    same(cut("x".repeat(400)).length, 301)
})

test("sizes and times are short", () => {
    same([0, 1023, 1024, 4198, 102_400, 1048576, 3.1e9].map(size), ["0 B", "1023 B", "1.0 kB", "4.1 kB", "100 kB", "1.0 MB", "2.9 GB"])
    same(size(undefined), "–")
    same([0.44, 41.2, 999.6, 3100, 59_960, 124_000, 3_780_000].map(duration), ["0.4 ms", "41 ms", "1.0 s", "3.1 s", "1m 0s", "2m 4s", "1h 3m"])
})

test("types are short", () => {
    same(["application/json; charset=utf-8", "application/problem+json", "image/svg+xml", "text/event-stream", "application/grpc+proto", "application/vnd.api", ""].map(shortType), ["json", "json", "svg", "sse", "grpc", "api", ""])
    same(parameter('multipart/form-data; boundary="a;b"', "boundary"), "a;b")
    same(parameter("text/plain", "charset"), null)
})

test("an address loses its port", () => {
    same(["127.0.0.1:50123", "[::1]:80", "pixel-8", "::1"].map(withoutPort), ["127.0.0.1", "::1", "pixel-8", "::1"])
})

const row = { id: 1, kind: "http", state: "complete", started: "2026-01-01T00:00:00Z", duration_ms: 41, host: "a.example", port: 443, scheme: "https", method: "GET", path: "/x?y=1", status: 200, type: "application/json", size: 5 }

test("a status says without colour what happened", () => {
    const sign = change => statusOf({ ...row, ...change }).sign
    same([{}, { status: 302 }, { status: 304 }, { status: 404 }, { failure: "origin-reset" }, { kind: "tunnel" }, { state: "open", status: undefined }, { state: "aborted", status: undefined }, { state: "aborted" }, { kind: "websocket" }].map(sign),
        ["200", "302 →", "304", "404", "✕", "–", "…", "↯", "200 ↯", "⇄"])
})

test("a row's cells are words", () => {
    same(pathOf(row), { words: "/x", query: "?y=1" })
    same(pathOf({ ...row, method: undefined, path: undefined, failure: "x", text: "refused our certificate\nand more" }).words, "refused our certificate")
    same(pathOf({ ...row, failure: "x", text: "the server closed the connection\nand more" }), { words: "/x", query: " the server closed the connection" }, "what was asked for is not lost")
    same(hostOf({ ...row, port: 8443 }), "a.example:8443")
    same(hostOf({ ...row, scheme: "http", port: 80 }), "a.example")
    same(typeOf({ ...row, kind: "websocket" }), "ws")
    same(sizeOf({ ...row, messages: 31 }), "31 msg")
    same(timeOf({ ...row, state: "open", duration_ms: undefined }, Date.parse(row.started) + 3100), "3.1 s")
    same(spoken(row), "200 GET a.example /x?y=1 json 5 B 41 ms")
})

test("a hostile host and path are cut and shown as signs", () => {
    holds(pathOf({ ...row, path: `/${"x".repeat(1e6)}` }).words.length < 400, "not cut")
    same(pathOf({ ...row, path: "/\u202e<b>" }).words, "/[U+202E]<b>")
})

test("phases follow each other, and what was reused is said", () => {
    const fresh = phasesOf({ kind: "http", state: "complete", duration_ms: 100, tls: {}, timing: { blocked_ms: 0, connect_ms: 10, tls_ms: 20, client_tls_ms: 2, sent_ms: 31, first_byte_ms: 90, last_byte_ms: 100 } })
    same(fresh.phases.map(phase => [phase.name, Math.round(phase.from), Math.round(phase.to)]), [["Connect to server", 0, 10], ["TLS with server", 10, 30], ["Send request", 30, 31], ["Wait for answer", 31, 90], ["Receive answer", 90, 100]])
    same(fresh.reused, [])
    const reused = phasesOf({ kind: "http", state: "complete", duration_ms: 50, tls: {}, timing: { sent_ms: 1, first_byte_ms: 40, last_byte_ms: 50 } })
    same(reused.reused.length, 2)
    const earlier = phasesOf({ kind: "http", state: "complete", timing: { connect_ms: 10, tls_ms: 20, sent_ms: 1, first_byte_ms: 5, last_byte_ms: 6 } })
    same([earlier.phases[0].from, earlier.total], [0, 36])
    // However long its upload took, a flow that was recorded here starts when its connection is there.
    const upload = phasesOf({ kind: "http", state: "complete", duration_ms: 1600, timing: { connect_ms: 1000, tls_ms: 48, sent_ms: 1513, first_byte_ms: 1564, last_byte_ms: 1600 } })
    same(upload.phases.map(phase => [phase.name, Math.round(phase.to - phase.from)]), [["Connect to server", 1000], ["TLS with server", 48], ["Send request", 1513], ["Wait for answer", 51], ["Receive answer", 36]])
    const queued = phasesOf({ kind: "http", state: "complete", duration_ms: 500, timing: { blocked_ms: 350, connect_ms: 50, sent_ms: 410, first_byte_ms: 490, last_byte_ms: 500 } })
    same(queued.phases.map(phase => [phase.name, phase.from]), [["Wait for a connection", 0], ["Connect to server", 350], ["Send request", 400], ["Wait for answer", 410], ["Receive answer", 490]])
    same(phasesOf({ kind: "tunnel", state: "open" }).phases, [])
})

test("the waterfall's bars lie within their span", () => {
    const start = Date.parse(row.started)
    same(spanOf(row, start, start + 82), { from: 0, to: 0.5 })
    same(spanOf({ ...row, state: "open", duration_ms: undefined }, start, start + 100, start + 1000), { from: 0, to: 1 })
})

test("every failure is explained, and only what may be tunnelled offers it", () => {
    const of = id => explained({ kind: "failure", server: { host: "a.example" }, failure: { id, text: "t", hint: "h" } })
    same(of("client-refused-certificate").act, "trust")
    holds(of("client-refused-certificate").gate, "no proof is offered")
    same(of("origin-refused").act, undefined)
    holds(of("something-new").title.length > 0, "an unknown failure has no title")
    same(explained({ kind: "http" }), null)
    same(explained({ kind: "tunnel" }).act, "intercept")
})

test("a tunnel says who asked for it", () => {
    const flow = { kind: "tunnel", server: { host: "a.example" } }
    holds(explained(flow, { "a.example": "tunnel" }).why.startsWith("You said so"), "not the page")
    holds(explained(flow, { "a.example": "intercept" }).why.startsWith("The profile"), "not the profile")
    holds(explained(flow).why.startsWith("The profile"), "not the profile")
})

test("a sentence begins with a capital, a host does not", () => {
    same(["down.exam.test:443 refused the connection", "the server is down.", "127.0.0.1 is gone", "a.b", ""].map(sentence),
        ["down.exam.test:443 refused the connection.", "The server is down.", "127.0.0.1 is gone.", "a.b.", ""])
})

test("a host cannot leave the command that is to be copied", () => {
    holds(!gateCommand("a'; rm -rf /").includes("rm -rf"), "the host is in the command")
    holds(gateCommand("api.example.com").includes("api.example.com"), "the host is not in the command")
})

test("secrets are known by name, whatever their case and signs", () => {
    for (const name of ["Authorization", "x-api-key", "apiKey", "access_token", "Set-Cookie", "client_secret", "password", "X-Auth-Token", "sid"]) holds(isSecret(name), name)
    for (const name of ["accept", "next_page_token", "host", "keyboard", "content-type", "tokens_used"]) holds(!isSecret(name), name)
})

test("presentation hides secrets in values, URLs and texts", () => {
    same(shown("cookie", "a", true), "[hidden]")
    same(shown("cookie", "a", false), "a")
    same(shownURL("https://u:p@a/x?api_key=1&y=2#token=3", true), "https://[hidden]@a/x?api_key=[hidden]&y=2#token=[hidden]")
    same(shownText('{"password":"x\\"y","n":1,"token":5}', true), '{"password":"[hidden]","n":1,"token":"[hidden]"}')
    same(shownText("password=a&b=c", true), "password=[hidden]&b=c")
    same(shownText("Authorization: Basic abcdefgh", true), "Authorization: [hidden]")
    holds(!shownText("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", true).includes("eyJ"), "a token is shown")
})

test("messages are one line each and are found by words", () => {
    const messages = [{ from: "client", type: "text", size: 3, data: "Abc\ndef" }, { from: "server", type: "binary", size: 4, base64: "3q2+7w==" }]
    same(messages.map(messageLine), ["Abc␊def", "de ad be ef"])
    same(matchingMessages(messages, "abc from:client").length, 1)
    same(matchingMessages(messages, "-type:text").length, 1)
    same(matchingMessages(messages, "").length, 2)
})

test("pins are base64 in every format", () => {
    same(base64OfHex("00".repeat(32)), "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
    for (const [name, text] of pinFormats("a.example", ["00".repeat(32)])) holds(text.includes("AAAAAAAA"), name)
    holds(pinFormats('a"b', ["00"])[1][1].includes('"HOST"'), "the host is taken as it came")
})
