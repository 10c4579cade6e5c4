import Facts
import Policy

/// What a client has to have done before an attack that needs it is worth a cold start.
public enum Occasion: Hashable, Sendable {
    /// Untouched, it opened a connection that this onset would have attacked.
    case connection(Conduct.Onset)
    /// Under `trusted-ca`, it finished a handshake and came back in the same cold start.
    case comingBack

    /// nil for attacks that need none, and where a lent key makes one.
    init?(of trial: Trial) {
        guard let variant = trial.variant, variant.needs == nil else { return nil }
        if variant.conduct.onset != .atOnce {
            self = .connection(variant.conduct.onset)
        } else if variant.conduct.resumption {
            self = .comingBack
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
                let seen = (trial.sightings[host] ?? []).filter { $0.observation.hello != nil }
                return Self.isReached(onset, by: seen.map(\.observation).sorted { $0.at < $1.at })
            }
        case .comingBack:
            return file.trials.contains { trial in
                guard trial.attack == .trustedCA else { return false }
                let seen = (trial.sightings[host] ?? []).filter { $0.outcome != nil }
                return seen.contains { first in
                    first.observation.finishedMS != nil
                        && seen.contains {
                            $0.observation.connection != first.observation.connection
                                && $0.observation.at >= first.observation.at
                        }
                }
            }
        }
    }

    private static func isReached(_ onset: Conduct.Onset, by connections: [Observation]) -> Bool {
        guard let first = connections.first, let last = connections.last else { return false }
        return switch onset {
        case .atOnce: true
        case .afterConnections(let count): connections.count > count
        case .afterSeconds(let seconds): last.at - first.at >= seconds
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
        let seen = meetings.filter(requirement.matches).flatMap(\.sightings).filter { $0.stack == stack }
        if requirement.isOtherFormOfTrustedCA {
            // Not asked for at all is no want of an occasion: there was one whenever the plain form was met.
            return seen.isEmpty || seen.contains(where: \.wasDelivered) && !seen.allSatisfy { lacks($0, requirement) }
                || !seen.contains { $0.outcome == .negotiation || lacks($0, requirement) }
        }
        return seen.contains(where: \.wasDelivered)
    }

    /// The client does not have it on offer.
    private func lacks(_ sighting: Sighting, _ requirement: Requirement) -> Bool {
        guard let hello = sighting.observation.hello else { return false }
        return switch requirement.variant {
        case "tls-1.2": !hello.versions.contains(.tls12)
        case "http-1.1": hello.alpn.contains("h2") && !hello.alpn.contains("http/1.1")
        default: false
        }
    }

    /// Attacks that the run set out to try and for which no stack of the host gave an occasion.
    var withoutOccasion: [Requirement] {
        requirements.filter { requirement in
            requirement.needsOccasion
                && !genuineStacks.contains { standing(of: $0, to: requirement) != .noOccasion }
        }
    }

    /// Attacks whose answer is in whole trials: what a verdict rests on.
    var met: Set<AttackID> {
        Set(
            meetings.filter { meeting in
                meeting.sightings.contains(where: \.wasDelivered) || meeting.graded.contains { $0.grade == .conclusive }
            }.map(\.attack))
    }
}

extension Review {
    /// Stacks that were seen only under `trusted-ca` and the like, each time after another stack of the host had
    /// refused, and that said what they think of the certificate: a client that tries again with less on offer.
    ///
    /// Whether they trust the CA is not known. One that says "unknown CA", where the others do not, says that it does
    /// not, and is no mere second try.
    static func fallbacks(from genuine: Set<String>, _ sightings: [Sighting], _ trusted: [Meeting]) -> Set<String> {
        let untouched = Set(sightings.filter(\.isUntouchedAttempt).map(\.stack))
        let attacked = trusted.flatMap(\.sightings)
        let unknownCA = attacked.contains {
            genuine.contains($0.stack) && $0.certificateAlert?.code == AlertCode.unknownCA
        }
        let candidates = Set(attacked.map(\.stack)).subtracting(untouched).subtracting([""])
        return candidates.filter { stack in
            trusted.allSatisfy { meeting in
                meeting.sightings.filter { $0.stack == stack }.allSatisfy { again in
                    guard again.outcome == .alert, again.isIdentified, let alert = again.certificateAlert,
                        unknownCA || alert.code != AlertCode.unknownCA
                    else { return false }
                    return meeting.sightings.contains {
                        $0.stack != stack && genuine.contains($0.stack) && $0.isRefusal
                            && $0.met <= again.observation.at
                    }
                }
            }
        }
    }

    /// Stacks all of whose refusals of `trusted-ca` say that they are about the certificate: those are no unused
    /// sockets, so they need not be seen at work untouched.
    var outspokenStacks: Set<String> {
        let refusals = trusted.flatMap(\.sightings).filter(\.isRefusal)
        let mute = Set(refusals.filter { $0.outcome != .alert || $0.certificateAlert == nil }.map(\.stack))
        return Set(refusals.map(\.stack)).subtracting(mute)
    }
}

extension AlertCode {
    fileprivate static let unknownCA: UInt8 = 48
}
