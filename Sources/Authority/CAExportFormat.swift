/// The forms of a root certificate that `pinproof ca export` writes.
package enum CAExportFormat: String, CaseIterable, Sendable, Hashable {
    case pem, der, pkcs12, android, mobileconfig

    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Parses `pem,der`, or `all`.
    package static func parse(list: String) throws(CAUseError) -> [CAExportFormat] {
        if list == "all" { return allCases }
        var formats: [CAExportFormat] = []
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let format = CAExportFormat(rawValue: String(name)) else { throw .unknownExportFormat(String(name)) }
            if !formats.contains(format) { formats.append(format) }
        }
        return formats
    }
}
