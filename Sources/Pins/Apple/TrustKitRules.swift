import Facts

/// What TrustKit takes and refuses (parse_configuration.m, configuration_utils.m).
///
/// For its configuration wherever it stands: a property list, or source code.
enum TrustKitRules {
    /// Its formatter has `yyyy-MM-dd`, and takes numbers without leading zeros as well; nil for what it passes over.
    static func day(_ text: String) -> CalendarDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, text.utf8.allSatisfy({ $0 == 0x2d || ($0 >= 0x30 && $0 <= 0x39) }),
            let year = parts[0], let month = parts[1], let day = parts[2], (0...9999).contains(year),
            (0...99).contains(month), (0...99).contains(day)
        else { return nil }
        return CalendarDate("\(year.digits(4))-\(month.digits(2))-\(day.digits(2))")
    }

    /// Without a digest where it raises: Foundation decodes letters of the alphabet and whole groups, no white space.
    static func pin(_ text: String, line: Int) -> DeclaredPin {
        var pin = DeclaredPin(base64: text, line: line)
        if text.utf8.count != 44 { pin.digest = nil }
        return pin
    }

    /// Different ones; with fewer it raises.
    static func fewestPins(enforced: Bool) -> Int { enforced ? 2 : 1 }

    /// Names that many share: subdomains of one cannot be included. Its list is not at hand, this is of the commonest.
    static func isShared(_ domain: String) -> Bool { PublicSuffixes.contains(domain) }

    /// The last label, where no registry has it: TrustKit knows no names below.
    static func unknownSuffix(of domain: String) -> String? {
        domain.split(separator: ".").last.map(String.init).flatMap { PublicSuffixes.reserved.contains($0) ? $0 : nil }
    }

    /// The longest domain with subdomains that a name lies below (`getPinningConfigurationKeyForDomain`).
    static func parent<Domain>(of name: String, among covering: [String: Domain]) -> Domain? {
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let domain = covering[String(rest)] { return domain }
        }
        return nil
    }
}
