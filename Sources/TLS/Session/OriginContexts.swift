import Facts

/// The client contexts of one loop: the proxy's own, and those that follow a client's offer.
///
/// Clients are a few stacks, so that a context is made once for each, and found again for their other connections.
package final class OriginContexts {
    /// As many as fingerprints of stacks that a day brings; a context takes some 10 KiB.
    private static let limit = 64

    /// What the proxy offers by itself.
    package let own: ClientContext
    private let trust: TrustStore
    private let identities: ClientIdentities
    private let keyLog: KeyLog?
    private let memory = VerificationMemory()
    private var following = BoundedCache<OriginOffer, ClientContext>(limit: limit)

    package init(
        trust: TrustStore, identities: ClientIdentities = ClientIdentities(), keyLog: KeyLog? = nil
    ) throws(OpenSSLError) {
        self.trust = trust
        self.identities = identities
        self.keyLog = keyLog
        own = try ClientContext(trust: trust, identities: identities, keyLog: keyLog, memory: memory)
    }

    package func context(following offer: OriginOffer) throws(OpenSSLError) -> ClientContext {
        if let known = following[offer] { return known }
        let made = try ClientContext(
            trust: trust, identities: identities, keyLog: keyLog, offering: offer, memory: memory)
        following.set(offer, made)
        return made
    }
}
