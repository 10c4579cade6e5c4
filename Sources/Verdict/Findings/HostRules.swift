import Facts
import Policy

/// What a person should know beside the verdict on a host that has to refuse.
///
/// Begin here to see what is found: it is a list of rules over a host's case. A rule is a function in a file of its own,
/// and stands here once. A verdict rests on none of it, but an error that nobody waived stands in the way of a proof.
enum HostRules {
    typealias Fault = @Sendable (HostCase) -> [Finding]
    typealias Note = @Sendable (HostCase, HostVerdict) -> [Finding]

    /// What the host did, whatever its verdict.
    static let faults: [Fault] = [
        SessionCacheBypass.find, LeakAfterRefusal.find, WeakPin.find, AskedUnderAnotherName.find,
        AskedOverAnotherConnection.find, PinsFromUnpinnedHost.find, UnreadTunnel.find,
        BlockedUpdateHost.find, NeverPinned.find, RetryStorm.find, NoRecovery.find, MissingPinReport.find,
        WeakSuitesOffered.find, LentKeyRefused.find, NetworkFindings.find,
    ]

    /// Beside every verdict.
    static let notes: [Note] = [
        PlainHTTP.find, ReachabilityProbe.find, NameDiffers.find, PinCheckedLate.find, LocalAnchors.find,
    ]

    /// Beside the verdicts of a host that was seen to refuse.
    static let notesOfRefusals: [Note] = [
        CommonRefusal.find, NoOccasion.find, SignatureStage.find, ControlAssumption.find, OtherExplanations.find,
        OtherRuns.find, Differentials.find, AttacksTried.find,
    ]

    static func faults(of host: HostCase) -> [Finding] {
        Waivers(host.file).applied(to: faults.flatMap { $0(host) }, at: host.host)
    }

    static func notes(of host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        let isOfRefusal = verdict.verdict == .provenPinned || verdict.verdict == .refusedUnproven
        return (notes + (isOfRefusal ? notesOfRefusals : [])).flatMap { $0(host, verdict) }
    }
}
