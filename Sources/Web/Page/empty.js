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
                el("p", { class: "dim" }, "ca.pem: ", el("code", {}, `curl -o ca.pem http://${proxy}/ca.pem`), ", or pinproof ca export.")),
            el("li", {}, el("h3", {}, "A phone"),
                phone(status?.devices ?? []))))
}

/** @param devices where others reach the proxy */
function phone(devices) {
    if (!devices.length) {
        return el("ol", {},
            el("li", {}, "Start pinproof with ", el("code", {}, "--listen 0.0.0.0:8080"), ", in the same network as the phone."),
            el("li", {}, "Open the address that it then prints: the page says how to set the proxy and to trust the CA."),
            el("li", {}, "A device that uses the proxy already has the same page at ", el("code", {}, "http://pinproof.test/"), "."))
    }
    const code = el("img", { class: "qr", alt: `QR code of http://${devices[0]}/` })
    code.src = "/assets/device.svg"
    return el("div", { class: "device" },
        el("p", {}, "In the same network, scan this, or open ", devices.map((one, index) => [index ? " or " : "", peer(`http://${one}/`, "code")]), "."),
        code,
        el("p", { class: "dim" }, "The page there says how to set the proxy and to trust the CA; later it is at http://pinproof.test/."))
}
