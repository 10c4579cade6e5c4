/// Where the field's catalogues speak of the same thing: OWASP MASTG and MASWE, MITRE CWE.
///
/// MASWE is numbered as in its first release; in the beta 0026, 0027 and 0028 were 0050, 0052 and 0047.
package struct Standards: Hashable, Sendable {
    /// Tests that look for it on the network, or in the code that is at fault: `MASTG-TEST-0244`.
    package var mastg: [String]
    /// `MASWE-0028`.
    package var maswe: [String]
    /// `CWE-295`.
    package var cwe: [String]

    package init(mastg: [String] = [], maswe: [String] = [], cwe: [String] = []) {
        self.mastg = mastg
        self.maswe = maswe
        self.cwe = cwe
    }

    package static let none = Standards()

    package var isEmpty: Bool { mastg.isEmpty && maswe.isEmpty && cwe.isEmpty }

    /// MASTG, MASWE, CWE, in this order.
    package var all: [String] { mastg + maswe + cwe }

    /// Everything that any of these names, each once, by number.
    package static func union(_ standards: some Sequence<Standards>) -> Standards {
        var (mastg, maswe, cwe): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for one in standards {
            mastg.formUnion(one.mastg)
            maswe.formUnion(one.maswe)
            cwe.formUnion(one.cwe)
        }
        return Standards(mastg: mastg.sorted(), maswe: maswe.sorted(), cwe: cwe.sorted())
    }

    // What the tables are made of.

    /// Missing Certificate Pinning in Network Traffic.
    static let pinningTest = "MASTG-TEST-0244"
    /// Unsafe Custom Trust Evaluation.
    static let trustTest = "MASTG-TEST-0282"
    /// Incorrect Implementation of Server Hostname Verification.
    static let hostnameTest = "MASTG-TEST-0283"
    /// Insecure TLS Protocols in Network Traffic.
    static let protocolTest = "MASTG-TEST-0218"
    /// Cleartext Traffic Observed on the Network.
    static let cleartextTest = "MASTG-TEST-0236"
    /// Network Traffic Not Encrypted.
    static let notEncrypted = "MASWE-0026"
    /// Insecure Certificate Validation.
    static let validation = "MASWE-0027"
    /// Insecure Identity Pinning.
    static let pinning = "MASWE-0028"

    /// A pin that is missing, can be got around, or comes too late.
    static let pin = Standards(mastg: [pinningTest], maswe: [pinning], cwe: ["CWE-295"])
    /// Traffic without TLS.
    static let cleartext = Standards(mastg: [cleartextTest], maswe: [notEncrypted], cwe: ["CWE-319"])

    /// A chain that no client may take; `CWE-295` is the parent of the others.
    static func validation(_ cwe: String..., test: String = trustTest) -> Standards {
        Standards(mastg: [test], maswe: [validation], cwe: cwe)
    }
}
