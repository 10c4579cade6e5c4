import Facts

/// The one list that every other format can be written from: what `pins.json` says.
///
///     {
///       "schema": "pinproof.pin-list/1",
///       "hosts": [
///         {
///           "host": "api.example.com",
///           "include_subdomains": "all",
///           "part": "any",
///           "expires": "2027-06-01",
///           "enforced": true,
///           "comment": "renewed each March",
///           "pins": [
///             "sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=",
///             {"pin": "sha256/…", "name": "spare key in the safe", "backup": true, "part": "leaf", "comment": "…"}
///           ]
///         }
///       ]
///     }
///
/// - `host`: a name without a wildcard; null where it is not known.
/// - `include_subdomains`: `none` (the default), `one` label more (`*.`), `all` below (`**.`).
/// - `include_itself`: false where only what lies below is meant; true is the default.
/// - `part`: which certificates of the chain a pin is compared with: `any` (the default), `leaf` or `ca`; a
///   pin's own counts before its host's.
/// - `expires`: the first day on which the pins are off; without it they never are.
/// - `enforced`: false where a mismatch is only reported; true is the default.
/// - a pin: `sha256/` and base64 of the key's SPKI (`sha1/` too), or `certificate-sha256/` and hexadecimal digits.
///
/// `schema`, `hosts`, `host` and `pins` have to be there. Other keys are refused, as a slip would go unnoticed.
package struct PinList: Hashable, Sendable {
    static let schema = "pinproof.pin-list/1"

    package struct Pin: Hashable, Sendable {
        package var declared: DeclaredPin
        /// What people call it.
        package var name: String?
        /// It is of a key that no server shows today.
        package var isBackup: Bool
        package var comment: String?

        package init(_ declared: DeclaredPin, name: String? = nil, isBackup: Bool = false, comment: String? = nil) {
            self.declared = declared
            self.name = name
            self.isBackup = isBackup
            self.comment = comment
        }
    }

    package struct Host: Hashable, Sendable {
        /// In lower case, without a wildcard; nil where it is not known.
        package var name: String?
        package var reach: DeclaredHost.Reach
        package var pins: [Pin]
        package var expires: CalendarDate?
        package var isEnforced: Bool
        package var comment: String?
        /// From 1.
        package var line: Int

        package init(
            _ name: String?, _ reach: DeclaredHost.Reach = .itself, pins: [Pin], expires: CalendarDate? = nil,
            isEnforced: Bool = true, comment: String? = nil, line: Int = 1
        ) {
            self.name = name
            self.reach = reach
            self.pins = pins
            self.expires = expires
            self.isEnforced = isEnforced
            self.comment = comment
            self.line = line
        }

        package init(_ host: DeclaredHost) {
            self.init(
                host.domain, host.reach, pins: host.pins.map { Pin($0) }, expires: host.expires,
                isEnforced: host.isEnforced, line: host.line)
        }

        package var declared: DeclaredHost {
            DeclaredHost(
                name, reach, pins: pins.map(\.declared), isEnforced: isEnforced, expires: expires, format: .neutral,
                line: line)
        }
    }

    package var hosts: [Host]

    package init(hosts: [Host]) { self.hosts = hosts }
}
