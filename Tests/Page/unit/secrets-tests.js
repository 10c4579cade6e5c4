// What presentation mode hides in texts, headers and URLs, and what it leaves alone.

import { holds, quick, same, test } from "./check.js"
import { messageLine } from "/assets/message-text.js"
import { shown, shownHeader, shownText, shownURL } from "/assets/redact.js"
import { setWish } from "/assets/settings.js"

const gone = (text, what = text) => holds(!shownText(text, true).includes("seen"), `${what}: ${shownText(text, true)}`)

test("URLs within headers are without their secrets", () => {
    same(shownHeader("Location", "https://a.example/x?token=seen&y=2", true), "https://a.example/x?token=[hidden]&y=2")
    same(shownHeader("Link", "<https://a.example/?access_token=seen>; rel=next", true), "<https://a.example/?access_token=[hidden]>; rel=next")
    same(shownHeader("Refresh", "0; url=https://a.example/?a=1&token=seen", true), "0; url=https://a.example/?a=1&token=[hidden]")
    same(shownHeader("Referer", "https://me:seen@a.example/", true), "https://[hidden]@a.example/")
    same(shownHeader("Content-Type", "multipart/form-data; boundary=x", true), "multipart/form-data; boundary=x")
    same(shownHeader("Location", "https://a.example/x?token=seen", false), "https://a.example/x?token=seen")
})

test("a credential is hidden whatever its header is called", () => {
    for (const scheme of ["Bearer", "basic", "Token"]) same(shownHeader("X-Custom", `${scheme} seen`, true), `${scheme} [hidden]`)
    same(shownHeader("Authorization", "Bearer seen", true), "[hidden]")
    same(shownHeader("Server", "Basics of it", true), "Basics of it")
})

test("several secrets, lists of them and places in those are hidden, and counts are not", () => {
    for (const name of ["access_tokens", "api_keys", "client_secrets", "tokens[0]", "token[value]", "secret_list", "user[passwords][2]", "apiKeyList"])
        same(shown(name, "seen", true), "[hidden]")
    for (const name of ["tokenizer", "max_tokens", "promptTokens", "n_tokens", "keyboard", "sessions", "nextPageTokens", "value", "items[0]"])
        same(shown(name, "4096", true), "4096")
})

test("a URL within a URL, and within a field, is without its secrets", () => {
    same(shownURL("/x?next=https%3A%2F%2Fa%2F%3Ftoken%3Dseen%26b%3D1&c=2", true), "/x?next=https%3A%2F%2Fa%2F%3Ftoken%3D[hidden]%26b%3D1&c=2")
    same(shown("next", "https://a/?token=seen", true), "https://a/?token=[hidden]")
})

test("XML's elements and attributes that are named like secrets are hidden", () => {
    same(shownText("<a><ns:password>seen</ns:password><b token='seen' c='1'>t</b><c api_key=\"a seen\"/></a>", true),
        "<a><ns:password>[hidden]</ns:password><b token='[hidden]' c='1'>t</b><c api_key=\"[hidden]\"/></a>")
    same(shownText('<input name="password" type=text value="seen"><p>kept</p>', true), '<input name="password" type=text value="[hidden]"><p>kept</p>')
    gone("<secret><![CDATA[seen]]></secret>")
    gone("<password>seen without an end")
})

test("JSON within a string of JSON is read, too", () => {
    const inner = { password: "seen \"quoted\" \\", n: 1, deep: JSON.stringify({ token: "seen", list: JSON.stringify({ secret: ["seen", "seen"] }) }) }
    for (const depth of [0, 1, 2, 3]) {
        let text = JSON.stringify(inner)
        for (let index = 0; index < depth; index += 1) text = JSON.stringify({ echo: text, after: "kept" })
        gone(text, `depth ${depth}`)
        JSON.parse(shownText(text, true))
        holds(!depth || shownText(text, true).includes("kept"), "what comes after is gone")
        gone(text.slice(0, text.indexOf("seen") + 4), "cut in the middle of it")
    }
    same(shownText('{"tokens":{"a":["seen"]},"b":{"c":1}}', true), '{"tokens":"[hidden]","b":{"c":1}}')
    same(shownText('{"user":"{\\"name\\":\\"kept\\"}"}', true), '{"user":"{\\"name\\":\\"kept\\"}"}')
})

test("a part of a body that is named like a secret is hidden", () => {
    const body = '--x\r\nContent-Disposition: form-data; name="user"\r\n\r\nkept\r\n--x\r\nContent-Disposition: form-data; name="password"\r\nContent-Type: text/plain\r\n\r\nseen\r\nseen\r\n--x--\r\n'
    same(shownText(body, true), body.replace("seen\r\nseen", "[hidden]"))
})

test("keys without quotes are keys", () => {
    same(shownText('mutation { login(password: "seen", user: "kept") { id } }', true), 'mutation { login(password: "[hidden]", user: "kept") { id } }')
    same(shownText("{'token': 'seen'}", true), "{'token': '[hidden]'}")
})

test("a message's line is without secrets", () => {
    setWish("present", true)
    try {
        const line = messageLine({ from: "server", type: "text", size: 9, data: JSON.stringify({ echo: JSON.stringify({ password: "seen" }) }) })
        holds(!line.includes("seen") && line.includes("echo"), line)
    } finally { setWish("present", false) }
})

test("a long text is without secrets at once, whatever is in it", () => {
    for (const [name, text] of [["backslashes", "\\".repeat(1e6)], ["quotes", '\\"'.repeat(5e5)], ["tags", "<a name=b ".repeat(1e5)], ["pairs", "a=b&".repeat(2e5)],
        ["members", '{"a":"b"},'.repeat(1e5)], ["secrets", '{"token":"seen"},'.repeat(5e4)], ["a word", "a".repeat(1e6)], ["parts", 'Content-Disposition: form-data; name="a"\n'.repeat(2e4)]]) {
        quick(() => shownText(text, true), name)
    }
})
