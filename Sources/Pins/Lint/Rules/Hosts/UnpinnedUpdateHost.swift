/// L26: a host for updates or configuration that is not pinned, as a gate has to be told.
enum UnpinnedUpdateHost: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L26", "unpinned-update-host", .note, "A host for updates is not pinned",
        why:
            "Leaving the host that asks for a new version unpinned is the way out when pins go wrong, and a good idea. A gate sees an unpinned host of the app, and has to be told that it is meant.",
        fix: "List it in the profile as expected to be unpinned.")

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.appFiles.filter { $0.hosts.contains(where: \.isPinned) }.flatMap { file -> [LintFinding] in
            var lines: [String: Int] = [:]
            for setting in file.settings { if let host = setting.host { lines[host] = setting.line } }
            for host in context.situation.hosts where lines[host] == nil { lines[host] = 1 }
            for entry in file.hosts where !entry.isPinned { if let host = entry.domain { lines[host] = entry.line } }
            return lines.sorted { $0.key < $1.key }.compactMap { host, line in
                guard LintWords.isOfUpdates(host), !PinnedHosts.contain(host, context),
                    !context.isKnownUnpinned(host)
                else { return nil }
                return finding(
                    in: file, line: line, host: host,
                    "\(host) looks like a host for updates, and is not pinned: a gate reports it unless it knows that this is meant",
                    fix: "write it into the profile's hosts with `expect: accept`")
            }
        }
    }
}
