import Facts

/// What the field's catalogues call falling for each attack.
package enum AttackStandards {
    /// Nothing for an attack that this version does not know.
    package static func standards(_ id: AttackID) -> Standards { table[id] ?? .none }

    /// Whether this version says anything of the attack.
    package static func knows(_ id: AttackID) -> Bool { table[id] != nil }

    private static let table: [AttackID: Standards] = [
        .trustedCA: .pin,
        .untrustedCA: .validation("CWE-295", "CWE-296"),
        // A control: refusing it is no weakness of the app, accepting it none either.
        "lent-key": Standards(mastg: [Standards.pinningTest]),
        "wrong-key": .validation("CWE-295", "CWE-347"),
        "smuggled-chain": .pin,
        "cloned-identity": .pin,
        "other-host": .validation("CWE-297", test: Standards.hostnameTest),
        "self-signed": .validation("CWE-295", "CWE-296"),
        "expired": .validation("CWE-298"),
        "not-yet-valid": .validation("CWE-295"),
        "silent-server": Standards(
            mastg: [Standards.pinningTest], maswe: [Standards.pinning], cwe: ["CWE-295", "CWE-696"]),
        "later-connection": .pin,
        "resumed-session": .pin,
        "leaf-as-ca": .validation("CWE-295", "CWE-296"),
        "bad-signature": .validation("CWE-295", "CWE-347"),
        "wrong-usage": .validation("CWE-295", "CWE-297", test: Standards.hostnameTest),
        "weak-crypto": .validation("CWE-295", "CWE-326", "CWE-327"),
        "old-tls": Standards(
            mastg: [Standards.protocolTest], maswe: [Standards.notEncrypted], cwe: ["CWE-322", "CWE-326", "CWE-757"]),
        "cleartext-fallback": .cleartext,
        "redirect": .pin,
    ]
}
