// Does this device use the proxy, trust its CA, and know what time it is?

const about = location.host === "pinproof.test" ? "/about.json" : "http://pinproof.test/about.json"
const check = "https://check.pinproof.test/"
/** Seconds. Certificates begin two days in the past, but other servers are not so patient with a wrong clock. */
const clockLimit = 120
/** Milliseconds for an answer: everything is in the local network. */
const patience = 8000

const result = document.getElementById("check")
const again = document.getElementById("again")

async function ask(address) {
    const answer = await fetch(address, { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(patience) })
    if (!answer.ok) throw new Error(`${answer.status}`)
    return answer.json()
}

function show(state, ...lines) {
    result.className = state
    result.replaceChildren(...lines.map(line => Object.assign(document.createElement("p"), { textContent: line })))
    again.hidden = false
}

/** What is to be said of a clock that is off, or nothing. */
function clock(time) {
    const seconds = Math.round(Date.now() / 1000 - time)
    if (Math.abs(seconds) <= clockLimit) return []
    const minutes = Math.round(Math.abs(seconds) / 60)
    return [`This device's clock is ${minutes} minutes ${seconds > 0 ? "ahead of" : "behind"} the proxy's: with a wrong time, certificates are refused. Set it by the network.`]
}

async function run() {
    show("", "Asking…")
    let told
    try {
        told = await ask(about)
    } catch {
        return show("bad", "This browser does not use the proxy, or pinproof has ended. Set the proxy as in step 1.")
    }
    const late = clock(told.time)
    if (told.ca.sha256 !== result.dataset.ca) return show("warn", "This browser uses another pinproof, with another CA. Load this page through that one: http://pinproof.test/", ...late)
    try {
        await ask(check)
        show(late.length ? "warn" : "good", "This device trusts the CA.", ...late)
    } catch {
        show("bad", "This browser uses the proxy, but does not trust the CA: see step 2. On an iPhone or iPad the switch under Certificate Trust Settings is needed as well.", ...late)
    }
}

if (result) {
    again.addEventListener("click", run)
    // Whoever comes back from the settings wants to know.
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") run() })
    run()
}
