import Facts

extension AppInspection {
    /// For people, a line each; without what the linter finds, which the caller adds.
    package var text: [String] {
        var lines = [headline]
        lines.append("  debuggable           \(isDebuggable ? "yes" : "no")")
        lines.append("  user's certificates  \(hasUserAnchors ? "trusted" : "not trusted")")
        lines.append("  clear text           \(clearTextWords)")
        lines.append(
            "  libraries            \(libraries.isEmpty ? "none that is known" : libraries.joined(separator: ", "))")
        lines += section("pins", hostLines, none: "no pins are declared in its configuration")
        lines += section(
            "rejected", faults.map(Self.line), none: nil)
        lines += section("certificates within it", certificates.map(Self.line), none: nil)
        lines += section(
            "text like pins", pinLikeStrings.map { "\($0.value)  \(Printable.excerpt($0.path))" }, none: nil)
        lines += section("not looked at", notes, none: nil)
        return lines
    }

    private var headline: String {
        let name = id.map { Printable.excerpt($0) } ?? "an app without a name"
        let version = version.map { " " + Printable.excerpt($0) } ?? ""
        let build = build.map { " (\(Printable.excerpt($0)))" } ?? ""
        let platformName = platform == .android ? "Android" : "iOS"
        return "\(name)\(version)\(build), \(platformName)\(targetSDK.map { ", target SDK \($0)" } ?? "")"
    }

    private var clearTextWords: String {
        if clearText.isEmpty { return "refused" }
        if clearText == ["*"] { return "allowed for every host" }
        return "allowed for \(English.some(clearText.map { Printable.excerpt($0) }))"
    }

    private var hostLines: [String] {
        files.flatMap { file in
            file.hosts.map { host in
                let patterns = host.patterns.joined(separator: ", ")
                let name =
                    patterns.isEmpty ? host.domain.map { "\($0) (matches nothing)" } ?? "an unknown host" : patterns
                var facts = [
                    host.pins.isEmpty && !host.isPinned
                        ? "none" : English.count(Set(host.pins.map(\.name)).count, "pin")
                ]
                if let expires = host.expires { facts.append("off from \(expires)") }
                if !host.isEnforced { facts.append("reported only") }
                return "\(Printable.excerpt(name))  \(facts.joined(separator: ", "))  "
                    + "\(Printable.excerpt(file.path)):\(host.line)"
            }
        }
    }

    private static func line(_ certificate: Certificate) -> String {
        "\(Printable.excerpt(certificate.path))  \(Printable.escaped(certificate.subject)), until "
            + certificate.notAfter
    }

    private static func line(_ fault: Fault) -> String {
        "\(Printable.excerpt(fault.path))\(fault.fault.line.map { ":\($0)" } ?? ""): \(fault.fault.message)"
    }

    private func section(_ title: String, _ lines: [String], none: String?) -> [String] {
        guard !lines.isEmpty else { return none.map { ["  \($0)"] } ?? [] }
        return ["  \(title)"] + lines.map { "    \($0)" }
    }
}
