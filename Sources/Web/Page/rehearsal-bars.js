// The days ahead of one host as bars: from today to the end of each certificate, and of what each build bears.

const day = 24 * 60 * 60 * 1000
/** Roots live for decades, and leaves for weeks: what ends later than this reaches to the edge. */
const longest = 3 * 366 * day

/**
 * `{rows: [{kind, title, words, from, to, pinned}], from, until}`: `from` and `to` in parts of the whole span.
 *
 * @param host of rehearsal.json; its `events`; `today` as YYYY-MM-DD
 */
export function barsOf(host, events, today) {
    const start = Date.parse(today)
    const certificates = host.certificates ?? []
    const ends = certificates.map(one => Date.parse(one.not_after)).filter(Number.isFinite)
    if (!Number.isFinite(start) || !ends.length) return { rows: [] }
    const span = Math.max(day, Math.min(longest, Math.max(...ends) - start))
    const part = date => Math.min(1, Math.max(0, (Date.parse(date) - start) / span))
    const builds = host.builds ?? []
    const rows = certificates.map(one => {
        const by = builds.length > 1 ? builds.filter(build => build.pins?.includes(`sha256/${one.spki_sha256}`)).map(build => build.name) : []
        return {
            kind: "certificate", title: one.chain ? `${one.role} of ${one.chain}` : one.role, to: part(one.not_after), pinned: one.pinned || by.length > 0,
            words: [one.not_after, one.subject, by.length ? `pinned by ${by.join(", ")}` : null].filter(Boolean).join(" · "),
        }
    })
    for (const event of events) {
        if (event.by_ca && Date.parse(event.date) <= start + span) rows.push({ kind: "ca", title: "CA event", from: part(event.date), words: `${event.date} · ${event.event}` })
    }
    if (builds.length > 1 || builds.some(build => build.breaks || build.unprotected)) {
        for (const build of builds) {
            const end = build.breaks ?? build.unprotected
            const rest = build.by === "seen" ? "" : " (by the pins of its files)"
            const words = build.breaks && build.breaks <= today ? "locked out already: the chain of today fits none of its pins" : build.breaks ? `locked out from ${build.breaks} on, if a new key comes then` : build.unprotected ? `works, and is not protected from ${build.unprotected} on` : "works as far as is known"
            rows.push({ kind: "build", title: `build ${build.name}`, to: end ? part(end) : 1, words: words + rest })
        }
    }
    return { rows, from: today, until: new Date(start + span).toISOString().slice(0, 10) }
}
