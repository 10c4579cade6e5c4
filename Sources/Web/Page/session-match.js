// Which requests of two sessions belong together, and how they differ.

/** `[{name, left: {id, words}, right: {id, words}, change: "same" | "left" | "right" | "both"}]`, differing ones first. */
export function matched(left, right) {
    const groups = new Map()
    const put = (rows, side) => {
        for (const row of rows) {
            const path = String(row.path ?? "").split("?")[0]
            const name = `${row.method ?? row.kind ?? ""} ${row.host ?? ""}${path}`.trim()
            if (!groups.has(name)) groups.set(name, { left: [], right: [] })
            groups.get(name)[side].push(row)
        }
    }
    put(left, "left")
    put(right, "right")
    const list = [...groups].map(([name, group]) => {
        const sides = { left: wordsOf(group.left), right: wordsOf(group.right) }
        const change = !group.left.length ? "right" : !group.right.length ? "left" : sides.left.words === sides.right.words ? "same" : "both"
        return { name, ...sides, change }
    })
    return list.sort((a, b) => (a.change === "same") - (b.change === "same"))
}

/** `2 × 200, 401`. */
function wordsOf(rows) {
    const counts = new Map()
    for (const row of rows) {
        const what = row.failure ?? row.status ?? row.kind ?? "open"
        counts.set(what, (counts.get(what) ?? 0) + 1)
    }
    return { id: rows.at(-1)?.id, words: [...counts].map(([what, times]) => times > 1 ? `${times} × ${what}` : String(what)).join(", ") }
}
