import Facts
import Foundation
import Policy
import Support
import TLSSupport
import Testing

@testable import TLS

/// OCSP answers: read from origins, made for forged leaves, stapled to handshakes.
@Suite("Stapling")
struct StaplingTests {
    private let now = Date().timeIntervalSince1970
    private let target: HostName
    private let origins: CertificateAuthority
    private let material: ForgeMaterial
    private let genuine: PresentedChain

    init() throws {
        target = try host("api.example.com")
        origins = try .general(now: now)
        genuine = try Forge(ForgeMaterial(origins)).chain(
            for: target, attack: .trustedCA, variant: .unattacked, rsaLeaf: false, genuine: nil, now: now)
        material = try ForgeMaterial(.general(now: now))
    }

    private func form(_ change: (inout StapleForm) -> Void = { _ in }) -> StapleForm {
        let begin = Int64(now) - 7200
        var form = StapleForm(producedAt: begin + 60, thisUpdate: begin, nextUpdate: begin + 4 * 86_400)
        change(&form)
        return form
    }

    private func answer(_ form: StapleForm, for chain: PresentedChain) throws -> [UInt8] {
        guard case .issuer(let responder) = chain.voucher else { throw NotAHost("nobody answers") }
        return try responder.answer(like: form)
    }

    /// A client's session with an origin that staples `bytes`, finished; and what was left at either end.
    private func meet(
        _ chain: PresentedChain, stapling bytes: [UInt8]?, asks: Bool = true, version: TLSVersion = .tls13,
        under root: Certificate? = nil
    ) throws -> TLSSession {
        let workspace = TLSWorkspace()
        let trust = try TrustStore(systemRoots: false, roots: [root ?? origins.root])
        let client = try ClientContext(trust: trust).session(
            sni: target, verifying: target, alpn: [], maxVersion: version, asksForStatus: asks, in: workspace)
        let server = try ServerContext().session(
            presenting: chain, version: version, alpn: nil, stapling: bytes, in: workspace)
        client.start()
        while true {
            var (up, down): ([UInt8], [UInt8]) = ([], [])
            client.takeOutput { bytes in up = bytes.indices.map { bytes[$0] } }
            server.receive(up.span) { _ in }
            server.takeOutput { bytes in down = bytes.indices.map { bytes[$0] } }
            client.receive(down.span) { _ in }
            if up.isEmpty && down.isEmpty { break }
        }
        #expect(client.isFinished && server.isFinished)
        return client
    }

    // MARK: answers

    @Test("an answer is read back as it was meant, and OpenSSL takes it", arguments: StapleForm.Digest.allCases)
    func roundTrip(digest: StapleForm.Digest) throws {
        for isNamedByKey in [false, true] {
            for hasEnd in [true, false] {
                let form = form {
                    $0.digest = digest
                    $0.isNamedByKey = isNamedByKey
                    if !hasEnd { $0.nextUpdate = nil }
                }
                let made = try answer(form, for: genuine)
                #expect(StapleForm(made, of: genuine.certificates[0]) == form)
                let check = StapleCheck(
                    made, for: genuine.certificates, issuedBy: origins.root, trusting: origins.root)
                #expect(check?.isTrusted == true && check?.status == 0 && check?.isCurrent == true)
            }
        }
    }

    @Test("each kind of issuer's key signs one", arguments: [KeyType.p384, .p521, .ed25519, .rsa(bits: 2048)])
    func keys(type: KeyType) throws {
        let shape = GenuineShape(title: "", issuers: [type, .p256])
        let material = try ForgeMaterial(.general(now: testNow))
        let made = try Forge(material).chain(
            for: target, attack: .trustedCA, variant: Attack.trustedCA.variants[0], rsaLeaf: false,
            genuine: shape.chain(), now: testNow)
        try #require(made.certificates.count == 2)
        #expect(made.certificates[1].keyType == type)
        let check = try StapleCheck(
            answer(form(), for: made), for: made.certificates, issuedBy: made.certificates[1],
            trusting: material.trusted.root)
        #expect(check?.status == 0)
    }

