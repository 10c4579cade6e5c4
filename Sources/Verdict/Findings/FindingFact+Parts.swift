import Facts
import Policy

// What the facts of findings are made of.

extension FindingFact {
    /// Starts that came to nothing, of all under attack and of all untouched ones.
    package struct Unsteady: Hashable, Sendable {
        package var attacked: Int
        package var ofAttacked: Int
        package var untouched: Int
        package var ofUntouched: Int
    }

    /// Where data went after a refusal.
    package struct Sibling: Hashable, Sendable {
        package var host: HostName
        /// It has the registrable domain of the host that refused.
        package var sharesDomain: Bool
        package var isDeclared: Bool
    }

    /// Flows that went past the proxy and are, or may be, the host's.
    package struct PastFlows: Hashable, Sendable {
        package enum What: Hashable, Sendable { case quic, udp, tcp, plainTCP }
        package enum Target: Hashable, Sendable {
            case named, address
            /// Which may be this host's.
            case unknown(Endpoint)
        }

        package var what: What
        package var count: Int
        package var target: Target
        /// How many of them came in trials that attack the host.
        package var attacked: Int
    }

    /// Why the evidence of another run is no control.
    package enum OtherRunOfNoUse: Int, Hashable, Sendable, Comparable {
        case noVerdict, noSameAnchors, anotherCA, noData, mayTakeAny, anotherStack, notEveryStack

        package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// What a control takes for granted.
    package enum Assumption: Hashable, Sendable {
        /// S2a: the host has the control's anchors, and no policy of its own.
        case sameAnchors
        /// S2c: nothing but pins is applied once a handshake is over.
        case noOtherPolicy
        /// private-anchor: no roots but those that the profile names.
        case ownAnchorsAlone
    }

    package struct Storm: Hashable, Sendable {
        package var attack: AttackID
        /// Connections within so many seconds.
        package var connections: Int
        package var seconds: Int
        /// The most that a passthrough had.
        package var usual: Int
    }

    /// A refusal that every host shares, controls included.
    package struct Common: Hashable, Sendable {
        /// What explains it.
        package enum Cause: Hashable, Sendable { case untrustedCA, ruleForAll }

        package var cause: Cause
        /// How `trusted-ca` and `untrusted-ca` were refused.
        package var trusted: RefusalWay
        package var untrusted: RefusalWay
        /// Hosts that nobody pins, in order.
        package var controls: [HostName]
    }

    /// What a client did not do that an attack needs.
    package enum Lack: Hashable, Sendable {
        case lateConnection, retryAfterOutage, furtherConnection, reconnection, resumption, redirect, earlierStart,
            offer, olderOrigin
    }

    /// What a control excludes, and what is left beside a pin.
    package struct Explanations: Hashable, Sendable {
        package var strength: Strength
        /// Controls that took the CA; under `S2a` alone.
        package var takers: [HostName]
        /// In what the forged chain differs from the genuine one, in the evidence's short words, sorted.
        package var unlike: [String]
        /// The pins are a CA's, and no chain of that CA for another host was seen to be refused for its name.
        package var leavesNameOpen = false
        /// The client said that it does not know the CA, as it says of an unknown one, where a control took it.
        package var deniesCA = false
    }

    /// What a verdict rests on, and what was left out; attacks in the catalogue's order.
    package struct Scope: Hashable, Sendable {
        package var met: [AttackID]
        /// Planned, but not met.
        package var missed: [AttackID]
        /// Forms that the CA may not sign.
        package var leftOut: [String]
        /// Further forms that the standard set tries where there is room.
        package var formsLeft: [String]
        /// Attacks of which not every form was met: how many were, of how many.
        package var partial: [Forms]
        /// Of no part of the run.
        package var untried: [AttackID]
        /// Connections of a cold start that were used untouched and not attacked alone, by number.
        package var connections: ClosedRange<Int>?

        package struct Forms: Hashable, Sendable {
            package var attack: AttackID
            package var met: Int
            package var all: Int
        }
    }

    /// Hosts that carry data and that the profile does not name.
    package struct Undeclared: Hashable, Sendable {
        package var count: Int
        /// The first of them.
        package var named: [HostName]
        /// They are of a domain of which the profile names another host.
        package var isOfDeclaredDomain: Bool
    }

    /// Connections that are no client's.
    package struct Nobodys: Hashable, Sendable {
        package var connections: Int
        package var hosts: [HostName]
        /// So many ended without the credentials that they were asked for.
        package var bare: Int
    }
}

/// What a watch over the network missed.
package struct NetworkGaps: Hashable, Sendable {
    /// Packets that came too fast.
    package var dropped = 0
    /// Flows that were too many to follow.
    package var untracked = 0
    /// Trials without a watch.
    package var unwatched = 0
    /// In the words of the watch.
    package var faults: [String] = []

    package var isEmpty: Bool { self == NetworkGaps() }
}

/// How a connection was refused, as far as it can be compared.
package enum RefusalWay: Hashable, Sendable {
    case alert(AlertCode)
    /// An alert that only the client itself could read.
    case unreadable
    /// Gone in the handshake without an alert.
    case silent
    /// Gone after the handshake without a byte.
    case late
}

extension RefusalWay {
    /// nil for what is no refusal.
    init?(_ sighting: Sighting) {
        switch sighting.outcome {
        case .alert: self = sighting.answer.alert.map { .alert(AlertCode(rawValue: $0.code)) } ?? .unreadable
        case .silent: self = .silent
        case .post: self = .late
        default: return nil
        }
    }

    /// Every way in which these refused, each once, in their order.
    static func all(_ refusals: [Sighting]) -> [RefusalWay] {
        refusals.compactMap(RefusalWay.init).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
