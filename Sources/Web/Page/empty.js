// What is there before the first flow: how one comes.

import { el, fill, peer } from "./dom.js"
import { copyButton } from "./clipboard.js"

/** @param status of the API, or null; `filter` that nothing matches, or "" */
export function drawEmpty(element, status, filter, showAll) {
    if (filter) {
        fill(element, el("h2", {}, "Nothing matches"), el("p", {}, "No flow fits ", peer(filter, "code"), ". New ones appear here as soon as one does."), showAll)
        return
    }
    const proxy = status?.proxy?.[0] ?? "127.0.0.1:8080"
    const line = `curl -x http://${proxy} --cacert ca.pem https://example.com/`
    fill(element,
        el("h2", {}, "Waiting for the first connection…"),
        status?.recording === false ? el("p", { class: "warn" }, "pinproof was started with --no-store: nothing is recorded. Start it without that to see flows here.") : null,
        el("ol", { class: "first-steps" },
            el("li", {}, el("h3", {}, "Point a client at the proxy"),
                el("p", {}, (status?.proxy ?? [proxy]).map(one => el("span", { class: "address" }, peer(one, "code"), copyButton("Copy", one, { "aria-label": `Copy ${one}` })))),
                el("p", { class: "dim" }, "HTTP, HTTPS and SOCKS5 on one port; http_proxy and https_proxy do for most programs.")),
            el("li", {}, el("h3", {}, "Or try it here"),
                el("p", { class: "address" }, peer(line, "code"), copyButton("Copy", line, { "aria-label": "Copy the command" })),
                el("p", { class: "dim" }, "ca.pem: pinproof ca export writes it.")),
            el("li", {}, el("h3", {}, "A phone"),
                el("ol", {},
                    el("li", {}, "Same Wi-Fi as this computer; pinproof started with --listen 0.0.0.0:8080."),
                    el("li", {}, "In the Wi-Fi's settings: HTTP proxy, manual, this computer's address, port 8080."),
                    el("li", {}, el("code", {}, "pinproof ca export"), copyButton("Copy", "pinproof ca export", { "aria-label": "Copy the command that exports the CA" }), " writes the CA as files for the phone: send them there, install, and trust it.")))))
}
