import Policy

/// What the runner needs of the proxy.
package protocol ProxyControl: Sendable {
    /// Returns when `plan` holds for every connection accepted from now on.
    func apply(_ plan: Plan) async throws

    /// Returns when no attacked connection is undecided any more (flight sent, no data, not closed, younger than the
    /// judge's limit for idle ones).
    func settle() async

    /// Ends every connection as cut by the gate, and turns new ones away until the next `apply`: a client that is
    /// being ended must not leave the picture of a refusal behind. Returns when all were observed.
    func endConnections() async

    func stop() async
}
