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

        func isGood(at now: Int) -> Bool { VerificationCache.holds(until: until, at: now) && isResumable }

        private var isResumable: Bool { unsafe SSL_SESSION_is_resumable(pointer) == 1 }

        func offer(on ssl: OpaquePointer) -> Bool { unsafe SSL_set_session(ssl, pointer) == 1 }
    }

    /// Enough for the hosts of an app. With their certificates, which sessions from one handshake on share, they take some
    /// 20 KiB each at most: 8 MiB in all.
    private static let keyLimit = 64
    /// Servers give two at a time, and connections to one host begin side by side.
    private static let sessionLimit = 6

    /// Servers that take no session back may give one to everybody all the same (nginx without tickets does), and each that
    /// is kept and offered for nothing costs. Of four servers behind one address three may not know what the fourth gave.
    private static let declineLimit = 8
    /// Seconds, for which nothing is kept after that many.
    private static let declineSeconds = 60

    private struct Place {
        var sessions: [Session] = []
        /// Offers in a row that the server did not take.
        var declined = 0
        /// Seconds since 1970; until then nothing is kept.
        var givesNothingUntil = 0
    }

    private var places = BoundedCache<Key, Place>(limit: keyLimit)

    /// The newest that is still good, which is another's from here on.
    mutating func take(for key: Key, now: Int = time(nil)) -> Session? {
        guard var place = places[key], !place.sessions.isEmpty else { return nil }
        defer { places.set(key, place) }
        while let newest = place.sessions.popLast() {
            if newest.isGood(at: now) { return newest }
        }
        return nil
    }

    /// - Returns: whether sessions of this one are worth keeping.
    func isKept(_ key: Key, now: Int = time(nil)) -> Bool { (places[key]?.givesNothingUntil ?? 0) <= now }

    mutating func keep(_ session: Session, for key: Key) {
        var place = places[key] ?? Place()
        if place.sessions.count >= Self.sessionLimit { place.sessions.removeFirst() }
        place.sessions.append(session)
        places.set(key, place)
    }

    /// What its server made of one that it was offered.
    mutating func note(_ key: Key, isTaken: Bool, now: Int = time(nil)) {
        guard var place = places[key] else { return }
        place.declined = isTaken ? 0 : place.declined + 1
        if place.declined >= Self.declineLimit {
            place = Place(givesNothingUntil: now + Self.declineSeconds)
        }
        places.set(key, place)
    }

    /// Its server could do nothing with one of them.
    mutating func drop(_ key: Key) {
        if places[key] != nil { places.set(key, Place()) }
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
        guard let resumption, let offered = resumption.offered else { return }
        owner?.sessions.note(resumption.key, isTaken: isResumed)
        guard isResumed else { return }
        genuineChain = offered.chain
        verification = .passed
        verifiedUntil = offered.until
        // An old server's session is good for as many connections as there are; it gives no other.
        if unsafe SSL_version(ssl) < TLS1_3_VERSION { owner?.sessions.keep(offered, for: resumption.key) }
    }

    /// The handshake came to nothing. Where a session was offered that may be why, and the next one is a whole one.
    func handshakeFailed() {
        guard let resumption, resumption.offered != nil else { return }
        owner?.sessions.drop(resumption.key)
    }

    /// Whether a session is kept that the origin just gave; its reference is this side's then.
    func keep(_ given: OpaquePointer) -> Bool {
        // One that knows who its client is stays with that client.
        guard let resumption, let owner, let genuineChain, verification == .passed, !wasAskedForCertificate,
            owner.sessions.isKept(resumption.key)
        else { return false }
        let session = unsafe OriginSessions.Session(adopting: given, chain: genuineChain, until: verifiedUntil)
        owner.sessions.keep(session, for: resumption.key)
        return true
    }
}
