import Facts
import Policy
import TLS
import Wire

/// What the client is shown in the genuine server's place: the forged chain, no TLS at all, or a redirect.
extension Connection {
    func present(_ attack: Attack, _ variant: Attack.Variant, for host: HostName, beginsSession: Bool) {
        notes.met(attack.id, variant.name)
        guard let negotiated = shown?.negotiated ?? originTLS?.negotiated,
            let genuine = shown?.chain ?? originTLS?.originChain
        else {
            return handle(.presentFailed("the origin showed no chain"))
        }
        if case .attack = machine.plan.phase, shown == nil, machine.plan.profile.role(of: host) == .refuse {
            worker.shown.note(host, genuine, negotiated, in: machine.plan.trial)
        }
        let agreed = shown.map(agreed) ?? (version: negotiated.version, alpn: negotiated.alpn)
        let conduct = variant.conduct
        let version = conduct.version(agreed.version, offered: intake.hello?.versions ?? [])
        let alpn = conduct.alpn(agreed.alpn, offered: intake.hello?.alpn ?? [])
        do {
            var chain = try worker.forge.chain(
                for: machine.plan.certified(host), attack: attack, variant: variant,
                rsaLeaf: usesRSALeaf(variant, version),
                takes: leafKeys(for: version), genuine: genuine, now: at, verifies: !isDebugging)
            let staple = originTLS.map { [chain] in worker.forge.staple(for: chain, as: $0) }
            if variant.isUnattacked, staple?.answer != nil { chain = worker.forge.showingIssuer(chain) }
            worker.willPresent(chain)
            // An anonymous server has a chain as well, and shows none of it.
            notes.presented(
                conduct.offer == .anonymous ? [] : chain.sha256s,
                unlike: Set(chain.unlike).union(staple?.unlike ?? []).sorted())
            let context = try serverContext(conduct, version)
            clientTLS = try context.session(
                presenting: chain, version: version, knowsNewer: knowsNewer(than: version), alpn: alpn, for: host,
                asking: variant.isUnattacked || !conduct.asksForCertificate ? nil : originTLS,
                agreeingAs: conduct.mirrorsSuite && !isDebugging && version == agreed.version ? agreement : nil,
                stapling: staple?.answer,
                in: worker.workspace)
            if case .forgetful = context.kind { handsOutTickets = intake.hello?.takesTickets ?? false }
        } catch {
            notes.leftOut((error as? ForgeError)?.isLimitOfCA ?? false)
            return handle(.presentFailed("cannot present \(attack.name(of: variant)): \(error)"))
        }
        if case .attack = machine.plan.phase {
            splitsFlight = true
            evidence.watchWire()
        }
        if conduct.answer == .redirect {
            redirect = machine.plan.redirectTarget.map { RedirectTap(to: conduct.spelling.place(of: $0)) }
        }
        if conduct.answer == .notFound { redirect = RedirectTap(to: nil) }
        // A protocol that the origin does not speak cannot be relayed to it: what the client sends is read, and tells.
        let answer = alpn == agreed.alpn && shown == nil ? conduct.answer : .never
        handle(.presented(answer, sessionHost: beginsSession ? host : nil))
    }

    private var agreement: (origin: TLSSession, offered: [UInt16])? {
        originTLS.map { ($0, intake.hello?.cipherSuites ?? []) }
    }

    private var isDebugging: Bool { if case .debugging = machine.plan.phase { true } else { false } }

    /// As its origin does, in a debugging session. A real man in the middle serves whom it can, and so does the gate.
    private func knowsNewer(than version: TLSVersion) -> Bool {
        guard isDebugging, version == .tls12, intake.hello?.versions.contains(.tls13) == false else { return false }
        return originTLS?.originKnowsNewer ?? false
    }

