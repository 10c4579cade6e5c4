import Authority
import Console
import Policy
import Profiles
import TLS
import Verdict

/// `gate --plan`: what a run would do, without a CA, a folder, or a run of COMMAND.
package struct OutlineSession: Sendable {
    package let options: GateOptions
    package let console: Console
    /// Of the terminal that the plan goes to; nil where it goes elsewhere.
    package let columns: Int?

    package init(_ options: GateOptions, console: Console, columns: Int? = nil) {
        self.options = options
        self.console = console
        self.columns = columns
    }

    package func run() throws -> ExitStatus {
        let loaded = try ProfileLoader.load(path: options.profile)
        try loaded.requireGateable()
        let profile = loaded.profile
        // As a run would: a file without a certificate is found before it.
        _ = try TrustStore.forOrigins(of: profile)
        let selection = try options.attackSelection(for: profile)
        let coldStarts = options.ownColdStarts(for: profile)
        let scheduler = Scheduler(
            profile: profile, attacks: options.share(of: selection.attacks, for: profile), coldStarts: coldStarts,
            named: selection.named,
            terms: options.terms)
        let listing = OutlineListing(
            profile: profile, outline: scheduler.outline, coldStarts: coldStarts, isByHand: options.command.isEmpty,
            columns: columns)
        try console.result(listing.text)
        if let warning = options.outlook(for: profile) { console.warn(warning) }
        return .pass
    }
}

extension GateOptions {
    /// The command line's choice before the profile's. A person cannot be asked for twenty phases unasked.
    func attackSelection(for profile: Profile) throws(AttackWordFault) -> AttackSelection {
        guard let attacks else { return profile.attacks ?? .set(command.isEmpty ? .quick : .standard) }
        return try AttackWords.selection(of: attacks)
    }

    /// What can be said of a gate's result before it: that refusals cannot be proven; nil: they may be.
    func outlook(for profile: Profile) -> String? {
        let hosts = profile.beyondProof.map(\.pattern.description)
        guard course == .whole, evidenceFrom.isEmpty, let first = hosts.first else { return nil }
        let more = hosts.count > 1 ? " and \(hosts.count - 1) more" : ""
        return
            "nothing in \(profile.name.isEmpty ? "the profile" : profile.name) can show that the app trusts the CA, so a refusal by \(first)\(more) "
            + "ends unproven: name under `controls` a host that the same build contacts without a pin (docs/verdicts.md)"
    }

    /// Of attacks, what this job tries.
    func share(of attacks: [Attack], for profile: Profile) -> [Attack] {
        shard?.share(of: attacks, provesAnchors: profile.rules.contains { !$0.anchors.isEmpty }) ?? attacks
    }

    /// Of the plan's cold starts, those of this job.
    func ownColdStarts(for profile: Profile) -> Int {
        let all = coldStarts(for: profile)
        return shard?.share(ofColdStarts: all) ?? all
    }

    func coldStarts(for profile: Profile) -> Int {
        coldStarts ?? profile.coldStarts ?? Self.defaultColdStarts
    }
}
