import Facts
import Policy

/// A client by what it checks, where, and what it lets slip: what it does under each attack follows from that.
struct Client: Sendable {
    enum Check: Sendable, Hashable { case issuer, name, dates, signature, usage, strength }

    /// How it knows the genuine server.
    enum Pin: Sendable, Hashable {
        case none
        /// The leaf's key of the chain that was verified.
        case leafKey
        /// Any key of the verified chain; a CA's is pinned.
        case issuerKey
        /// Any key of the chain as it was presented.
        case presentedKey
        /// The names that its platform prints of a certificate, in the place of the issuer's check when that fails.
        case namesOnError
        /// Looks, tells somebody, and goes on.
        case reportOnly
    }

    /// Where the pin is looked at.
    enum Moment: Sendable, Hashable { case inHandshake, afterHandshake, afterRequest }

    /// Which connections of a process are looked at.
    enum Scope: Sendable, Hashable {
        case every, first
        /// A connection of its own that carries nothing.
        case probe
    }

    var checks: Set<Check> = [.issuer, .name, .dates, .signature, .usage, .strength]
    var pin = Pin.leafKey
    var moment = Moment.afterHandshake
    var scope = Scope.every
    var connections = 1
    /// One that is not looked at, whatever the scope: 0, 1, …
    var unchecked: Int?
    /// Where this one (0, 1, …) was refused, it tries again without a pin.
    var retriesUnchecked: Int?
    /// Keeps sessions, and resumes them without a look at the pin.
    var resumes = false
    var fallsBackToCleartext = false
    var speaksOldTLS = false
    /// Leaves out its pin where less than TLS 1.3 is spoken.
    var pinsTLS13Only = false

    /// Plays one cold start; whether it had what it wanted.
    func visit(_ host: HostName, _ stack: String, _ decision: Plan.Decision, _ script: inout Script) -> Bool {
        let count = scope == .probe ? max(2, connections) : connections
        guard case .intercept(let attack, let variant) = decision else {
            for index in 0..<count { script.tunnel(host, stack: stack, data: !(scope == .probe && index == 0)) }
            return true
        }
        for index in 0..<count {
            if variant.conduct.onset.leaves(index) {
                script.tunnel(host, stack: stack)
                continue
            }
            if attack.id == "cleartext-fallback" {
                script.attack(host, attack.id, variant: variant.name, stack: stack, .early)
                if fallsBackToCleartext { script.cleartext(host) }
                return fallsBackToCleartext
            }
            let act = act(Chain(attack, variant), index)
            script.attack(host, attack.id, variant: variant.name, stack: stack, act)
            if resumes, variant.conduct.resumption, act.isFinished {
                script.attack(host, attack.id, variant: variant.name, stack: stack, .resumed(90))
                return true
            }
            let isProbe = scope == .probe && index == 0
            switch act {
            case .request: if moment == .afterRequest { return false }
            case .post where isProbe && isContent(Chain(attack, variant)): continue
            default:
                guard index == retriesUnchecked else { return false }
                if variant.conduct.onset.leaves(index + 1) {
                    script.tunnel(host, stack: stack)
                } else {
                    var again = self
                    again.pin = .none
                    let act = again.act(Chain(attack, variant), index + 1)
                    script.attack(host, attack.id, variant: variant.name, stack: stack, act)
                }
                return true
            }
        }
        return true
    }

    private func act(_ chain: Chain, _ index: Int) -> Act {
        if chain.isOldTLS, !speaksOldTLS { return .negotiation(70) }
        let faults = chain.faults.intersection(checks).subtracting([.signature])
        if !faults.isEmpty, !(pin == .namesOnError && chain.hasGenuineNames && faults == [.issuer]) {
            return .alert(chain.faults.contains(.dates) ? 45 : chain.faults.contains(.name) ? 42 : 48)
        }
        let isLooked = (scope == .every || index == 0) && index != unchecked
        let refuses = isLooked && !isContent(chain) && !(pinsTLS13Only && chain.isTLS12)
        if refuses, moment == .inHandshake { return .alert(46) }
        if chain.faults.contains(.signature), checks.contains(.signature) { return .alert(51) }
        if refuses, moment == .afterHandshake { return .post(.closeNotify) }
        if scope == .probe, index == 0 { return .post() }
        return refuses && moment == .afterRequest ? .hastyRequest(96) : .request(96)
    }

    /// What it pins is there.
    private func isContent(_ chain: Chain) -> Bool {
        switch pin {
        case .none, .namesOnError, .reportOnly: true
        case .leafKey: chain.hasGenuineKey
        case .issuerKey: chain.hasGenuineIssuer
        case .presentedKey: chain.hasGenuineKey || chain.showsGenuineChain
        }
    }
}

/// What an attack presents, as far as a client can tell it from the genuine thing.
struct Chain {
    var faults: Set<Client.Check> = []
    var hasGenuineKey = false
    var hasGenuineIssuer = false
    var hasGenuineNames = false
    var showsGenuineChain = false
    var isOldTLS = false
    var isTLS12 = false

    init(_ attack: Attack, _ variant: Attack.Variant) {
        isTLS12 = [.tls12, .older].contains(variant.conduct.offer)
        switch attack.id {
        case "untrusted-ca", "self-signed", "leaf-as-ca", "bad-signature": faults = [.issuer]
        case "lent-key": hasGenuineKey = true
        case "wrong-key":
            faults = [.signature]
            (hasGenuineKey, hasGenuineIssuer, hasGenuineNames) = (true, true, true)
        case "smuggled-chain": showsGenuineChain = true
        case "cloned-identity":
            hasGenuineNames = true
            if variant.name == "untrusted" { faults = [.issuer] }
        case "other-host":
            faults = [.name]
            if variant.name == "same-ca" {
                faults.insert(.signature)
                hasGenuineIssuer = true
            }
            if variant.name == "lent" { (hasGenuineKey, hasGenuineIssuer) = (true, true) }
        case "expired", "not-yet-valid": faults = [.dates]
        case "wrong-usage":
            faults = [
                ["common-name-only", "nul-in-san", "top-level-wildcard", "parent-domain"].contains(variant.name)
                    ? .name : .usage
            ]
        case "weak-crypto": faults = [.strength]
        case "old-tls": isOldTLS = true
        default: break
        }
    }
}

extension Act {
    var isFinished: Bool {
        switch self {
        case .post, .request, .hastyRequest, .lateAlert: true
        default: false
        }
    }
}

extension Conduct.Onset {
    /// Whether the connection after so many others is left alone.
    func leaves(_ index: Int) -> Bool {
        switch self {
        case .afterConnections(let first): index < first
        case .only(let place): index + 1 != place
        default: false
        }
    }
}
