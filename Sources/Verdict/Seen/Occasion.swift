import Facts
import Policy

/// What a client has to have done before an attack that needs it is worth a cold start.
package enum Occasion: Hashable, Sendable {
    /// Untouched, it opened a connection that this onset would have attacked. What a client does after an outage only
    /// an outage shows.
    case connection(Conduct.Onset)
    /// Under `trusted-ca`, it finished a handshake: it would have had a session to come back with.
    case finishing
    /// Untouched, it asked a host that may send it on, or the attacked one by plain HTTP.
    case sendingOn
    /// It left something in a PINPROOF_STATE of its own, untouched or under `trusted-ca`: there is an earlier start to go on
    /// from.
    case stateLeft(Conduct.Beginning)
    /// It offers TLS 1.2, and agreed on a newer version with the origin: else the older one was met already.
    case olderVersion
    /// It offers this version of TLS.
    case version(TLSVersion)
    /// It offers TLS 1.3 or h2, and the origin agreed to less: else the newer handshake is the one that was met already.
    case moreThanOrigin
    /// Untouched, it came to TLS within a dialogue that began in the clear.
    case dialogue

    /// nil for attacks that need none, and where a lent key makes one.
    init?(of trial: Trial) {
        guard let variant = trial.variant, variant.needs == nil else { return nil }
        if variant.conduct.continuesState {
            self = .stateLeft(variant.conduct.beginning)
        } else if variant.conduct.onset != .atOnce, !variant.conduct.beginsWithOutage {
            self = .connection(variant.conduct.onset)
        } else if variant.conduct.resumption {
            self = .finishing
        } else if variant.conduct.answer == .redirect {
            self = .sendingOn
        } else if variant.conduct.denialOfTLS != nil {
            self = .dialogue
        } else if let attack = trial.attack, attack.id != .trustedCA, variant.conduct.offer == .tls12,
            attack.reading(of: variant.name).occasion == .offer
        {
            self = .olderVersion
        } else if case .only(let version) = variant.conduct.offer,
            trial.attack?.reading(of: variant.name).occasion == .offer
        {
            self = .version(version)
        } else if variant.conduct.offer == .newer {
            self = .moreThanOrigin
        } else {
            return nil
        }
    }

    /// It was seen of this host in a trial of the run.
    func isGiven(by host: HostName, in file: CaseFile) -> Bool {
        switch self {
        case .connection(let onset):
            return file.trials.contains { trial in
                guard trial.isPassthrough else { return false }
                let seen = (trial.sightings[host] ?? []).filter { $0.hasHello }
                return Self.isReached(onset, by: seen.map(\.observation).sorted { $0.helloAt < $1.helloAt })
            }
        case .stateLeft(let beginning):
            // What could not be copied is nothing that a start can go on from.
            return file.trials.contains { trial in
                guard let end = trial.end, end.leftState, end.stateFault == nil else { return false }
                return beginning.goesOn(from: trial.attack)
            }
        case .sendingOn:
            return file.trials.contains { trial in
                trial.isPassthrough
                    && trial.sightings.contains { from, seen in
                        from == host && seen.contains(where: \.wentInTheClear)
                            || file.profile.rule(for: from)?.expect == .accept && !seen.isEmpty
                    }
            }
        case .dialogue:
            return file.trials.contains { trial in
                trial.isPassthrough && (trial.sightings[host] ?? []).contains(where: \.cameToTLS)
            }
        case .olderVersion:
            return file.trials.contains { trial in
                trial.attack == .trustedCA
                    && (trial.sightings[host] ?? []).contains(where: \.offersOlderVersion)
            }
        case .version(let version):
            return file.trials.contains { trial in
                trial.attack == .trustedCA && (trial.sightings[host] ?? []).contains { $0.offers(version) }
            }
        case .moreThanOrigin:
            return file.trials.contains { trial in
                trial.attack == .trustedCA
                    && (trial.sightings[host] ?? []).contains(where: \.offersMoreThanOrigin)
            }
        case .finishing:
            return file.trials.contains { trial in
                trial.attack == .trustedCA
                    && (trial.sightings[host] ?? []).contains { $0.outcome != nil && $0.answer.hasFinished }
            }
        }
    }

    /// How many connections a cold start has to have before it shows something that no other form does.
    static func connections(for onset: Conduct.Onset) -> Int {
        switch onset {
        case .afterConnections(let count): count + 1
        // The only one is attacked under every form. The second of two is attacked under `second` too; which one of two
        // that race is the second differs from start to start, so each start more may meet the one without a pin.
        case .only(let place): max(place, 2)
        case .allBut(let place): place
        default: 1
        }
    }

    /// How long a connection has to last at the least to be closed by `Conduct.Onset.afterCut`.
    private static let quietMS = 1000 * Conduct.quietBeforeCut

    private static func isReached(_ onset: Conduct.Onset, by connections: [Observation]) -> Bool {
        guard let first = connections.first, let last = connections.last else { return false }
        return switch onset {
        case .atOnce, .afterOutage, .afterLostAnswer, .afterNoAnswer, .afterRefusedConnect: true
        // The proxy waits for as long before it closes one.
        case .afterCut: connections.contains { ($0.close?.ms ?? .infinity) - ($0.helloMS ?? 0) >= Self.quietMS }
        case .afterConnections, .only, .allBut: connections.count >= Self.connections(for: onset)
        case .afterSeconds(let seconds): last.helloAt - first.helloAt >= seconds
        case .afterRequests(let count):
            connections.count > 1 && connections.dropLast().reduce(0) { $0 + $1.requests } >= count
        }
    }
}

