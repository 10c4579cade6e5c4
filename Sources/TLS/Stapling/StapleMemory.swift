/// What origins have stapled to their certificates, for the handshakes in which they do not.
///
/// A server of many workers (nginx is one) has no answer ready in each one's first handshake. A client that demands one
/// would refuse ours for that alone, though it is served by the genuine server nearly always.
///
/// Unchecked Sendable: `seen` is touched only under the lock.
@safe final class StapleMemory: @unchecked Sendable {
    private let lock = OpenSSLLock()
    private var seen = BoundedCache<String, OriginStaple>(limit: limit)

    /// Certificates that a run's hosts show; an answer has some 1,000 bytes.
    private static let limit = 256

    /// - Parameters:
    ///   - bytes: as they were stapled in this handshake; nil where nothing was.
    ///   - leaf: the origin's.
    /// - Returns: that, or what was stapled to this certificate the last time.
    func staple(_ bytes: [UInt8]?, of leaf: Certificate) -> OriginStaple? {
        let now = bytes.flatMap { OriginStaple($0, of: leaf) }
        // Without a lock there is no memory: OpenSSL was out of it.
        do { try lock.lock() } catch { return now }
        defer { lock.unlock() }
        if let now { seen.set(leaf.sha256, now) }
        return now ?? seen[leaf.sha256]
    }
}
