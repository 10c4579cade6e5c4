// The events as they happen, over one WebSocket that comes back by itself.

/**
 * @param heard called with each event; `opened` every time that it is there; `closed` when it is gone; `query` for the socket's address
 * @returns what asks anew, by another query: nothing of what was on its way is heard any more
 */
export function live({ heard, opened, closed, query }) {
    let wait = 250
    let current = null
    let timer = 0
    let silent = false

    function connect() {
        clearTimeout(timer)
        const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/events${query()}`)
        current = socket
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
    return () => {
        current.onopen = current.onmessage = current.onclose = null
        current.close()
        connect()
    }
}
