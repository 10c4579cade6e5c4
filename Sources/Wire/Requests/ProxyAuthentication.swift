import Facts

/// Tells clients by what they show to the proxy.
package struct ProxyAuthentication {
    /// Whether a request without credentials is asked for some; not where the client is known already.
    package var isRequired: Bool
    /// The name of the client with these; nil where they are nobody's.
    package var recognize: (ProxyCredentials) -> String?

    package init(isRequired: Bool, recognize: @escaping (ProxyCredentials) -> String?) {
        self.isRequired = isRequired
        self.recognize = recognize
    }

    /// Requests of one connection that are asked for credentials. Clients need one round, those that try several
    /// schemes two or three; one that never learns would go on for ever.
    static let challengeLimit = 8

    /// What a connection has shown so far.
    struct Result: Hashable {
        var client: String?
        var fault: Observation.Credentials?
        var challenges = 0
    }

    /// Takes what a request shows; true where it has to be asked for credentials first.
    func mustAsk(_ shown: ProxyCredentials.Shown, _ result: inout Result) -> Bool {
        switch shown {
        case .credentials(let credentials):
            if let client = recognize(credentials) {
                result.client = client
                if result.fault == .missing { result.fault = nil }
                return false
            }
            result.fault = .unknown
        case .unreadable: result.fault = .unknown
        case .nothing:
            guard isRequired else { return false }
            result.fault = result.fault ?? .missing
        }
        result.challenges += 1
        return true
    }
}
