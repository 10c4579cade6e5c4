import Facts
import Policy

/// What was seen around a gap, so that advice can name it; the words are `Report`'s.
package struct Circumstances: Hashable, Sendable {
    /// What came first where the host only closed its connections in company.
    package struct Company: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// Other hosts that are attacked as well, among others.
            case attacked
            /// Controls alone: they are met in every trial, and no trial can be without them.
            case controls
            /// Another TLS stack at this very host.
            case otherStack
        }

        package var kind: Kind
        /// Empty for `otherStack`.
        package var hosts: [String]

        package init(kind: Kind, hosts: [String] = []) {
            self.kind = kind
            self.hosts = hosts
        }
    }

    /// Starts in which a host was contacted, of those in which it could have been.
    package struct Contacts: Hashable, Sendable {
        package var starts: Int
        package var of: Int

        package init(starts: Int, of: Int) {
            self.starts = starts
            self.of = of
        }
    }

    /// How COMMAND ended each time, where nothing at all was asked in any trial.
    package struct Silence: Hashable, Sendable {
        package var exit: Int?
        package var signal: Int?
        package var timedOut: Bool

        package init(exit: Int? = nil, signal: Int? = nil, timedOut: Bool = false) {
            self.exit = exit
            self.signal = signal
            self.timedOut = timedOut
        }
    }

    /// Of the profile's controls, in its order; where trust in the CA was not shown, or nothing was exercised.
    package var controls: [ControlSight]
    package var company: Company?
    /// Only where it was not contacted in all of them.
    package var contacts: Contacts?
    package var silence: Silence?
    /// A connection that only some starts have, and that was never met when it was to be attacked.
    package var unmet: UnmetConnection?
    /// A stack that comes only after another one's data, and was never met either.
    package var unmetStack: UnmetStack?
    /// No COMMAND was run: a person went through the phases.
    package var isByHand = false

    package init(
        controls: [ControlSight] = [], company: Company? = nil, contacts: Contacts? = nil, silence: Silence? = nil,
        unmet: UnmetConnection? = nil, unmetStack: UnmetStack? = nil
    ) {
        self.controls = controls
        self.company = company
        self.contacts = contacts
        self.silence = silence
        self.unmet = unmet
        self.unmetStack = unmetStack
    }
}

extension Circumstances {
    /// Of a host that has to refuse.
    init(_ verdict: HostVerdict, _ controls: TrustControls) {
        self.init()
        guard verdict.verdict == .refusedUnproven || verdict.verdict == .notExercised else { return }
        if verdict.verdict == .notExercised || verdict.missing.contains(.trustControl) {
            self.controls = ControlSight.all(controls)
        }
        if !verdict.missing.isEmpty {
            unmet = controls.review.unmetConnection
            unmetStack = controls.review.unmetStack
        }
        guard verdict.missing.contains(.attackedAlone), let company = Company(controls) else { return }
        self.company = company
        guard company.kind == .controls, self.controls.isEmpty else { return }
        self.controls = ControlSight.all(controls).filter { company.hosts.contains($0.control) }
    }
}

extension Circumstances.Company {
    /// Of the trials in which the host was attacked alone, where there were any: they are what should have settled it.
    init?(_ controls: TrustControls) {
        let (file, review) = (controls.file, controls.review)
        let all = review.meetings.filter { $0.graded.contains { $0.grade == .inCompany } }
        let alone = all.filter(\.isAlone)
        var hosts: Set<HostName> = []
        for meeting in alone.isEmpty ? all : alone {
            guard let trial = file.trial(meeting.trial) else { continue }
            for graded in meeting.graded where graded.grade == .inCompany {
                hosts.formUnion(trial.company(of: graded.sighting))
            }
        }
        guard !all.isEmpty else { return nil }
        let names = hosts.sorted().map(\.text)
        let kind: Kind =
            hosts.isEmpty ? .otherStack : hosts.allSatisfy(controls.file.profile.isControl) ? .controls : .attacked
        self.init(kind: kind, hosts: names)
    }
}

extension Circumstances.Contacts {
    /// nil where it came in every start, or in none. A start that ended early, or in which another host may have ended the
    /// journey, tells nothing.
    init?(_ file: CaseFile, _ host: HostName) {
        let met = file.trials.filter { $0.isComplete && $0.sightings[host]?.isEmpty == false }
        let runs = Set(met.map(\.key.run))
        let missed = file.trials.filter {
            $0.isComplete && !$0.failsOthers && $0.end?.timedOut == false && runs.contains($0.key.run)
                && $0.sightings[host]?.isEmpty ?? true && !$0.mayHaveEndedEarly
        }
        guard !met.isEmpty, !missed.isEmpty else { return nil }
        self.init(starts: met.count, of: met.count + missed.count)
    }
}

extension Circumstances.Silence {
    /// nil where anything was asked, where no COMMAND was run, or where its runs ended in different ways.
    init?(_ runs: [RunEvidence]) {
        var ends: Set<Self> = []
        for record in runs.lazy.flatMap(\.records).map(\.record) {
            switch record {
            case .connection(let seen) where seen.observation.trial > 0: return nil
            case .flow: return nil
            case .trialEnded(let end) where !end.interrupted:
                ends.insert(Self(exit: end.exit, signal: end.signal, timedOut: end.timedOut))
            default: continue
            }
        }
        guard ends.count == 1, let end = ends.first, end.exit != nil || end.signal != nil || end.timedOut else {
            return nil
        }
        self = end
    }
}
