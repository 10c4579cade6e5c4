// Why something is not decrypted: what happened, why most likely, and one thing to do.

const refused = host => ({
    title: "The client refused our certificate",
    why: `Either it does not trust pinproof's CA, or it pins ${host}: it accepts only certificates that it knows.`,
    act: "trust", gate: true,
})

/** After the handshake: whoever sent it did not end the connection. */
const isUnreadable = text => text.includes("cannot be read")

/** By the failure's id; `act` is the one thing to do: "trust", "tunnel", or nothing beyond the hint. */
const known = {
    "client-refused-certificate": refused,
    "client-closed-after-handshake": host => ({
        title: "The client left after the handshake, without a word",
        why: `It may pin ${host} and check after the handshake, or it had no use for the connection: browsers open some in advance.`,
        act: "tunnel", gate: true,
    }),
    "client-gone": () => ({ title: "The client left before the handshake was over", why: "It gave up, lost its network, or was ended. Clients that dislike a certificate without saying so look the same.", act: "tunnel" }),
    "client-not-tls": (_, text) => isUnreadable(text) ? ({ title: "What the client sent cannot be read", why: "It broke the rules of TLS within the connection, or something on the way changed its bytes. pinproof ended it." }) : ({ title: "The client does not speak what was expected", why: "What it sent is neither TLS nor HTTP. Its protocol can be passed on, but not be shown.", act: "tunnel" }),
    "client-no-common-parameters": () => ({ title: "Client and pinproof found no common TLS parameters", why: "The client offers only versions or ciphers that are too old, or that pinproof does not have.", act: "tunnel" }),
    "origin-unreachable": host => ({ title: `${host} cannot be reached`, why: "There is no way to it from this machine: no network, a VPN that is off, or a proxy that it needs." }),
    "origin-name-not-found": host => ({ title: `There is no address for the name ${host}`, why: "The name is misspelt, or only the resolver of another network knows it." }),
    "origin-refused": (host, text) => isUnreadable(text) ? ({ title: `What ${host} sent cannot be read`, why: "It broke the rules of TLS within the connection, or something on the way changed its bytes. pinproof ended it." })
        : ({ title: `${host} refused the connection`, why: /connection refused/i.test(text) ? "The machine is there, but nothing listens on this port." : "" }),
    "origin-certificate": host => ({ title: `The certificate of ${host} cannot be trusted`, why: "pinproof checks it as a careful client would, and passes nothing on to a server that it cannot verify.", act: "tunnel" }),
    "origin-closed": host => ({ title: `${host} closed the connection`, why: "The server ended it before it had answered." }),
    "origin-reset": host => ({ title: `${host} reset the connection`, why: "The server, or something on the way, broke it off." }),
    "origin-timeout": host => ({ title: `${host} did not answer in time`, why: "It is overloaded, or a firewall drops what is sent to it." }),
    "proxy-limit": () => ({ title: "pinproof reached one of its limits", why: "It goes on with everything else." }),
    "proxy-loop": () => ({ title: "This would lead back to pinproof itself", why: "The address is the proxy's own: answering it would never end." }),
    "proxy-forbidden": () => ({ title: "pinproof did not pass this on", why: "" }),
}

/** Words of the command line begin small and have no full stop; the name of a host is no word and stays as it is. */
export function sentence(text) {
    if (!text) return ""
    const isWord = /^[a-z][a-z'’-]*(?=[\s,;]|$)/.test(text)
    return (isWord ? text[0].toUpperCase() + text.slice(1) : text) + (/[.!?…]$/.test(text) ? "" : ".")
}

/**
 * `{title, happened, why, hint, act, gate}`, or null where there is nothing to explain.
 * @param treated what was said of hosts for this run: `{host: "tunnel" | "intercept"}`
 */
export function explained(flow, treated = {}) {
    const host = flow.server?.host ?? flow.tls?.sni ?? "the server"
    if (flow.failure) {
        const words = known[flow.failure.id]?.(host, flow.failure.text ?? "") ?? { title: "This connection failed", why: "" }
        return { ...words, happened: flow.failure.text ?? "", hint: flow.failure.hint ?? "" }
    }
    if (flow.kind === "tunnel") {
        return {
            title: "This connection is not decrypted", happened: "Its bytes were passed on as they are.",
            why: treated[host] === "tunnel" ? "You said so on this page: Tunnel this host." : "The profile tunnels it, or does not name it (others: tunnel).", hint: "", act: "intercept",
        }
    }
    if (flow.kind === "raw") return { title: "This is not HTTP", happened: "The bytes were decrypted, but no protocol that pinproof reads was found in them.", why: "", hint: "Request and Response show them." }
    return null
}

/** A command that proves whether a client pins this host. */
export function gateCommand(host) {
    const safe = /^[A-Za-z0-9.:_-]+$/.test(host) ? host : "HOST"
    return `printf 'version: 1\\nname: proof\\nhosts:\\n  "${safe}": { expect: refuse }\\ncontrols: [CONTROL-HOST]\\n' > proof.yaml && pinproof gate proof.yaml -- ./start-the-app.sh`
}
