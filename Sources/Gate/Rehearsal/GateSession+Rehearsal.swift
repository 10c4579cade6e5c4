import Authority
import Console
import Evidence
import Facts
import Loop
import Pins
import Policy
import Report
import TLS
import Verdict

// What `rehearse` makes of its starts.

extension RehearsalOptions {
    /// The team's chains, and whether the profile can be rehearsed at all.
    func read(for profile: Profile, _ trust: TrustStore) throws -> [RehearsedChain] {
        guard profile.rules.contains(where: { $0.expect == .refuse }) else {
            throw RehearsalError.nothingPinned(profile: profile.name)
        }
        guard profile.clients.isEmpty else { throw RehearsalError.severalClients(profile: profile.name) }
        return try chains.map {
            try RehearsedChain(name: $0.name, chain: $0.chain, key: $0.key, trust: trust)
        }
    }
}

extension GateSession {
    func plan(_ rehearsal: RehearsalOptions, _ ready: Preparation) -> RehearsalPlan {
        RehearsalPlan(
            profile: ready.profile, chains: ready.chains, hasStandard: rehearsal.hasStandard,
            lentFor: Set(ready.lent.backupPins.keys.compactMap { HostName($0) }), retries: options.terms.retries,
            clocks: rehearsal.clocks)
    }

    func tell(
        _ rehearsal: RehearsalOptions, _ ready: Preparation, _ evidence: EvidenceWriter, _ end: RunEnd,
        _ folder: RunFolder
    ) throws -> ExitStatus {
        let report = report(rehearsal, ready, evidence.records, end, folder)
        let json = RehearsalJSON.text(report)
        let page = HTMLRehearsalPage(report).bytes
        var delivery = Delivery()
        delivery.attempt {
            if printer.json { return try console.result(json) }
            let text = RehearsalText(report, unicode: printer.unicode)
            try console.result(console.loudness == .quiet ? text.summary : text.text)
        }
        delivery.attempt { try folder.write(json, as: "rehearsal.json") }
        delivery.attempt { try folder.write(String(decoding: page, as: UTF8.self), as: "rehearsal.html") }
        if let html = rehearsal.html { delivery.attempt { try Files.writeAtomically(page, to: html) } }
        return delivery.status(of: ExitStatus(rawValue: report.status) ?? .inconclusive, on: console)
    }

    private func report(
        _ rehearsal: RehearsalOptions, _ ready: Preparation, _ records: [EvidenceRecord], _ end: RunEnd,
        _ folder: RunFolder
    ) -> RehearsalReport {
        let record = RehearsalRecord(records)
        let started = records.lazy.compactMap { if case .header(let header) = $0 { header.started } else { nil } }.first
        let plan = plan(rehearsal, ready)
        let build = Self.build(options.labels, ready.profile)
        let now = WallClock.now
        let today = UTCTime(unix: now).date
        var hosts: [RehearsalReport.Host] = []
        var events: [TimelineEvent] = []
        // One that an app need not come to, and did not, is nobody's concern.
        for name in plan.hosts(record) where plan.isRequired(name) || record.wasAskedFor(name) {
            let pattern = ready.profile.rule(for: name)?.pattern
            let host = HostRehearsal(
                host: name, plan: plan, record: record, lent: ready.lent,
                anchors: pattern.flatMap { ready.anchors.pins[$0] } ?? [], scope: rehearsal.scope, now: now)
            let judge = RehearsalJudge(host.evidence)
            let certificates = host.certificates
            let timeline = RehearsalTimeline(
                host: name.text, judge: judge, build: build, chains: host.keysByChain, others: rehearsal.builds)
            let own = timeline.events(certificates, from: today)
            hosts.append(
                RehearsalReport.Host(
                    host: name.text, scenarios: host.scenarios.map(judge.judge) + host.clocks.map(judge.judge),
                    pins: host.evidence.pins, certificates: certificates, builds: timeline.spans(own, from: today),
                    fault: host.environmentFault, isRequired: plan.isRequired(name)))
            events += own
        }
        return RehearsalReport(
            profile: ready.profile.name, build: build, today: today, started: started ?? "", hosts: hosts,
            timeline: events.sorted { ($0.date, $0.host) < ($1.date, $1.host) },
            run: options.out ?? Files.relative(folder.path), fault: end.fault, isInterrupted: end.interrupted)
    }

    /// What reports call the build: its version where a label says that, else all that labels say, else the profile.
    static func build(_ labels: [String: String], _ profile: Profile) -> String {
        for name in ["version", "build"] { if let value = labels[name], !value.isEmpty { return value } }
        let all = labels.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isEmpty }
        return all.isEmpty ? profile.name.isEmpty ? "this build" : profile.name : all.joined(separator: " ")
    }
}

extension HostRehearsal {
    /// By the team's name; nil: the genuine one.
    var keysByChain: [String?: ChainKeys] {
        var keys: [String?: ChainKeys] = [:]
        for chain in chains { keys[chain.name] = Self.keys(chain) }
        keys[nil] = record.genuine(host).map(Self.keys)
        return keys
    }

    /// Those of the genuine chain as the server shows them, and what the team's have beside them. A root that no pin names is
    /// nobody's concern here.
    var certificates: [DatedCertificate] {
        let pins = evidence.pins
        let keys = record.genuine(host)?.spki ?? []
        let genuine = record.certificates(host).enumerated().compactMap { index, one -> DatedCertificate? in
            let key = keys.first { Base64.decoded(Array($0.utf8)[...]).map(Hex.encode) == one.spkiSHA256 }
            guard let key, let ends = CalendarDate(rfc3339: one.notAfter) else { return nil }
            let role = Self.role(index, isSelfIssued: one.subject == one.issuer)
            return DatedCertificate(role: role, subject: one.subject, key: key, ends: ends)
        }
        let own = chains.flatMap(Self.certificates).filter { one in
            one.role == .leaf
                || !genuine.contains { $0.subject == one.subject && $0.key == one.key && $0.ends == one.ends }
        }
        return (genuine + own).filter { $0.role != .root || pins.contains($0.key) }
    }

    private static func certificates(_ chain: RehearsedChain) -> [DatedCertificate] {
        chain.longest.enumerated().map { index, one in
            DatedCertificate(
                chain: chain.name, role: role(index, isSelfIssued: one.subjectDER == one.issuerDER),
                subject: one.subject,
                key: one.spkiSHA256Base64, begins: UTCTime(unix: one.notBefore).date,
                ends: UTCTime(unix: one.notAfter).date)
        }
    }

    private static func role(_ index: Int, isSelfIssued: Bool) -> DatedCertificate.Role {
        index == 0 ? .leaf : isSelfIssued ? .root : .intermediate
    }
}
