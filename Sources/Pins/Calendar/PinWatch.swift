import Facts

/// What happens to pins within some days: for a job that runs each night.
///
///     let report = PinWatch.report(files, LintSituation(today: today, chains: live), within: 30)
///     report.isDue    // exit 1
package enum PinWatch {
    /// - Parameter days: how far ahead to look. What has ended already is told too; of CAs what happened as many days ago,
    ///   since a backup pin of a CA that has left may stay for years.
    package static func report(_ files: [PinFile], _ situation: LintSituation, within days: Int) -> WatchReport {
        let days = min(max(0, days), longest)
        let context = LintContext(files, situation)
        let last = CalendarDate(daysSince1970: context.today.daysSince1970 + days)
        let all =
            mismatches(context) + certificates(context, last) + pinSets(context, last)
            + authorities(context, days, last)
        var seen: Set<WatchEvent> = []
        let events = all.filter { seen.insert($0).inserted }.sorted(by: precedes)
        return WatchReport(today: context.today, days: days, events: events, problems: situation.problems)
    }

    /// Ten years; nobody plans further ahead, and days stay days.
    package static let longest = 3650

    private static func precedes(_ a: WatchEvent, _ b: WatchEvent) -> Bool {
        if a.date != b.date { return a.date < b.date }
        let (x, y) = (order(a.kind), order(b.kind))
        if x != y { return x < y }
        return (a.host ?? "", a.file, a.line, a.text) < (b.host ?? "", b.file, b.line, b.text)
    }

    private static func order(_ kind: WatchEvent.Kind) -> Int { WatchEvent.Kind.allCases.firstIndex(of: kind) ?? 0 }

    private static func mismatches(_ context: LintContext) -> [WatchEvent] {
        PinNotServed.findings(context).map { found in
            WatchEvent(
                date: context.today, kind: .pinsDoNotMatch, host: found.host, file: found.file, line: found.line,
                text: found.text, commands: WatchCommands.mismatch(found.host, found.file))
        }
    }

    /// Of each pinned host's chain, what ends by then.
    private static func certificates(_ context: LintContext, _ last: CalendarDate) -> [WatchEvent] {
        context.situation.chains.sorted { $0.key < $1.key }.flatMap { host, chain -> [WatchEvent] in
            guard let (file, pins) = pinned(host, context), let entry = pins.entries.first(where: \.isPinned) else {
                return []
            }
            return chain.filter { $0.notAfter <= last }.map { certificate in
                let isLeaf = certificate.role == .leaf
                let when = when(certificate.notAfter, context.today)
                return WatchEvent(
                    date: certificate.notAfter, kind: isLeaf ? .leafExpires : .issuerExpires, host: host,
                    file: file.path, line: entry.line,
                    text: isLeaf
                        ? leafText(host, certificate, pins, when)
                        : "\(label(certificate)), above \(Printable.excerpt(host)), \(when)",
                    commands: isLeaf
                        ? WatchCommands.renewal(host, certificate, file.path) : WatchCommands.look(host, file.path))
            }
        }
    }

    private static func leafText(
        _ host: String, _ leaf: GenuineCertificate, _ pins: EffectivePins, _ when: String
    ) -> String {
        let isPinned = pins.pins.contains { leaf.matches($0) == true }
        let isWhole = pins.pins.contains { !$0.kind.isOfKey && leaf.matches($0) == true }
        let name = Printable.excerpt(host)
        if isWhole { return "the certificate of \(name) \(when), and its hash is pinned: any renewal locks users out" }
        return isPinned
            ? "the certificate of \(name) \(when), and its key is pinned: the renewal has to keep the key, or go to the backup's"
            : "the certificate of \(name) \(when): the renewal has to come from a pinned CA again"
    }

    private static func pinSets(_ context: LintContext, _ last: CalendarDate) -> [WatchEvent] {
        context.pinFiles.flatMap { file in
            file.entriesByPlace.compactMap { entry, hosts -> WatchEvent? in
                guard let expires = entry.expires, expires <= last else { return nil }
                return WatchEvent(
                    date: expires, kind: .pinsExpire, host: LintWords.single(hosts), file: file.path,
                    line: entry.line,
                    text:
                        "the pins of \(LintWords.hosts(hosts)) are off \(expires <= context.today ? "since" : "from") \(expires)\(inDays(expires, context.today))",
                    commands: WatchCommands.pinSet(file.path))
            }
        }
    }

    /// Of pinned CAs, what has happened and what comes; and what is announced to whoever renews.
    private static func authorities(_ context: LintContext, _ days: Int, _ last: CalendarDate) -> [WatchEvent] {
        let first = CalendarDate(daysSince1970: context.today.daysSince1970 - days)
        return context.pinFiles.flatMap { file in
            file.pinsByPlace.flatMap { pin, hosts -> [WatchEvent] in
                guard let digest = pin.digest, pin.kind == .spkiSHA256 else { return [] }
                let name = KnownRoot.of(key: digest)?.name ?? "a pinned CA"
                return CACalendar.events(key: digest).compactMap { event in
                    guard let date = event.date, date >= first, date <= last, event.kind != .shorterCertificates else {
                        return nil
                    }
                    return WatchEvent(
                        date: date, kind: .caEvent, host: LintWords.single(hosts), file: file.path, line: pin.line,
                        text:
                            "\(name), pinned for \(LintWords.hosts(hosts)): \(event.text)\(inDays(date, context.today)) (\(event.source)); \(event.fix)",
                        commands: WatchCommands.look(hosts.first, file.path))
                }
            }
        } + announcements(context, last)
    }

    /// General ones, and those of the issuers at hand, that are still to come.
    private static func announcements(_ context: LintContext, _ last: CalendarDate) -> [WatchEvent] {
        context.situation.chains.sorted { $0.key < $1.key }.flatMap { host, chain -> [WatchEvent] in
            guard let leaf = chain.first, let (file, pins) = pinned(host, context),
                let entry = pins.entries.first(where: \.isPinned), isPublic(chain)
            else { return [] }
            return CACalendar.events.compactMap { event in
                guard let date = event.date, date > context.today, date <= last, event.keys.isEmpty,
                    event.isGeneral || event.concerns(issuer: leaf.issuer)
                else { return nil }
                return WatchEvent(
                    date: date, kind: .announcement, host: host, file: file.path, line: entry.line,
                    text: "\(event.by): \(event.text)\(inDays(date, context.today)) (\(event.source)); \(event.fix)",
                    commands: [])
            }
        }
    }

    private static func isPublic(_ chain: [GenuineCertificate]) -> Bool {
        chain.contains { KnownRoot.of(key: $0.spkiSHA256) != nil } || chain.unshownRoot != nil
    }

    private static func pinned(_ host: String, _ context: LintContext) -> (LintFile, EffectivePins)? {
        for file in context.pinFiles {
            if let pins = file.effective(host).first(where: \.isPinned) { return (file, pins) }
        }
        return nil
    }

    private static func label(_ certificate: GenuineCertificate) -> String {
        let label = DistinguishedName(certificate.subject).label
        return Printable.excerpt(label.isEmpty ? certificate.subject : label)
    }

    private static func when(_ date: CalendarDate, _ today: CalendarDate) -> String {
        date < today ? "ended on \(date)" : "ends on \(date)\(inDays(date, today))"
    }

    private static func inDays(_ date: CalendarDate, _ today: CalendarDate) -> String {
        let left = date.daysSince1970 - today.daysSince1970
        return left > 0 ? ", in \(LintWords.days(left))" : left == 0 ? ", today" : ""
    }
}
