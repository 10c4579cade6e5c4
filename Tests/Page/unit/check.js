// A test is a sentence and a function that throws; files of tests are loaded by name and run one after the other.

const tests = []

export const test = (name, run) => { tests.push({ name, run }) }

export function same(found, wanted, what = "") {
    const [a, b] = [found, wanted].map(value => JSON.stringify(value, (_, one) => typeof one === "bigint" ? `${one}n` : one instanceof Uint8Array ? [...one] : one))
    if (a !== b) throw new Error(`${what ? `${what}: ` : ""}found ${a}, wanted ${b}`)
}

export function holds(condition, what) {
    if (!condition) throw new Error(what)
}

/** Work that grows with the square of its input takes minutes. Other tests may have the processors: the best of five runs counts. */
export function quick(action, what = "it", limit = 2000) {
    let best = Infinity
    for (let run = 0; run < 5 && best >= limit; run += 1) {
        const began = performance.now()
        action()
        best = Math.min(best, performance.now() - began)
    }
    holds(best < limit, `${what} took ${Math.round(best)} ms at best, and not ${limit}`)
}

export const bytes = (...values) => Uint8Array.from(values.flatMap(value => typeof value === "string" ? [...new TextEncoder().encode(value)] : [value]))

window.runTests = async modules => {
    for (const module of modules) {
        try {
            await import(`/unit/${module}`)
        } catch (error) {
            tests.push({ name: module, run() { throw error } })
        }
    }
    const results = []
    for (const { name, run } of tests) {
        try {
            await run()
            results.push({ name, fault: null })
        } catch (error) {
            results.push({ name, fault: `${error.message ?? error}` })
        }
    }
    return results
}
