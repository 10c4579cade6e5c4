import Facts

/// L30: a pinned CA that ends.
enum PinnedCALeaves: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L30", "pinned-ca-leaves", .warning, "A pinned CA leaves a root programme, is retired or expires",
        why:
            "When a CA leaves Mozilla's, Chrome's or Apple's programme it stops issuing from there, also for apps: your next certificate comes from another root, and the pin does not match. Old apps are locked out on renewal day.",
        fix: "Pin the CA's next root beside this one, before the day.",
        sources: ["https://wiki.mozilla.org/CA/Root_CA_Lifecycles"])

    /// Longer ahead nobody plans: an app's version is used for two or three years.
    static let horizon = 3 * 365
    /// From here on it is urgent.
    static let warning = 365

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.pinsByPlace.compactMap { pin, hosts -> LintFinding? in
                guard pin.kind == .spkiSHA256, let digest = pin.digest,
                    let event = event(digest, context.today), let date = event.date
                else { return nil }
                let days = date.daysSince1970 - context.today.daysSince1970
                let name = KnownRoot.of(key: digest)?.name ?? "a CA"
                let when = days <= 0 ? "since \(date)" : "on \(date), in \(LintWords.days(days))"
                return finding(
                    days <= warning ? .warning : .note, in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) is pinned to \(name): \(event.text) (\(when)\(event.certainty == .scheduled ? ", by schedule" : ""); \(event.source))",
                    fix: event.fix)
            }
        }
    }

    /// What has happened most recently, else what comes first, within the horizon; its own expiry among them.
    private static func event(_ key: [UInt8], _ today: CalendarDate) -> CAEvent? {
        let last = CalendarDate(daysSince1970: today.daysSince1970 + horizon)
        let kinds: Set<CAEvent.Kind> = [.leavesProgramme, .distrusted, .expires, .retires, .crossSignEnds]
        var events = CACalendar.events(key: key).filter { event in
            kinds.contains(event.kind) && event.date.map { $0 <= last } ?? false
        }
        if let root = KnownRoot.of(key: key), root.notAfter <= last {
            events.append(
                CAEvent(
                    "root-expires", root.notAfter, .expires, by: root.organisation, "the root's certificate expires",
                    fix: "pin the CA's next root beside this one", roots: [root.name], source: "the certificate itself",
                    checked: RootTable.checked))
        }
        return events.last { ($0.date ?? today) <= today } ?? events.min { ($0.date ?? last) < ($1.date ?? last) }
    }
}

/// L31: a pinned intermediate that its CA changes when it likes.
enum RotatingIntermediate: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L31", "rotating-intermediate", .warning, "A pinned intermediate is changed without notice",
        why:
            "Let's Encrypt picks an intermediate at random for each certificate, Amazon and Google change theirs as they like, and all of them say so, against pinning. The next renewal may come from one that is not pinned.",
        fix: "Pin roots, or your own key.",
        sources: [
            "https://letsencrypt.org/2024/03/19/new-intermediate-certificates",
            "https://aws.amazon.com/blogs/security/amazon-introduces-dynamic-intermediate-certificate-authorities/",
        ])

    static func findings(_ context: LintContext) -> [LintFinding] {
        let rotating = CACalendar.events.filter { $0.kind == .rotates }
        return context.pinFiles.flatMap { file in
            file.pinsByPlace.compactMap { pin, hosts -> LintFinding? in
                guard let digest = pin.digest, pin.part != .leaf,
                    pin.kind != .spkiSHA256 || KnownRoot.of(key: digest) == nil
                else { return nil }
                let shown = context.chains(near: hosts).lazy.flatMap(\.chain).first {
                    $0.role == .intermediate && KnownRoot.of(key: $0.spkiSHA256) == nil && $0.matches(pin) == true
                }
                let event = rotating.first { event in
                    pin.kind == .spkiSHA256 && event.keys.contains(digest)
                        || shown.map { event.concerns(issuer: $0.subject) } ?? false
                }
                guard let event else { return nil }
                let name = shown.map { DistinguishedName($0.subject).label } ?? "an intermediate of \(event.by)"
                return finding(
                    in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) is pinned to \(Printable.excerpt(name)): \(event.text)", fix: event.fix)
            }
        }
    }
}
