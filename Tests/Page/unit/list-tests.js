// The filter's completion, the list's numbers, and differences.

import { holds, quick, same, test } from "./check.js"
import { addTerm, complete, completions, hasTerm, isBegun, quoted, termsOf, toggleTerm, unitsOf } from "/assets/filter-words.js"
import { diffFields, diffLines } from "/assets/diff.js"
import { IDs } from "/assets/ids.js"
import { seenValues } from "/assets/seen-values.js"

test("keys are completed at the caret", () => {
    const [choice] = completions("host:a st rest", 9)
    same(choice.text, "status:")
    same(complete("host:a st rest", choice), { text: "host:a status: rest", caret: 14 })
    same(completions("-me", 3)[0].from, 1)
    same(completions('url:"a b st', 11), [])
})

test("values are those that were seen, then known ones, after a comma too", () => {
    const seen = key => key === "host" ? ["api.example.com", "b.example"] : []
    same(completions("host:b", 6, seen)[0].text, "b.example")
    same(completions("method:GET,PO", 13)[0].text, "POST")
    same(complete("method:GET,PO", completions("method:GET,PO", 13)[0]).text, "method:GET,POST ")
    same(completions("is:", 3)[0].text, "failed")
    same(completions("filter:", 7, key => key === "filter" ? ["errors"] : [])[0].text, "errors")
})

test("a value with spaces or signs is quoted", () => {
    same([quoted("a b"), quoted("a"), quoted('x"y'), quoted("-a"), quoted("")], ['"a b"', "a", '"x\\"y"', '"-a"', '""'])
})

test("chips put their term in and take it out", () => {
    same(toggleTerm("host:a", "is:failed"), "host:a is:failed")
    same(toggleTerm("host:a is:failed", "is:failed"), "host:a")
    same(toggleTerm("-is:failed", "is:failed"), "is:failed")
    same(toggleTerm("status:404 or status:500", "type:json"), "(status:404 or status:500) type:json")
    same(toggleTerm("status:404 or type:json", "type:json"), "status:404")
    same(toggleTerm("type:json or status:404", "type:json"), "status:404")
    same(toggleTerm("a or type:json or b", "type:json"), "a or b")
    same(toggleTerm("a or -type:json", "type:json"), "(a or -type:json) type:json")
    same(toggleTerm("a not type:json", "type:json"), "a type:json")
    holds(hasTerm('a is:failed "b c"', "is:failed"), "not found")
    same(termsOf('url:"a b" c'), ['url:"a b"', "c"])
})

test("a clicked value holds for the whole filter", () => {
    same(addTerm("", "host:a"), "host:a")
    same(addTerm("a or b", "host:a"), "(a or b) host:a")
    same(addTerm("(a) or (b)", "host:a"), "((a) or (b)) host:a")
    same(addTerm("(a or b)", "host:a"), "(a or b) host:a")
    same(addTerm("(a or b) c", "-c"), "(a or b) -c")
    same(addTerm("(a or b) -c", "c"), "(a or b) c")
    same(addTerm("(a or b) c", "c"), "(a or b) c")
    same(addTerm("body:\"x or y\" host:a", "-host:a"), "body:\"x or y\" -host:a")
    same(addTerm("a or(b c)", "d"), "(a or(b c)) d")
    same(addTerm("(a or \")\" or b)", "host:a"), "(a or \")\" or b) host:a")
    same(addTerm("host:a", "-host:a"), "-host:a")
})

test("a term whose value is missing is not asked yet", () => {
    same([isBegun("host:"), isBegun("a -is:"), isBegun("mehtod:"), isBegun("host:a"), isBegun("")], [true, true, false, false, false])
})

test("columns count code points", () => {
    same(unitsOf("👋a mehtod:x", 4, 7), { from: 4, to: 11 })
    same(unitsOf("ab", 3, 1), { from: 2, to: 3 })
})

test("numbers are found, put and taken in their order", () => {
    const ids = new IDs([1, 3, 5])
    same([ids.place(3), ids.place(4), ids.put(7), ids.put(4), ids.put(4), ids.take(1), ids.take(9)], [1, -1, 3, 2, -1, 0, -1])
    same(ids.slice(0, 10), [3, 4, 5, 7])
    const other = new IDs([5, 2, 9])
    same([other.place(2), other.put(1), other.has(1), other.take(5), other.place(2)], [1, 3, true, 0, 0])
})

test("a hundred thousand numbers are quick", () => {
    quick(() => {
        const ids = new IDs()
        for (let id = 1; id <= 100_000; id += 1) ids.put(id)
        for (let id = 1; id <= 100_000; id += 1) if (!ids.has(id)) throw new Error("lost")
    })
})

test("differences of lines and of fields", () => {
    same(diffLines("a\nb\nc", "a\nx\nc").map(line => line.kind + line.text), ["samea", "leftb", "rightx", "samec"])
    same(diffFields([["A", "1"], ["a", "2"]], [["a", "1"], ["b", "3"]]), [{ name: "A", left: "1", right: "1", same: true }, { name: "a", left: "2", same: false }, { name: "b", right: "3", same: false }])
})

test("seen values come by how often", () => {
    same(seenValues([{ host: "a" }, { host: "b" }, { host: "b" }], "host"), ["b", "a"])
    same(seenValues([{ type: "application/problem+json" }], "type"), ["json"])
    same(seenValues([{}], "nothing"), [])
})