    @Test("what is no answer, or none about this leaf, has no form; nothing that comes in traps")
    func hostile() throws {
        let leaf = genuine.certificates[0]
        let sound = try answer(form(), for: genuine)
        #expect(StapleForm([], of: leaf) == nil && StapleForm(sound + [0], of: leaf) == nil)
        #expect(StapleForm(sound, of: origins.root) == nil)
        // tryLater, with nothing in it; revoked in place of good.
        #expect(StapleForm([0x30, 3, 0x0a, 1, 3], of: leaf) == nil)
        for length in 0..<sound.count { #expect(StapleForm(Array(sound.prefix(length)), of: leaf) == nil) }
        for index in sound.indices {
            for bit in [UInt8(0x01), 0x80, 0xff] {
                var damaged = sound
                damaged[index] ^= bit
                if let form = StapleForm(damaged, of: leaf),
                    case .issuer(let responder) = genuine.voucher
                {
                    #expect(throws: Never.self) { _ = try responder.answer(like: form) }
                }
            }
        }
        #expect(OriginStaple([UInt8](repeating: 0, count: OriginStaple.sizeLimit + 1), of: leaf) == nil)
        #expect(OriginStaple([0], of: leaf)?.form == nil)
    }

    // MARK: handshakes

    @Test("a client that asks gets it, in either version, and no other does", arguments: [TLSVersion.tls12, .tls13])
    func handshake(version: TLSVersion) throws {
        let sent = try answer(form(), for: genuine)
        #expect(try meet(genuine, stapling: sent, version: version).stapledAnswer == sent)
        #expect(try meet(genuine, stapling: nil, version: version).stapledAnswer == nil)
        #expect(try meet(genuine, stapling: [], version: version).stapledAnswer == nil)
        #expect(try meet(genuine, stapling: sent, asks: false, version: version).stapledAnswer == nil)
    }

    // MARK: forged chains

    static let forms: [(Attack, String?)] = [
        (.trustedCA, nil), (.trustedCA, "plain"), (.trustedCA, "wildcard"), (.untrustedCA, nil),
        (.clonedIdentity, "trusted"), (.smuggledChain, "after"), (.otherHost, nil), (.selfSigned, nil), (.expired, nil),
        (.notYetValid, nil), (.resumedSession, nil), (.leafAsCA, "ca-false"), (.badSignature, "genuine-issuer"),
        (.wrongUsage, "path-length"), (.weakCrypto, "md5"),
    ]

    @Test("the forged leaf's issuer answers for it, as the origin's did for the genuine one", arguments: forms)
    func forged(one: (Attack, String?)) throws {
        let form = form { $0.isNamedByKey = true }
        let session = try meet(genuine, stapling: answer(form, for: genuine))
        let forge = Forge(material)
        let variant = try #require(one.0.variants.first { $0.name == one.1 })
        let chain = try forge.chain(
            for: target, attack: one.0, variant: variant, rsaLeaf: false, genuine: session.originChain, now: now)
        let staple = forge.staple(for: chain, as: session)
        let made = try #require(staple.answer)
        #expect(staple.unlike == [] && StapleForm(made, of: chain.certificates[0]) == form)
        #expect(forge.staple(for: chain, as: session) == staple)
        guard [Attack.trustedCA.id, "untrusted-ca", "cloned-identity"].contains(one.0.id) else { return }
        let ca = one.0 == .untrustedCA ? material.untrusted : material.trusted
        let issuer = chain.certificates.dropFirst().first ?? ca.root
        let check = StapleCheck(made, for: chain.certificates, issuedBy: issuer, trusting: ca.root)
        #expect(check?.isTrusted == true && check?.status == 0 && check?.isCurrent == true)
    }

    @Test("answers under the two CAs are equally long but for their signatures")
    func twins() throws {
        let session = try meet(genuine, stapling: answer(form(), for: genuine))
        let forge = Forge(material)
        let lengths = try [Attack.trustedCA, .untrustedCA].map { attack in
            let chain = try forge.chain(
                for: target, attack: attack, variant: attack.variants[0], rsaLeaf: false, genuine: session.originChain,
                now: now)
            return try #require(forge.staple(for: chain, as: session).answer?.count)
        }
        // Two numbers of ECDSA in each of two signatures, with a zero before each or not.
        #expect(abs(lengths[0] - lengths[1]) <= 12)
    }

    @Test("a short chain is shown with the root that has signed it, for who looks there for the answer's signer")
    func issuer() throws {
        for (variant, root) in [
            (Attack.Variant.unattacked, material.trusted.root),
            (
                Attack.Variant(name: nil, recipe: Recipe(signer: .untrustedCA, defects: [.untrustedIssuer])),
                material.untrusted.root
            ),
        ] {
            let forge = Forge(material)
            let short = try forge.chain(
                for: target, attack: .trustedCA, variant: variant, rsaLeaf: false, genuine: nil, now: now)
            let shown = forge.showingIssuer(short)
            #expect(short.certificates.count == 1 && shown.certificates == short.certificates + [root])
            #expect(forge.showingIssuer(shown).certificates == shown.certificates && shown.key === short.key)
            let answer = try answer(form(), for: shown)
            let check = StapleCheck(answer, for: shown.certificates, issuedBy: shown.certificates[1], trusting: root)
            #expect(check?.isTrusted == true && check?.status == 0)
        }
    }

    @Test("with the genuine chain goes the genuine answer")
    func genuineAnswer() throws {
        let sent = try answer(form(), for: genuine)
        let session = try meet(genuine, stapling: sent)
        let forge = Forge(material)
        let chain = try forge.chain(
            for: target, attack: .wrongKey, variant: Attack.wrongKey.variants[0], rsaLeaf: false,
            genuine: session.originChain, now: now)
        #expect(forge.staple(for: chain, as: session) == Staple(answer: sent, unlike: []))
    }

    @Test("where the origin staples nothing, or the client asks for nothing, nothing is stapled")
    func nothing() throws {
        let sent = try answer(form(), for: genuine)
        for session in [
            try meet(genuine, stapling: nil), try meet(genuine, stapling: sent, asks: false),
        ] {
            let forge = Forge(material)
            let chain = try forge.chain(
                for: target, attack: .trustedCA, variant: .unattacked, rsaLeaf: false, genuine: nil, now: now)
            #expect(forge.staple(for: chain, as: session) == Staple.none)
        }
    }

    @Test("what the origin has stapled once is stapled where it does not, on every loop")
    func remembered() throws {
        let sent = try answer(form(), for: genuine)
        let (first, second) = (Forge(material), Forge(material))
        func staple(_ forge: Forge, _ session: TLSSession) throws -> Staple {
            let chain = try forge.chain(
                for: target, attack: .trustedCA, variant: .unattacked, rsaLeaf: false, genuine: nil, now: now)
            return forge.staple(for: chain, as: session)
        }
        #expect(try staple(first, meet(genuine, stapling: sent)).answer != nil)
        #expect(try staple(second, meet(genuine, stapling: nil)).answer != nil)
        #expect(try staple(second, meet(genuine, stapling: nil, asks: false)) == Staple.none)
    }

    @Test("what cannot be answered is told")
    func missing() throws {
        let forge = Forge(material)
        let chain = try forge.chain(
            for: target, attack: .trustedCA, variant: .unattacked, rsaLeaf: false, genuine: nil, now: now)
        for odd in [[UInt8](repeating: 0x30, count: 40), [UInt8](repeating: 0, count: OriginStaple.sizeLimit + 1)] {
            #expect(try forge.staple(for: chain, as: meet(genuine, stapling: odd)) == Staple.missing)
        }
        // A chain that was lent has its own CA, whose key nobody here has.
        let lent = PresentedChain(certificates: genuine.certificates, key: genuine.key)
        let session = try meet(genuine, stapling: answer(form(), for: genuine))
        #expect(forge.staple(for: lent, as: session) == Staple.missing)
    }

    @Test("a leaf that demands an answer, of an origin that has none, is told")
    func demanded() throws {
        let demand = CertificateExtension(oid: OID.tlsFeature, critical: false, value: DER.sequence(DER.integer(5)))
        let key = genuine.key
        let leaf = try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(), signature: origins.signature, issuer: origins.issuerDER,
            subject: genuine.certificates[0].subjectDER, notBefore: Int64(now) - 86_400, notAfter: Int64(now) + 86_400,
            publicKey: key.publicKeyDER,
            extensions: genuine.certificates[0].extensions() + [demand]
        ).signed(by: origins.key)
        let shown = PresentedChain(certificates: [leaf], key: key)
        let session = try meet(shown, stapling: nil)
        let forge = Forge(material)
        let chain = try forge.chain(
            for: target, attack: .trustedCA, variant: Attack.trustedCA.variants[0], rsaLeaf: false,
            genuine: session.originChain, now: now)
        #expect(chain.certificates[0].demandsStaple && !chain.unlike.contains("extensions"))
        #expect(forge.staple(for: chain, as: session) == Staple.missing)
    }
}
