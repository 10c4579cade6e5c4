// The events as they happen, over one WebSocket that comes back by itself.

/** @param heard called with each event; `opened` every time that it is there; `closed` when it is gone */
export function live({ heard, opened, closed }) {
    let wait = 250
    let timer = 0
    let silent = false

    function connect() {
        clearTimeout(timer)
        const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/events`)
        socket.onopen = () => {
            wait = 250
            opened()
        }
        socket.onmessage = message => {
            let event
            try { event = JSON.parse(message.data) } catch { return }
            heard(event)
        }
        socket.onclose = () => {
            if (!silent) closed()
            // Not all pages at the same moment: a part of the time is by chance.
            timer = setTimeout(connect, wait * (0.75 + Math.random() / 2))
            wait = Math.min(wait * 2, 5000)
        }
    }

    addEventListener("pagehide", () => { silent = true })
    addEventListener("pageshow", () => { silent = false })
    addEventListener("online", () => { wait = 250 })
    connect()
}
