// GraphQL in a JSON body: the query laid out, and its variables.

import { jsonText } from "./json-tokens.js"

/** `[{name, query, rest}]` of one operation or a batch: `rest` is the tree without the query; null where there is none. */
export function graphqlOperations(tree) {
    const list = tree.kind === "array" ? tree.members.map(member => member.value) : [tree]
    const operations = list.map(operation)
    return operations.length && operations.every(Boolean) ? operations : null
}

function operation(tree) {
    if (tree.kind !== "object") return null
    const member = name => tree.members.find(one => one.key === `"${name}"`)?.value
    const query = member("query")
    if (query?.kind !== "string") return null
    const text = jsonText(query.text)
    if (!/^\s*(#.*\s*)*(query|mutation|subscription|fragment|\{)/.test(text)) return null
    const name = member("operationName")
    return {
        name: name?.kind === "string" ? jsonText(name.text) : (/(?:query|mutation|subscription)\s+(\w+)/.exec(text)?.[1] ?? ""),
        query: graphqlPretty(text),
        rest: { kind: "object", members: tree.members.filter(one => one.key !== "\"query\"") },
    }
}

/** One field a line, two spaces a step. What is already laid out over lines keeps its layout. */
export function graphqlPretty(text) {
    if (text.trim().split("\n").length > 2) return text.trim()
    const tokens = text.match(/"""[\s\S]*?"""|"(?:[^"\\]|\\.)*"|#[^\n]*|\.\.\.|[{}()[\]:!=|&@,$]|[^\s{}()[\]:!=|&@,$"#]+/g) ?? []
    let out = ""
    let depth = 0
    let inside = 0
    let last = ""
    const line = () => { out = `${out.trimEnd()}\n${"  ".repeat(depth)}` }
    for (const [index, token] of tokens.entries()) {
        if (token === "(" || token === "[") inside += 1
        if (token === "{" && !inside) {
            depth += 1
            out = `${out.trimEnd()} {`
            line()
        } else if (token === "}" && !inside) {
            depth = Math.max(0, depth - 1)
            line()
            out += "}"
            if (depth || index < tokens.length - 1) line()
        } else {
            const word = /^["\w.]/
            if (word.test(token) && word.test(last) && last !== "..." && !inside) {
                const clause = depth === 0 || last === "on" || tokens[index - 2] === "..." && last === "on"
                if (clause) out += " "
                else line()
            } else if (token === "..." && /[\w)}]$/.test(out) && !inside) line()
            else if ((word.test(token) || token === "$") && (word.test(last) || last === ")" || last === "]" || last === "!")) {
                if (last === ")" && !inside) line()
                else out += " "
            } else if (token === "@" || token === "=") out += " "
            else if (last === ":" || last === "," || last === "=") out += " "
            out += token
        }
        if (token === ")" || token === "]") inside -= 1
        last = token
    }
    return out.trim()
}