    private func serverContext(_ conduct: Conduct, _ version: TLSVersion) throws(OpenSSLError) -> ServerContext {
        if shown != nil, version < .tls12 { return try worker.serverContext(.legacy) }
        if conduct.resumption, let resumable = trial.resumable { return resumable }
        switch conduct.offer {
        case .mirrored, .tls12, .http1, .older, .noALPN, .newer:
            if isDebugging { return try worker.serverContext(.standard) }
            let keepsake = version == .tls13 ? .ticket : originTLS?.keepsake ?? .nothing
            return try worker.serverContext(.forgetful(leaves: keepsake))
        case .only: return try worker.serverContext(.legacy)
        case .unencrypted: return try worker.serverContext(.unencrypted)
        case .anonymous: return try worker.serverContext(.anonymous)
        }
    }

    /// Where it must be, and where it is asked for and can be.
    private func usesRSALeaf(_ variant: Attack.Variant, _ version: TLSVersion) -> Bool {
        guard let hello = intake.hello else { return false }
        let isNeeded =
            variant.conduct.offer == .unencrypted ? hello.prefersRSALeafUnencrypted : hello.prefersRSALeaf(for: version)
        return isNeeded || variant.recipe.key == .rsa && hello.takesRSALeaf(for: version)
    }

    /// What else than a P-256 leaf the client can verify.
    private func leafKeys(for version: TLSVersion) -> LeafKeyTypes {
        guard let hello = intake.hello else { return [] }
        var types: LeafKeyTypes = []
        if hello.takesP384Leaf { types.insert(.p384) }
        if hello.takesP521Leaf { types.insert(.p521) }
        if hello.takesEd25519Leaf(for: version) { types.insert(.ed25519) }
        if hello.takesRSALeaf(for: version) { types.insert(.rsa) }
        return types
    }

    func refuseTLS(_ attack: Attack, _ variant: Attack.Variant) {
        notes.did(.intercepted)
        notes.met(attack.id, variant.name)
        evidence.refusedTLS(intake.pending.span)
        intake.pending = []
    }

    /// In the protocol that it asked in.
    func refuseConnect(_ attack: Attack, _ variant: Attack.Variant, _ refusal: Conduct.ConnectRefusal) {
        notes.met(attack.id, variant.name)
        // It is no tunnel that goes before the attack.
        spared = nil
        switch (refusal, intake.request) {
        case (.silence, _), (.closed, _): break
        case (_, .socks): client.write(SOCKS5.reply(.hostUnreachable))
        case (.badGateway, _): client.write(HTTPAnswer.error(.badGateway, "an attack that begins with an outage"))
        case (.unavailable, _): client.write(HTTPAnswer.error(.unavailable, "an attack that begins with an outage"))
        case (.authentication, _): client.write(HTTPAnswer.challenge(last: true))
        }
    }

    /// The client asked for an attacked host in the clear; it is sent to the same URL of https.
    func redirectToTLS(_ place: String) {
        guard case .http(let plain) = intake.request else { return }
        let answer = RedirectAnswer.redirect(to: place, plain)
        notes.did(.forwarded)
        notes.redirected()
        notes.answered(status: 302)
        evidence.counted(up: plain.head.count, down: answer.count)
        client.write(answer)
    }
}

extension Conduct {
    /// It has the choice of suites that its origin has.
    fileprivate var mirrorsSuite: Bool {
        switch offer {
        case .only, .unencrypted, .anonymous: false
        case .mirrored, .tls12, .http1, .older, .noALPN, .newer: true
        }
    }

    /// What is agreed with a client, where its origin agreed to `genuine`.
    fileprivate func version(_ genuine: TLSVersion, offered: [TLSVersion]) -> TLSVersion {
        switch offer {
        case .older: offered.contains(.tls12) ? .tls12 : genuine
        case .newer: offered.contains(.tls13) ? .tls13 : genuine
        case .mirrored, .http1, .noALPN: genuine
        case .tls12, .unencrypted, .anonymous: .tls12
        case .only(let version): version
        }
    }

    /// The application protocol that is agreed on with a client, where its origin agreed to `genuine`.
    fileprivate func alpn(_ genuine: String?, offered: [String]) -> String? {
        offer == .newer && offered.contains("h2") ? "h2" : genuine
    }
}
