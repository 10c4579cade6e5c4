/// What is stapled to a forged chain, where its origin staples.
package struct Staple: Hashable, Sendable {
    /// A whole OCSP response in DER; nil: nothing is stapled.
    package let answer: [UInt8]?
    /// In what it is not as the origin's: words of `Observation.unlike`.
    package let unlike: [String]

    static let none = Staple(answer: nil, unlike: [])
    /// The origin has stapled something, and there is nothing in its place.
    static let missing = Staple(answer: nil, unlike: ["staple"])
}

extension Forge {
    /// An OCSP answer for a chain of this forge, as the origin has stapled one in its handshake, or for the same
    /// certificate in an earlier one.
    ///
    /// Nothing where the origin was not asked, as the client does not ask. The forged leaf's issuer says that it is good;
    /// with the genuine chain goes the genuine answer, byte for byte.
    package func staple(for chain: PresentedChain, as origin: TLSSession) -> Staple {
        guard origin.asksForStatus, let leaf = origin.originChain?.certificates.first else { return .none }
        let bytes = origin.stapledAnswer
        guard let genuine = material.staples.staple(bytes, of: leaf) else {
            // It was too long, or a leaf that demands one came without: what a client makes of ours is not known.
            return bytes == nil && !leaf.demandsStaple ? .none : .missing
        }
        switch chain.voucher {
        case .nobody: return .missing
        case .origin: return Staple(answer: genuine.bytes, unlike: [])
        case .issuer(let responder):
            guard let form = genuine.form else { return .missing }
            let key = StapleKey(leaf: chain.sha256s.first ?? "", form: form)
            let unlike = form.hasTimestamps ? ["sct"] : []
            if let known = staples[key] { return Staple(answer: known, unlike: unlike) }
            guard let made = try? responder.answer(like: form) else { return .missing }
            staples.set(key, made)
            return Staple(answer: made, unlike: unlike)
        }
    }
}

extension Forge {
    /// The same chain and its issuer, where that is one of our roots.
    ///
    /// Hosts that are not attacked are shown a leaf straight below the CA. Some clients look for who issued it among what is
    /// presented, and have no use for an answer without it (curl's `--cert-status`).
    package func showingIssuer(_ chain: PresentedChain) -> PresentedChain {
        guard let last = chain.certificates.last, let identifier = last.authorityKeyIdentifier,
            let issuer = [material.trusted.root, material.untrusted.root].first(where: {
                $0.subjectDER == last.issuerDER && $0.subjectKeyIdentifier == identifier
            }), !chain.certificates.contains(issuer)
        else { return chain }
        return PresentedChain(
            certificates: chain.certificates + [issuer], key: chain.key, unlike: chain.unlike, voucher: chain.voucher)
    }
}

/// What a forged answer is kept by.
struct StapleKey: Hashable {
    let leaf: String
    let form: StapleForm
}