// What a client gave an occasion for: some attacks need a second connection, a resumption, a redirect that is
// followed, or something on offer that not every client has.

extension Review {
    /// Whether this stack met the attack as it is meant to be; always, where an attack needs no occasion.
    func hadOccasion(for requirement: Requirement, on stack: String) -> Bool {
        guard requirement.needsOccasion else { return true }
        if requirement.reading.occasion == .dialogue {
            return sightings.contains { $0.stack == stack && $0.cameToTLS }
        }
        let seen = meetings(requirement, on: stack).flatMap(\.sightings).filter { $0.stack == stack }
        if requirement.reading.occasion == .earlierStart {
            // Nothing to go on from is no occasion; nor is a start that asks for nothing, as what it needs is there.
            guard meetings.contains(where: requirement.matches) else { return hasEarlierStart(for: requirement) }
            return !seen.isEmpty
        }
        if let attacked = requirement.places { return hadOccasion(for: requirement, attacked, on: stack, seen) }
        if seen.isEmpty, requirement.form?.conduct.offer == .newer {
            // It comes only where the plain form met an origin that took less than the client offers.
            return sightings.contains { $0.stack == stack && $0.attack == .trustedCA && $0.offersMoreThanOrigin }
        }
        if seen.isEmpty, requirement.dependsOnOffer, case .only(let version) = requirement.form?.conduct.offer {
            return sightings.contains { $0.stack == stack && $0.attack == .trustedCA && $0.offers(version) }
        }
        if seen.isEmpty, requirement.dependsOnOffer, !requirement.isOtherFormOfTrustedCA {
            // It comes only where the plain form met a newer version.
            return sightings.contains { $0.stack == stack && $0.attack == .trustedCA && $0.offersOlderVersion }
        }
        // An app may ask for nothing where it cannot fetch what it begins with.
        if requirement.failsOthers, seen.isEmpty { return false }
        if requirement.dependsOnOffer {
            // Not asked for at all is no want of an occasion: there was one whenever the plain form was met.
            return seen.isEmpty || seen.contains(where: \.wasDelivered) && !seen.allSatisfy { lacks($0, requirement) }
                || !seen.contains { $0.outcome == .negotiation || lacks($0, requirement) }
        }
        if requirement.reading.occasion == .redirect {
            return seen.contains { $0.wasDelivered && wasSentOn($0) }
        }
        return seen.contains(where: \.wasDelivered)
    }

