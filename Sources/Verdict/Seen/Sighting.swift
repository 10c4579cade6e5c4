import Facts
import Policy

/// One connection to one host within one trial, with what it came to.
///
/// A class, as the judge passes thousands of them on, and it shares the observation with the evidence: a copy of that costs
/// as much as a look at it.
final class Sighting: Sendable {
    let trial: TrialKey
    /// Line of `evidence.jsonl`.
    let line: Int
    let host: HostName
    private let observed: Observed
    /// It sent a ClientHello. This and what follows is asked of each connection many times, and kept: to look into a
    /// ClientHello's facts copies them.
    let hasHello: Bool
    /// Of its ClientHello; empty where there was none.
    let stack: String
    /// In bytes, as `HelloFacts` says it; 0 where there was none.
    let helloLength: Int
    /// Some name was in its SNI.
    let hasSNI: Bool
    /// It was asked for by something else than the name that it is for, or names none.
    let isAstray: Bool
    /// A proof needs the SNI to say the host, or no SNI and the CONNECT name to say it.
    let isIdentified: Bool
    /// What it was met with; `passthrough` where it was not touched.
    let attack: AttackID
    let variant: String?
    /// What it answered to that.
    let answer: Answer
    /// How that is read.
    let reading: Reading
    /// All that its requests ask are other hosts that the profile speaks of. A name that nobody knows may be anything that
    /// a client puts there.
    let isForOthers: Bool

    /// - Parameters:
    ///   - attack: nil where it was not touched.
    ///   - reading: where it is known already; else it is looked up.
    init(
        trial: TrialKey, line: Int, host: HostName, observed: Observed, attack: AttackID?, variant: String?,
        reading: Reading? = nil, isForOthers: Bool = false
    ) {
        self.isForOthers = isForOthers
        self.trial = trial
        self.line = line
        self.host = host
        self.observed = observed
        self.attack = attack ?? .passthrough
        self.variant = variant
        let hello = observed.observation.hello
        hasHello = hello != nil
        stack = hello?.stack ?? ""
        helloLength = hello?.length ?? 0
        hasSNI = hello?.sni != nil
        let target = observed.observation.target?.host
        isIdentified = (hello?.sni ?? target) == host
        isAstray = target.map { host.isIP || $0 != host } ?? false
        answer = Answer(observed.observation, isTouched: attack != nil)
        self.reading = reading ?? AttackCatalogue.reading(of: self.attack, variant)
    }

    /// Lent, not copied.
    var observation: Observation {
        _read { yield observed.observation }
    }

    /// nil where it was not touched.
    var outcome: Outcome? { answer.outcome }

    /// Our flight reached it, and it was no resumption: what it did is its answer to what we presented.
    var wasDelivered: Bool {
        switch outcome {
        case .alert, .silent, .post, .idle, .data: true
        case .early, .negotiation, .resumed, nil: false
        }
    }

    var isRefusal: Bool { outcome == .alert || outcome == .silent || outcome == .post }

    /// Data that shows trust. A preface alone may have left before the chain was looked at.
    var isTrust: Bool { outcome == .data && !observation.prefaceOnly }

    /// Data under this attack from a client that named the host.
    func showsTrust(of attack: AttackID) -> Bool { isTrust && self.attack == attack && isIdentified }

    /// It was shown a key that the app pins, by the operator's leave: what it did there is a control.
    var isUnderLentKey: Bool { reading.data == .control }

    /// Data under a chain that has to be refused, and for this host. What a resumed session carries is none: no chain was
    /// shown there.
    var isWitness: Bool { outcome == .data && !isUnderLentKey && !isForOthers }

    /// The same connection, as one of another host that its requests ask.
    func of(_ host: HostName) -> Sighting {
        Sighting(
            trial: trial, line: line, host: host, observed: observed, attack: outcome == nil ? nil : attack,
            variant: variant, reading: outcome == nil ? nil : reading)
    }

    /// Its requests are, or may be, for this host, whatever its SNI says: all that is known to be for others is not.
    func asks(_ host: HostName) -> Bool { observation.asked.isEmpty || observation.asked.contains(host) }

    /// Trusted and answered, so that whoever depended on it could go on. An error, or an origin that asks for a client
    /// certificate which we do not have, may end a journey as a refusal does.
    var wasServed: Bool { isTrust && observation.bytesDown > 0 && !observation.isStoodIn && !wasTurnedAway }

    var wasTurnedAway: Bool {
        observation.status.map { $0 >= 400 } ?? (observation.upstream?.asksForCertificate == true)
    }

    /// A try at TLS to a host that was not touched. A socket that was opened and never used says nothing.
    var isUntouchedAttempt: Bool {
        guard outcome == nil, observation.action != .forwarded else { return false }
        return hasHello || observation.error != nil || observation.upstream?.error != nil
    }

    /// Bytes that left without TLS, by absolute-form HTTP or through a tunnel. A question whether there is a network gives
    /// nothing away.
    var wentInTheClear: Bool {
        guard observation.bytesUp > 0 else { return false }
        let isInTheClear = observation.action == .forwarded || observation.action == .tunnelled && !hasHello
        return isInTheClear && !observation.isProbe
    }

    /// The gate ended it while the client had still not asked for anything: it may have been about to.
    var wasCutShort: Bool {
        observation.serverAnswered && observation.close?.by == .gate && observation.alerts.isEmpty
    }

    var carriedGenuineData: Bool {
        outcome == nil && observation.action == .tunnelled && observation.passthroughData
    }

    /// The earliest moment at which the client can have known what we present; never, where it did not ask for TLS.
    var met: Double { !hasHello ? .infinity : observation.at + (observation.flight?.ms ?? 0) / 1000 }
    /// When the client can first have known that it gets nothing here: for an error answer, when that was passed on; in
    /// older evidence, which does not say when, as `met`.
    var failed: Double {
        guard isTrust, wasTurnedAway, observation.status != nil, let answered = observation.statusMS else { return met }
        return max(met, observation.at + answered / 1000)
    }
    /// The latest moment at which it can have decided to go.
    var left: Double { observation.close.map { observation.at + $0.ms / 1000 } ?? .infinity }

    /// Which TLS version both legs had, as far as it is known.
    var version: TLSVersion? { observation.negotiated?.version ?? observation.upstream?.negotiated?.version }
}

/// A trial within the runs that are judged together.
struct TrialKey: Hashable, Comparable {
    var run: Int
    var number: Int

    static func < (a: Self, b: Self) -> Bool { (a.run, a.number) < (b.run, b.number) }
}
