import Facts
import Wire

/// What the proxy answers itself, instead of calling anybody.
///
/// Under two names that nobody else has (RFC 6761 §6.2), and at its own address, where a browser comes that does not use
/// it as a proxy. Nothing else of the program is behind them: neither page nor API.
package struct OwnSite: Sendable {
    /// The onboarding page: `http://pinproof.test/` through the proxy.
    package static let name = "pinproof.test"
    /// Asked over TLS, under a forged certificate: who gets an answer trusts the CA.
    package static let checkName = "check.pinproof.test"

    /// A request, and what is known of how it came.
    package struct Visit: Hashable, Sendable {
        package var request: SiteRequest
        /// The client has finished a handshake under a certificate that was forged for the check.
        package var isChecked: Bool
        /// The proxy's own end: where this client has reached it.
        package var local: Endpoint

        package init(request: SiteRequest, isChecked: Bool, local: Endpoint) {
            self.request = request
            self.isChecked = isChecked
            self.local = local
        }
    }

    /// Called on a loop's thread; must not block.
    package var answer: @Sendable (Visit) -> SiteAnswer

    package init(answer: @escaping @Sendable (Visit) -> SiteAnswer) { self.answer = answer }

    static func isOwn(_ host: HostName?) -> Bool { host?.text == name || host?.text == checkName }

    /// Whether a request that names no server in its first line is for this site.
    ///
    /// No address is bound to another one by DNS, a name may be: a page of the web cannot come here by a name of its own.
    static func isOwnAddress(_ host: HostName?) -> Bool {
        guard let host else { return false }
        return host.isIP || host.text == "localhost" || isOwn(host)
    }
}
