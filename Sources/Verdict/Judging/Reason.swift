import Facts
import Policy

/// Why a host has its verdict, as values; the words are `Report`'s.
package enum Reason: Hashable, Sendable {
    // Of any host.
    case notAskedFor
    /// Nothing that the rule's wildcard matches.
    case nothingMatches
    case clientNeverSeen
    case environment(EnvironmentFault)
    /// The run supports no verdict, in the words of its evidence.
    case withdrawn(String)
    /// It carried no genuine traffic in passthrough.
    case noGenuineTraffic

    // Of a host that has to refuse.
    case witness(Witness)
    case goneBeforeAnswer
    case metOnlyInInterrupted
    case onlyResumed
    case closedAsCommandEnded
    case neverUnderAttack
    case closedBeforeChain
    case proven(Refusals, by: Control)
    /// Hosts that nobody pins refused the CA alike.
    case untrustedCA([RefusalWay], alike: [HostName])
    case unproven(Refusals, [Lack])

    // Of a host that has to accept.
    case accepted(Witness)
    case refused(trials: Int, [RefusalWay])
    case neverIntercepted
    case onlyPreface
    case leftOpen
    case resumed
    case closedAfterAnother
    case closedBeforeChainEachTime
    case unclear

    // Of a host that is never to be touched.
    case tunnelled(connections: Int)
    case intercepted
    case noDataUntouched
    case neverUsed

    /// Data under a chain that has to be refused, or may be taken.
    package struct Witness: Hashable, Sendable {
        /// Attacks, and forms where it was not all that it met.
        package var forms: [String]
        package var isPrefaceOnly: Bool
        /// Of the most telling connection.
        package var bytes: Int
        /// `http/1 GET`, `h2 request`, …; nil where the data is of no known kind.
        package var shape: String?
        /// The other host whose connection it went over, if it did.
        package var carrier: HostName?
    }

    /// What a host made of `trusted-ca`.
    package struct Refusals: Hashable, Sendable {
        /// Cold starts with a refusal that counts, of those in which it could show what it makes of it.
        package var starts: Int
        package var of: Int
        /// Empty where it refused nothing, and sent nothing.
        package var ways: [RefusalWay]
    }

    /// What shows that the CA is trusted.
    package enum Control: Hashable, Sendable {
        case hosts([HostName])
        case otherBuild, differential, lentKey, privateAnchor
    }

    /// What keeps a proof from being one, with what was seen of it.
    package enum Lack: Hashable, Sendable {
        case missing(Missing)
        /// The same of cold starts: these of so many.
        case coldStarts(Int, of: Int)
        /// So many connections are opened untouched, and not each was attacked.
        case connections(Int)
        /// One that only some starts have was away whenever it was to be attacked.
        case unmet(UnmetConnection)
        /// One that comes only after another one's data did not come.
        case unmetStack(UnmetStack)
        /// Controls that had refused, or were not served, before it closed.
        case closedAfterControls([HostName])
        case closedAfterOtherStack
    }
}

/// What makes a host's evidence worthless, whatever the app did.
package enum EnvironmentFault: Hashable, Sendable {
    /// The origin has none of the pinned keys.
    case foreignChain(ForeignChain)
    /// With the names of fatal alerts.
    case noSharedParameters([String])
    /// In the words of the proxy.
    case notServed(String)
    /// Why, in the words of the evidence; nil: its certificate does not verify.
    case originUnusable(String?, hasUnverifiedChain: Bool)
    case unreadable([RefusalWay])
    /// With the alert that refused the genuine chain, where there was one; and whether each time the server had answered the
    /// ClientHello, and it was the client that left.
    case brokenUntouched(AlertCode?, isAnswered: Bool = false)
    case brokenAtFirst, brokenAtLast
}