    /// What untouched trials showed and no trial attacked is no want of an occasion; nor is what was gone each time before
    /// it had seen our chain. A spare connection that nothing ever uses has nothing to show.
    private func hadOccasion(
        for requirement: Requirement, _ attacked: ClosedRange<Int>, on stack: String, _ seen: [Sighting]
    ) -> Bool {
        if seen.contains(where: { $0.wasDelivered && $0.outcome != .post }) { return true }
        guard meetings.contains(where: requirement.matches) else {
            // Of one connection, or of two, the other forms show all that there is.
            return places.most >= Occasion.connections(for: requirement.onset)
                && places.isUsed(attacked, by: stack)
        }
        // What came now and then, and never where it was to be attacked, is open as well; unless as many were refused at once.
        if !wasMet(requirement), places.furtherUses(attacked, by: stack) > 0,
            !places.areMetBeside(attacked, in: self)
        {
            return true
        }
        // What it always did untouched, and not in this trial, is open: it is tried again.
        return places.isAlwaysUsed(attacked, by: stack)
            || seen.contains(where: \.wasDelivered) && places.isUsed(attacked, by: stack)
    }

    /// Some start left something that this form, which goes on from an earlier one, could begin with.
    func hasEarlierStart(for requirement: Requirement) -> Bool {
        guard let beginning = requirement.form?.conduct.beginning else { return false }
        return beginning.goesOn(from: .passthrough) && untouched.contains(where: \.leftState)
            || meetings.contains { $0.leftState && beginning.goesOn(from: $0.attack) }
    }

    /// The client does not have it on offer.
    private func lacks(_ sighting: Sighting, _ requirement: Requirement) -> Bool {
        guard let hello = sighting.observation.hello else { return false }
        return switch requirement.form?.conduct.offer {
        case .tls12: !hello.versions.contains(.tls12)
        case .http1: hello.alpn.contains("h2") && !hello.alpn.contains("http/1.1")
        case .newer: !sighting.offersMoreThanOrigin
        case .only(let version): !hello.versions.contains(version)
        default: false
        }
    }

    /// Attacks that the run set out to try and for which no stack of the host gave an occasion.
    var withoutOccasion: [Requirement] {
        requirements.filter { requirement in
            requirement.needsOccasion
                && !genuineStacks.contains { reaction(of: $0, to: requirement) != .noOccasion }
        }
    }

    /// Attacks whose answer is in whole trials: what a verdict rests on.
    var met: Set<AttackID> { Set(metMeetings.map(\.attack)) }

    /// Those in which such an answer is.
    var metMeetings: [Meeting] {
        meetings.filter { meeting in
            if meeting.reading.occasion == .redirect {
                return meeting.sightings.contains { $0.wasDelivered && wasSentOn($0) }
            }
            // Without a session that is taken up again it is one more whole handshake.
            if meeting.reading.occasion == .resumption {
                return meeting.sightings.contains { $0.outcome == .resumed }
            }
            return meeting.sightings.contains(where: \.wasDelivered)
                || meeting.graded.contains { $0.grade == .conclusive }
        }
    }
}

extension Conduct.Beginning {
    /// A start under this attack leaves what one that begins so goes on from.
    fileprivate func goesOn(from attack: AttackID) -> Bool {
        switch self {
        case .anew: false
        case .afterUntouched: attack == .passthrough
        case .afterAttacked: attack == .trustedCA
        }
    }
}

extension Sighting {
    fileprivate func offers(_ version: TLSVersion) -> Bool {
        observation.hello?.versions.contains(version) ?? false
    }

    /// Its ClientHello came behind other bytes.
    fileprivate var cameToTLS: Bool { hasHello && observation.clearUp > 0 }

    /// TLS 1.2 is on offer, and the origin agreed to 1.3.
    fileprivate var offersOlderVersion: Bool {
        observation.hello?.versions.contains(.tls12) ?? false && observation.upstream?.negotiated?.version == .tls13
    }

    /// TLS 1.3 or HTTP/2 is on offer, and the origin agreed to an older one.
    fileprivate var offersMoreThanOrigin: Bool {
        guard let hello = observation.hello, let agreed = observation.upstream?.negotiated else { return false }
        return hello.versions.contains(.tls13) && agreed.version != .tls13
            || hello.alpn.contains("h2") && agreed.alpn != "h2"
    }
}
