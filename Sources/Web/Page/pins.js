// A pin in the formats that people paste, as `pinproof pins` prints them.

import { base64OfHex } from "./text.js"

/** `[name, text]` of a host and its certificates' SPKI hashes (hex), leaf first. */
export function pinFormats(host, hashes) {
    const pins = hashes.map(base64OfHex)
    const name = /^[A-Za-z0-9.-]+$/.test(host ?? "") ? host : "HOST"
    return [
        ["plain", pins.map(pin => `sha256/${pin}`).join("\n")],
        ["OkHttp", `CertificatePinner.Builder()\n${pins.map(pin => `    .add("${name}", "sha256/${pin}")`).join("\n")}\n    .build()`],
        ["Android network_security_config", `<domain-config>\n    <domain includeSubdomains="false">${name}</domain>\n    <pin-set>\n${pins.map(pin => `        <pin digest="SHA-256">${pin}</pin>`).join("\n")}\n    </pin-set>\n</domain-config>`],
        ["Apple NSPinnedDomains", `<key>${name}</key>\n<dict>\n    <key>NSPinnedLeafIdentities</key>\n    <array>\n        <dict>\n            <key>SPKI-SHA256-BASE64</key>\n            <string>${pins[0] ?? ""}</string>\n        </dict>\n    </array>\n</dict>`],
        ["TrustKit", `"${name}": [\n    kTSKPublicKeyHashes: [\n${pins.map(pin => `        "${pin}",`).join("\n")}\n    ],\n]`],
        ["curl", `--pinnedpubkey "${pins.map(pin => `sha256//${pin}`).join(";")}"`],
        ["pinproof profile", `hosts:\n  ${name}: { expect: refuse, pins: [${pins.map(pin => `"sha256/${pin}"`).join(", ")}] }`],
    ]
}
