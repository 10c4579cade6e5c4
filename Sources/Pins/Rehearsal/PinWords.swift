import Facts

/// What is said of a chain that nobody could show: which pins stay in it, and which go.
struct PinWords {
    private let judge: RehearsalJudge
    private let scenario: RehearsalScenario

    init(_ judge: RehearsalJudge, _ scenario: RehearsalScenario) {
        self.judge = judge
        self.scenario = scenario
    }

    private var evidence: RehearsalEvidence { judge.evidence }
    private static let byPins = "by the profile's pins, not seen: "

    var works: String {
        if evidence.isUnpinned {
            return "seen: the app took a key that is in no pin, from a CA that it trusts"
                + (isOtherRoot ? trusting : "")
        }
        let kept = evidence.pins.intersection(scenario.keys.all)
        if evidence.genuineKey == .accepted, let leaf = evidence.genuine?.leaf, scenario.keys.leaf == leaf {
            return
                "seen: the app took the server's own key in a new certificate, and complained of nothing but its signature"
                + (isOtherRoot ? trusting : "")
        }
        guard !kept.isEmpty else {
            return
                "not seen, as nobody here can issue it: the app was seen to take a pinned key in a new certificate, and all "
                + "keys of the chain stay"
        }
        return Self.byPins + "\(named(kept)) \(kept.count == 1 ? "is" : "are") in this chain"
            + (isOtherRoot ? trusting : "")
            + (mayPinCertificate ? "; a pin of the whole certificate would lock out" : "")
    }

    /// Nothing was seen that a pin of the whole certificate would not fit, and in this chain that is another one.
    private var mayPinCertificate: Bool {
        guard evidence.pins.isDisjoint(with: evidence.genuine?.issuers ?? []) else { return false }
        return PinRules.certificate(evidence).contains {
            $0.takes(scenario.keys) == false && PinRules.fits($0, evidence)
        }
    }

    var lockedOut: String {
        if judge.rules.lacksBackup, scenario.keys.leaf == evidence.backup?.key {
            return Self.byPins
                + "the app was seen to refuse this key under a CA that it trusts, and the profile pins none of "
                + "the issuers"
        }
        let gone = evidence.pins.intersection(evidence.genuine?.all ?? [])
        guard !gone.isEmpty else {
            return
                "not seen: the app was seen to refuse a key that it does not know, and nothing that it takes now stays"
        }
        let kept = evidence.pins.intersection(scenario.keys.all)
        let rest = kept.isEmpty ? "no pin is in this chain" : "\(named(kept)) alone will not do"
        return Self.byPins
            + "the app was seen to refuse a key that is in none of them, \(verb(gone.subtracting(kept), "goes", "go")), "
            + "and \(rest)"
    }

    var unclear: String {
        if evidence.genuine == nil, evidence.pins.isEmpty {
            return "the genuine chain was not seen, and the profile names no pins"
        }
        if judge.rules.all.isEmpty {
            return evidence.pins.isEmpty
                ? "what was seen of this host does not go together, so nothing follows from it" : contradiction
        }
        if evidence.unknownKey == .accepted {
            return
                "the app took a forged key, but its stack may let CAs pass that were added on the device, whatever it pins; "
                + "by the profile's pins it would lock out"
        }
        if !scenario.keys.isWhole, judge.rules.all.contains(where: { $0.takes(scenario.keys) == nil }) {
            return "the file does not lead up to a root that is known here, and a pin may be on what is missing"
        }
        let isOpen = judge.rules.all.contains(.nothing)
        let pinned = judge.rules.all.filter { $0 != .nothing }
        guard !isOpen || pinned.contains(where: { $0.takes(scenario.keys) == true }) else { return notEnforced }
        guard !evidence.pins.isEmpty else {
            return "the profile names no pins, so it is not known which key, or which certificate, the app holds on to"
        }
        if judge.rules.lacksBackup {
            return
                "the app was seen to refuse the lent key, which the profile pins: what it holds on to instead, its key or its "
                + "certificate, is not known"
        }
        if pinned.contains(where: { !$0.isOfKeys && $0.takes(scenario.keys) == false }),
            pinned.allSatisfy({ !$0.isOfKeys || $0.takes(scenario.keys) == true })
        {
            return
                "by the profile's pins it works; but the app's stack is one whose own pins are of whole certificates, and "
                + "any new one would lock it out then: lend a backup key, or give this chain with its key"
        }
        return partly
    }

    private var notEnforced: String {
        let why =
            evidence.unknownKey.wasRefused
            ? "nothing shows that the app trusts the CA, so its refusal says nothing of pins: name a control, or lend a backup key"
            : "that the app enforces them was not seen"
        return evidence.pins.isEmpty ? why : "by the profile's pins it locks out, but \(why)"
    }

    private var contradiction: String {
        if let genuine = evidence.genuine, evidence.pins.isDisjoint(with: genuine.all) {
            return
                "none of the profile's pins is in the genuine chain as this machine verifies it, and the app works with "
                + "that: they are not what it pins here"
        }
        return "the profile's pins do not fit what was seen, so nothing follows from them"
    }

    /// Some pinned keys stay and others go.
    private var partly: String {
        let kept = evidence.pins.intersection(scenario.keys.all)
        let gone = evidence.pins.intersection(evidence.genuine?.all ?? []).subtracting(kept)
        let both = [gone.isEmpty ? "" : verb(gone, "goes", "go"), kept.isEmpty ? "" : verb(kept, "stays", "stay")]
        return both.filter { !$0.isEmpty }.joined(separator: ", and ")
            + ": that locks out where the server's own key alone is compared (curl) or one of each is wanted (Apple's two "
            + "lists), and works where any will do (OkHttp, Android, TrustKit); say which with --compares"
    }

    private var isOtherRoot: Bool { scenario.anchor == .another }
    private let trusting = ", as far as it trusts the root of this one"

    private func verb(_ pins: Set<String>, _ one: String, _ many: String) -> String {
        "\(named(pins)) \(pins.count == 1 ? one : many)"
    }

    /// `sha256/AbCdEfGh… (the server's own key)`.
    private func named(_ pins: Set<String>) -> String {
        English.list(pins.sorted().map { "\(Self.name($0)) (\(place($0)))" })
    }

    private func place(_ pin: String) -> String {
        let genuine = evidence.genuine
        if pin == scenario.keys.leaf || pin == genuine?.leaf { return "the server's own key" }
        let issuers = genuine?.issuers ?? []
        if pin == issuers.last { return "the root's" }
        return "an issuer's"
    }

    /// A pin by its beginning.
    static func name(_ pin: String) -> String { "sha256/\(pin.prefix(shown))…" }

    /// Enough to tell the pins of one host apart, in a sentence.
    private static let shown = 8
}
