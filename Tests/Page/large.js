// A pinproof with a hundred thousand flows and so many new ones a second, in place of the real one: run before the page's own scripts.
(() => {
    const real = window.fetch
    let number = 100000
    const hosts = ["api.example.com", "cdn.example.com", "www.example.com"]
    const row = id => ({
        id, kind: "http", state: "complete", started: new Date(1767225600000 + id * 10).toISOString(), duration_ms: id % 900, client: "127.0.0.1:50000", host: hosts[id % 3], port: 443,
        scheme: "https", method: id % 5 ? "GET" : "POST", path: `/v1/items/${id}?page=${id % 7}`, status: id % 11 ? 200 : 404, type: "application/json", size: id % 100000,
    })
    const answer = value => new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } })
    window.fetch = async (path, options) => {
        const address = new URL(path, location.href)
        const ids = address.searchParams.get("ids")?.split(",").map(Number)
        await new Promise(done => setTimeout(done, 5))
        if (address.pathname === "/api/index") {
            const all = ids ?? Array.from({ length: number }, (_, index) => index + 1)
            const matching = address.searchParams.get("filter") ? all.filter(id => id % 11 === 0) : all
            return answer({ count: matching.length, ids: matching })
        }
        if (address.pathname === "/api/flows" && ids) return answer({ flows: ids.map(row) })
        if (address.pathname === "/api/status") return answer({ version: "0", store: null, recording: true, flows: number, bytes: 1, dropped: 0, proxy: ["127.0.0.1:8080"] })
        if (address.pathname === "/api/runs") return answer({ runs: [] })
        return real(path, options)
    }
    window.WebSocket = class {
        constructor() {
            setTimeout(() => this.onopen?.(), 10)
            window.flood = perSecond => {
                clearInterval(this.timer)
                let due = 0
                let last = performance.now()
                if (perSecond) this.timer = setInterval(() => {
                    const now = performance.now()
                    due += (now - last) / 1000 * perSecond
                    last = now
                    const flows = []
                    for (; due >= 1; due -= 1) flows.push(row(number += 1))
                    if (flows.length) this.onmessage({ data: JSON.stringify({ event: "flows", flows }) })
                }, 50)
            }
        }
    }
    window.frames_ = []
    window.measure = (milliseconds, each) => new Promise(done => {
        const times = []
        const began = performance.now()
        let last = began
        requestAnimationFrame(function frame(now) {
            times.push(now - last)
            last = now
            each?.(now - began)
            if (now - began < milliseconds) requestAnimationFrame(frame)
            else done(times.slice(1).sort((a, b) => a - b))
        })
    })
})()
