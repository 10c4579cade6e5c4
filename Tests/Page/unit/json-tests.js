// JSON by token.

import { holds, quick, same, test } from "./check.js"
import { jsonLines, jsonPretty, jsonText, jsonTree } from "/assets/json-tokens.js"

test("numbers, duplicate keys and order stay as they were written", () => {
    const tree = jsonTree('{"b":12345678901234567890,"a":1.50,"a":1e400,"-":-0}')
    same(tree.members.map(({ key, value }) => [key, value.text]), [['"b"', "12345678901234567890"], ['"a"', "1.50"], ['"a"', "1e400"], ['"-"', "-0"]])
})

test("a string's escapes stay, and can be read", () => {
    const { text } = jsonTree('"a\\u202e\\n\\""')
    same(text, '"a\\u202e\\n\\""')
    same(jsonText(text), 'a\u202e\n"')
})

test("what is no JSON is refused with its place", () => {
    for (const [text, at] of [["", 0], ["{", 1], ["[1,]", 3], ["{\"a\" 1}", 5], ["01", 1], ["[1] 2", 4], ["nul", 0], ["\"\u0001\"", 0], ["{a:1}", 1], ["1.", 1]]) {
        let found = null
        try { jsonTree(text) } catch (error) { found = error.at }
        same(found, at, text)
    }
})

test("deep nesting ends in a fault and not in a full stack", () => {
    let message = ""
    try { jsonTree("[".repeat(100_000)) } catch (error) { message = error.message }
    holds(/deeper/.test(message), message)
})

test("a tree is laid out, empty ones on one line", () => {
    same(jsonPretty(jsonTree('{"a":[1,{}],"b":[]}')), '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}')
})

test("lines of JSON are one list, other lines are none", () => {
    same(jsonLines('{"a":1}\n{"a":2}\n').members.length, 2)
    same(jsonLines('{"a":1}'), null)
    same(jsonLines('{\n"a":1}'), null)
})

test("a megabyte is read at once", () => {
    const text = JSON.stringify(Array.from({ length: 30_000 }, (_, id) => ({ id, name: "somebody" })))
    quick(() => same(jsonTree(text).members.length, 30_000))
})
