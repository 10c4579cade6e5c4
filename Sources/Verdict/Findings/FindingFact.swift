import Facts
import Policy

/// What a finding found, as values; the words are `Report`'s.
///
/// A case for each thing that can be said. Hosts, counts and names are those of the evidence.
package enum FindingFact: Hashable, Sendable {
    case leak(Leak)
    case app(App)
    case proof(Proof)
    case run(Run)

    /// Ways around a pin, and around the proxy: what can stand in the way of a proof.
    package enum Leak: Hashable, Sendable {
        /// Data on a resumed session, where no certificate is shown.
        case dataOnResumedSession
        /// A session was resumed and carried nothing.
        case resumedSession
        /// Plain HTTP while it was attacked, and never untouched.
        case cleartextWhileAttacked
        /// What it had to say, on its own connection, without the TLS that was refused or taken away.
        case cleartextWithoutTLS
        /// Data that went to another host once this one had refused, and in no passthrough.
        case dataToSibling(Sibling)
        case pinTookOtherHost
        /// The alert is about the handshake's signature, under another host's chain.
        case pinFitsOtherHost(alert: AlertCode)
        /// The SNIs that were sent where CONNECT named the host.
        case askedUnder([HostName])
        /// The hosts that requests named on the host's own connections.
        case othersAsked([HostName])
        /// The SNIs that were sent, and not read, where CONNECT asked for an address of the host.
        case addressUnder([HostName])
        /// The hosts whose connections carried requests for this one.
        case askedOver([HostName], for: HostName)
        /// Hosts without a pin whose answers named pins of this one.
        case pinsServedBy([HostName])
        /// Tunnels that began neither with TLS nor with HTTP.
        case unreadTunnels(Int)
        case lentKeyRefused(isListed: Bool)
        case wentPast(PastFlows)
        case networkGaps(NetworkGaps)
        case networkWatched
    }

    /// How an app lives with its pins.
    package enum App: Hashable, Sendable {
        case updateHostPinned
        /// It was refused too, or was not asked for.
        case updateHostBlocked(wasAsked: Bool)
        /// nil: the rule names the host itself.
        case neverRefused(pattern: HostPattern?)
        case retryStorm(Storm)
        /// Passthroughs without it between attacks; nil: it is the last one.
        case noRecovery(passthroughs: Int?)
        /// Of so many cold starts that refused.
        case noPinReport(to: HostName, starts: Int)
        /// Suites by their registered names.
        case weakSuites([String])
        case plainHTTP
        case reachabilityProbe
        case nameDiffers
        /// Pins may stand back for installed CAs.
        case localAnchors(hasPins: Bool)
        case pinCheckedLate
        /// Attacks without an occasion, and what the client would have had to do.
        case noOccasion([AttackID], lacking: [Lack])
        case refusedOnce(trials: Int)
    }

    /// What a proof rests on, what it takes for granted, and why it is none.
    package enum Proof: Hashable, Sendable {
        /// What it answered where the signature was wrong; whether it finished a handshake under the trusted CA.
        case signatureStage(alert: AlertCode, hasFinished: Bool)
        case commonRefusal(Common)
        case assumption(Assumption)
        case otherExplanations(Explanations)
        case otherRunsOfNoUse([OtherRunOfNoUse])
        case differentialNotRepeated
        /// Controls that refused as well.
        case refusalUnexplained(refusing: [HostName])
        case attacksTried(Scope)
    }

    /// What concerns a run as a whole.
    package enum Run: Hashable, Sendable {
        case interrupted
        case endedEarly(EarlyEnd)
        /// By the names of the trials.
        case leftOut([String])
        case unsteady(Unsteady)
        /// It is a share of a plan, and rests on that alone.
        case shard(Shard)
        case shardsMissing([Shard], plans: Int)
        case retried([RetriedTrial])
        /// Of so many starts what the app left could not be copied; why, of the first.
        case stateNotCopied(Int, why: String)
        case differentCAs
        case differentBuilds
        case profileChanged
        /// The profile asks for more than the runs have tried: attacks, and cold starts where there were fewer.
        case profileAsksForMore(attacks: [AttackID], coldStarts: Int?)
        case runsMerged(Int)
        case otherFlows(Int)
        case undeclared(HostName)
        case undeclaredHosts(Undeclared)
        case tookAnyCertificate(HostName)
        case clientNotSeen(String)
        /// Connections, and where they came from.
        case wrongCredentials(Int, from: [HostName])
        case unattributed(Nobodys)
        case waiverExpired(Waiver)
        case waiverUnused(Waiver, isOver: Bool)
        case newFindings([Baseline.Entry])
        /// What another part of the program has to say, in its words.
        case remark(String)
    }
}
