// Values that were seen in the list, for the filter's completion: the most frequent first.

import { mediaType, shortType, withoutPort } from "./text.js"

const readings = {
    host: row => row.host, method: row => row.method, type: row => row.type && shortOrWhole(row.type), scheme: row => row.scheme,
    status: row => row.status, client: row => row.client && withoutPort(row.client), port: row => row.port, failure: row => row.failure,
    tag: row => row.tags, mark: row => row.mark, path: row => row.path && row.path.split("?")[0], kind: row => row.kind,
}

/** `json` where a filter understands it as the last part of the type, else the type. */
function shortOrWhole(type) {
    const plain = mediaType(type)
    const short = shortType(type)
    return plain.endsWith(`/${short}`) || plain.endsWith(`+${short}`) ? short : plain
}

export function seenValues(rows, key) {
    const read = readings[key]
    if (!read) return []
    const counts = new Map()
    for (const row of rows) {
        for (const value of [read(row)].flat()) {
            if (value === undefined || value === null || value === "") continue
            const text = String(value).slice(0, 120)
            counts.set(text, (counts.get(text) ?? 0) + 1)
        }
    }
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 50).map(([value]) => value)
}
