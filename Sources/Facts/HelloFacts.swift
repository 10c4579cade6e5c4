/// What a ClientHello said, as far as a verdict can need it.
package struct HelloFacts: Hashable, Sendable, Codable {
    package var sni: HostName?
    package var alpn: [String]
    /// Highest first, GREASE removed.
    package var versions: [TLSVersion]
    /// JA4 (FoxIO's published description), for people and for other tools.
    package var ja4: String
    /// Digest of the normalised hello; equal for connections of the same stack (see `Wire.StackFingerprint`).
    package var stack: String
    package var offersPSK: Bool
    package var offersSessionID: Bool
    package var offersEarlyData: Bool
    /// An encrypted_client_hello extension was there (GREASE ECH cannot be told from real ECH).
    package var offersECH: Bool
    /// Names of offered suites without encryption or authentication, or of export strength.
    package var weakSuites: [String]
    /// The stacks that it looks like: one name, candidates, or none. For advice alone; verdicts go by `stack`.
    package var likelyStacks: [StackName]
    /// Length of the handshake message in bytes.
    package var length: Int

    package init(
        sni: HostName? = nil, alpn: [String] = [], versions: [TLSVersion] = [.tls13, .tls12], ja4: String = "",
        stack: String = "", offersPSK: Bool = false, offersSessionID: Bool = false, offersEarlyData: Bool = false,
        offersECH: Bool = false, weakSuites: [String] = [],
        likelyStacks: [StackName] = [], length: Int = 0
    ) {
        self.sni = sni
        self.alpn = alpn
        self.versions = versions
        self.ja4 = ja4
        self.stack = stack
        self.offersPSK = offersPSK
        self.offersSessionID = offersSessionID
        self.offersEarlyData = offersEarlyData
        self.offersECH = offersECH
        self.weakSuites = weakSuites
        self.likelyStacks = likelyStacks
        self.length = length
    }

    enum CodingKeys: String, CodingKey {
        case sni, alpn, versions, ja4, stack, length
        case offersPSK = "psk"
        case offersSessionID = "session_id"
        case offersEarlyData = "early_data"
        case offersECH = "ech"
        case weakSuites = "weak_suites"
        case likelyStacks = "likely"
    }
}

/// What one leg's handshake agreed on.
package struct Negotiated: Hashable, Sendable, Codable {
    package var version: TLSVersion
    package var cipher: String
    package var alpn: String?

    package init(version: TLSVersion, cipher: String, alpn: String?) {
        self.version = version
        self.cipher = cipher
        self.alpn = alpn
    }
}
