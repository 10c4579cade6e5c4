import COpenSSL
import Facts

/// Sessions that origins gave, for the next connections to them.
///
/// Of one context, and so of one loop.
/// A session that resumes parses, signs and verifies nothing, which is most of what a handshake costs. What its chain is
/// worth was found out by the handshake that began it, and is good for as long as `VerificationCache` has it: then there
/// is a whole handshake again. A ticket is offered once (RFC 8446, appendix C.4).
struct OriginSessions {
    /// Where a session was given, to whom, and by which offer: all has to be the same.
    struct Key: Hashable {
        let place: Endpoint
        let sni: HostName?
        let host: HostName
        let alpn: [String]
        let maxVersion: TLSVersion
    }

    /// A session with what its handshake found out.
    @safe final class Session {
        fileprivate let pointer: OpaquePointer
        let chain: GenuineChain
        /// Seconds since 1970.
        let until: Int

        /// - Parameter pointer: its reference becomes this object's own.
        init(adopting pointer: OpaquePointer, chain: GenuineChain, until: Int) {
            unsafe self.pointer = pointer
            self.chain = chain
            self.until = until
        }

        deinit { unsafe SSL_SESSION_free(pointer) }

        func isGood(at now: Int) -> Bool { until > now && isResumable }

        private var isResumable: Bool { unsafe SSL_SESSION_is_resumable(pointer) == 1 }

        func offer(on ssl: OpaquePointer) -> Bool { unsafe SSL_set_session(ssl, pointer) == 1 }
    }

    /// Enough for the hosts of an app. With their certificates, which sessions from one handshake on share, they take some
    /// 20 KiB each at most: 8 MiB in all.
    private static let keyLimit = 64
    /// Servers give two at a time, and connections to one host begin side by side.
    private static let sessionLimit = 6

    private var sessions = BoundedCache<Key, [Session]>(limit: keyLimit)

    /// The newest that is still good, which is another's from here on.
    mutating func take(for key: Key, now: Int = time(nil)) -> Session? {
        guard var known = sessions[key] else { return nil }
        defer { sessions.set(key, known) }
        while let newest = known.popLast() {
            if newest.isGood(at: now) { return newest }
        }
        return nil
    }

    mutating func keep(_ session: Session, for key: Key) {
        var known = sessions[key] ?? []
        if known.count >= Self.sessionLimit { known.removeFirst() }
        known.append(session)
        sessions.set(key, known)
    }

    /// Its server could do nothing with one of them.
    mutating func drop(_ key: Key) {
        if sessions[key] != nil { sessions.set(key, []) }
    }
}

/// Towards an origin whose sessions are kept.
extension TLSSession {
    /// What is resumed here, and under which name sessions are kept.
    struct Resumption {
        let key: OriginSessions.Key
        /// What was offered.
        var offered: OriginSessions.Session?
    }

    /// Before the handshake: offers what is known, and has what is given kept.
    func resume(_ key: OriginSessions.Key) {
        var resumption = Resumption(key: key)
        if let known = owner?.sessions.take(for: key), unsafe known.offer(on: ssl) { resumption.offered = known }
        self.resumption = resumption
    }

    /// The handshake is over: a resumed one showed no chain, and goes by the one before.
    func handshakeResumed() {
        guard let offered = resumption?.offered, isResumed else { return }
        genuineChain = offered.chain
        verification = .passed
        verifiedUntil = offered.until
        // An old server's session is good for as many connections as there are; it gives no other.
        if let key = resumption?.key, unsafe SSL_version(ssl) < TLS1_3_VERSION {
            owner?.sessions.keep(offered, for: key)
        }
    }

    /// The handshake came to nothing. Where a session was offered that may be why, and the next one is a whole one.
    func handshakeFailed() {
        guard let resumption, resumption.offered != nil else { return }
        owner?.sessions.drop(resumption.key)
    }

    /// Whether a session is kept that the origin just gave; its reference is this side's then.
    func keep(_ given: OpaquePointer) -> Bool {
        // One that knows who its client is stays with that client.
        guard let resumption, let owner, let genuineChain, verification == .passed, !wasAskedForCertificate else {
            return false
        }
        let session = unsafe OriginSessions.Session(adopting: given, chain: genuineChain, until: verifiedUntil)
        owner.sessions.keep(session, for: resumption.key)
        return true
    }
}
