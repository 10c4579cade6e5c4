// The list of flows against answers that come when the test lets them.

import { Flows } from "/assets/flows.js"
import { holds, same, test } from "/unit/check.js"

/** Takes the place of the API until `end`: questions wait for their answers. */
function script() {
    const theirs = window.fetch
    const waiting = []
    window.fetch = (path, options) => new Promise((resolve, reject) => {
        const url = new URL(path, location.href)
        options.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))
        waiting.push({ url, answer: (value, status = 200) => resolve(new Response(JSON.stringify(value), { status })) })
    })
    const next = async wanted => {
        for (let turn = 0; turn < 400; turn += 1) {
            const found = waiting.findIndex(wanted)
            if (found >= 0) return waiting.splice(found, 1)[0]
            await new Promise(resolve => setTimeout(resolve, 10))
        }
        throw new Error("it was not asked for")
    }
    return {
        list: () => next(({ url }) => url.pathname === "/api/index" && !url.searchParams.has("ids")),
        matching: () => next(({ url }) => url.pathname === "/api/index" && url.searchParams.has("ids")),
        waiting,
        end: () => { window.fetch = theirs },
    }
}

const quiet = () => new Flows({ changed() {}, loaded() {}, failed() {} })
const idsOf = flows => Array.from({ length: flows.ids.count }, (_, index) => flows.ids.at(index))
const until = async (condition, what) => {
    for (let turn = 0; turn < 400 && !condition(); turn += 1) await new Promise(resolve => setTimeout(resolve, 10))
    holds(condition(), what)
}

test("a flow that comes while a filtered list is on its way is in the list", async () => {
    const api = script()
    try {
        const flows = quiet()
        const done = flows.load("res.body:x")
        const list = await api.list()
        // Heard before and after the answer was made; it knows neither.
        flows.hear([{ id: 7 }])
        await new Promise(resolve => setTimeout(resolve, 120))
        same(api.waiting.length, 0, "questions under the old filter")
        list.answer({ ids: [1, 2] })
        await done
        const question = await api.matching()
        same(question.url.searchParams.get("ids"), "7")
        question.answer({ ids: [7] })
        await until(() => flows.ids.count === 3, "it is missing")
        same(idsOf(flows), [1, 2, 7])
    } finally { api.end() }
})

test("what comes while a held list is asked for is held back, and shown when it goes on", async () => {
    const api = script()
    try {
        const flows = quiet()
        flows.pause(true)
        flows.hear([{ id: 3 }])
        same(flows.held, 1)
        const done = flows.load("a")
        const list = await api.list()
        flows.hear([{ id: 4 }])
        list.answer({ ids: [3] })
        await done
        same(idsOf(flows), [3])
        same(flows.held, 1, "held back")
        flows.pause(false)
        const question = await api.matching()
        question.answer({ ids: [4] })
        await until(() => flows.ids.count === 2, "it is missing")
        same(idsOf(flows), [3, 4])
    } finally { api.end() }
})

test("a wrong filter loses nothing of what comes meanwhile", async () => {
    const api = script()
    try {
        const flows = quiet()
        const first = flows.load("")
        ;(await api.list()).answer({ ids: [1] })
        await first
        const wrong = flows.load("hots:a")
        const list = await api.list()
        flows.hear([{ id: 2 }])
        list.answer({ title: "wrong" }, 400)
        await wrong
        await until(() => flows.ids.count === 2, "it is missing")
        same([idsOf(flows), flows.filter], [[1, 2], ""])
    } finally { api.end() }
})
