import Facts

/// In what a forged chain differs from the genuine one, where it was to be like it.
///
/// Keys, signatures, serial numbers and the issuers' names and key identifiers always differ, and are not told; the
/// root's name is, as a client may have nothing else to go by. Each difference is something that a client may have
/// refused a chain for, instead of a pin.
struct Likeness {
    /// Short words, sorted, as the evidence has them.
    let differences: [String]

    /// - Parameter root: of the CA that signed; nil where the leaf signed itself.
    init(of forged: [Certificate], to genuine: GenuineChain, under root: Certificate?) {
        var found: Set<String> = []
        let pairs = zip(forged, genuine.certificates)
        for (index, (mine, theirs)) in pairs.enumerated() {
            found.formUnion(Self.keyDifferences(mine.keyType, theirs.keyType))
            if mine.signatureNumber != theirs.signatureNumber { found.insert("signature") }
            if mine.notBefore != theirs.notBefore || mine.notAfter != theirs.notAfter { found.insert("validity") }
            found.formUnion(Self.extensionDifferences(mine, theirs))
            if index == 0, mine.subjectDER != theirs.subjectDER { found.insert("subject") }
        }
        if forged.count != genuine.certificates.count { found.insert("chain-length") }
        let anchor = genuine.issuers.last ?? genuine.certificates.last
        if let anchor, root?.subjectDER != anchor.subjectDER { found.insert("root-name") }
        differences = found.sorted()
    }

    private static func keyDifferences(_ mine: KeyType, _ theirs: KeyType) -> Set<String> {
        switch (mine, theirs) {
        case (.rsa(let a), .rsa(let b)): a == b ? [] : ["key-size"]
        case (.ec(let a), .ec(let b)): a == b ? [] : ["key-size"]
        case (let a, let b): a == b ? [] : ["key-type"]
        }
    }

    private static func extensionDifferences(_ mine: Certificate, _ theirs: Certificate) -> Set<String> {
        guard let own = try? mine.extensions(), let genuine = try? theirs.extensions() else { return ["extensions"] }
        var found: Set<String> = []
        // Copied, and made for another certificate: it cannot be right.
        if genuine.contains(where: { $0.oid == OID.timestamps }) { found.insert("sct") }
        func names(_ all: [CertificateExtension]) -> CertificateExtension? {
            all.first { $0.oid == OID.subjectAltName }
        }
        if names(own) != names(genuine) { found.insert("san") }
        // Identifiers speak of keys. Whether they are there, and where, is for all to see.
        let apart = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier, OID.subjectAltName]
        func shape(_ all: [CertificateExtension]) -> [CertificateExtension] {
            all.map { one in
                var one = one
                if apart.contains(one.oid) { one.value = [] }
                return one
            }
        }
        if shape(own) != shape(genuine) { found.insert("extensions") }
        return found
    }
}
