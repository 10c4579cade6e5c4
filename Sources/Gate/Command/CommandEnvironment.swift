import Facts

/// What COMMAND's environment gets besides its own (docs/ci.md).
package struct CommandEnvironment: Sendable, Hashable {
    /// URL of the proxy as a client reaches it.
    package var proxy: String
    /// Path of the PEM of the root that clients are meant to trust.
    package var ca: String
    /// The run folder.
    package var run: String
    /// false: `--no-proxy-env`.
    package var setsProxyVariables: Bool
    /// JSON with the proxy URL of each of the profile's clients; nil where it names none.
    package var clients: String?

    package init(proxy: String, ca: String, run: String, setsProxyVariables: Bool = true, clients: String? = nil) {
        self.proxy = proxy
        self.ca = ca
        self.run = run
        self.setsProxyVariables = setsProxyVariables
        self.clients = clients
    }

    /// The variables of one trial.
    ///
    /// - Parameters:
    ///   - state: where the app may keep what it keeps, for COMMAND to hand on.
    ///   - clock: nil: the client has the time of day.
    package func variables(
        trial: Int, phase: AttackID, state: String, clock: ClientClock? = nil
    ) -> [String: String] {
        var variables = [
            "PINPROOF_PROXY": proxy, "PINPROOF_CA": ca, "PINPROOF_RUN": run, "PINPROOF_PHASE": phase.rawValue,
            "PINPROOF_TRIAL": String(trial), "PINPROOF_STATE": state,
        ]
        if let clients { variables["PINPROOF_CLIENTS"] = clients }
        if let clock { variables.merge(clock.variables) { _, new in new } }
        guard setsProxyVariables else { return variables }
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            variables[name] = proxy
            variables[name.uppercased()] = proxy
        }
        // Emptied rather than removed: a test runner that sets a default for the missing would undo it.
        for name in ["no_proxy", "NO_PROXY"] { variables[name] = "" }
        return variables
    }
}
