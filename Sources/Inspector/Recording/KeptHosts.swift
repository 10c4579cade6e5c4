import Facts
import Policy

/// `--keep-bodies`: a host, `*.` or `**.` and a name as in profiles, or `*` for all.
package enum KeptHosts: Hashable, Sendable {
    case every
    case pattern(HostPattern)

    package init?(_ text: String) {
        if text == "*" {
            self = .every
        } else if let pattern = HostPattern(text) {
            self = .pattern(pattern)
        } else {
            return nil
        }
    }

    package func matches(_ host: HostName) -> Bool {
        switch self {
        case .every: true
        case .pattern(let pattern): pattern.matches(host)
        }
    }
}
