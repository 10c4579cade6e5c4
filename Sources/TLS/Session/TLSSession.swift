import COpenSSL
import CShim
import Facts

/// One TLS connection's cryptography: bytes in, bytes out, no socket; what crossed is noted.
///
/// Feed it with `receive`, which hands out plaintext; send with `write`. After each call take what it wants to put on
/// the wire with `takeOutput`. Confined to its loop.
@safe package final class TLSSession {
    /// Where the session is after a call.
    package enum Status: Hashable, Sendable {
        /// More of the handshake has to come in.
        case handshaking
        /// Application data can flow.
        case open
        /// The peer said close_notify, in the handshake or after it; it will send nothing more.
        case closeNotified
        /// No byte can be read or written any more. The reason is OpenSSL's.
        case failed(String)
    }

    let ssl: OpaquePointer
    let workspace: TLSWorkspace
    let output: OutputBuffer
    private var input: UnsafeRawBufferPointer?

    /// What was seen on the wire so far; kept for the client's side only.
    package internal(set) var trace = HandshakeTrace()
    /// The peer's Finished has been verified and ours is out.
    package private(set) var isFinished = false
    package private(set) var status = Status.handshaking
    /// The fatal alert by which the peer ended it; nil where it did not.
    package private(set) var peerAlert: UInt8?

    /// Server: the protocol to select; nil acknowledges no ALPN.
    var selectedALPN: [UInt8]?
    /// Client: what the verification callback found out about the origin's chain.
    var genuineChain: GenuineChain?
    var verification = Verification.notReached
    /// Client: until when that need not be found out again; seconds since 1970.
    var verifiedUntil = 0
    /// Client: the origin's sessions are kept and resumed; nil: every handshake is a whole one.
    var resumption: Resumption?
    var expectedHost: HostName?
    /// Client: the origin asked for a certificate; there is none to show.
    package internal(set) var asksForCertificate = false
    /// Client: the origin asked for a certificate, whether there is one to show or not.
    package internal(set) var wasAskedForCertificate = false
    /// The peer wanted to begin the handshake anew (RFC 5246 §7.4.1), which is refused, and has said nothing since.
    package internal(set) var refusedRenegotiation = false
    /// What OpenSSL said of bytes that came after the handshake and could not be read. Not of an alert by which the peer ended it.
    package private(set) var unreadable: String?
    /// Client: the origin was asked to staple an OCSP answer.
    var asksForStatus = false
    /// Client: how many sessions it was given to keep, each by a ticket in TLS 1.3.
    var sessionsGiven = 0
    /// Server: how many tickets it has handed out on being told to.
    var ticketsGiven = 0
    /// Server: an OCSP answer for whoever asks for one.
    var staple: [UInt8]?
    /// Keeps the context alive that the SSL_CTX's callback points at.
    var owner: ClientContext?
    /// Who is told of the secrets; nil: nobody.
    var keyLog: (log: KeyLog, leg: KeyLogLeg)?
    /// Server: the client's secrets, where what it sends behind its end is looked at; nil: elsewhere.
    var clientSecrets: ClientSecrets?

    /// Server: what the client sends before its Finished, under a session that it has kept, is handed out as well.
    var readsEarlyData = false

    enum Verification: Hashable { case notReached, passed, failed(String) }

    init?(context: OpaquePointer, workspace: TLSWorkspace, output: OutputBuffer) {
        guard let ssl = unsafe SSL_new(context) else { return nil }
        unsafe self.ssl = ssl
        self.workspace = workspace
        self.output = output
        guard let bio = unsafe SessionBIO.make(for: self) else { return nil }
        // The SSL owns the BIO, once, though it is both its reading and its writing end.
        unsafe SSL_set_bio(ssl, bio, bio)
        unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        // Also one that was left in the middle, without a word.
        if !isFinished { handshakeFailed() }
        // OpenSSL forgets a session whose connection ended without a close_notify. Clients that only close are many,
        // and what they may resume is not for it to say.
        unsafe SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        unsafe SSL_free(ssl)
    }

    /// The session of an SSL in a callback.
    static func of(_ ssl: OpaquePointer?) -> TLSSession? {
        guard let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(data).takeUnretainedValue()
    }

    func logKey(_ line: [UInt8]) {
        clientSecrets?.note(line)
        guard let keyLog else { return }
        keyLog.log(keyLog.leg, line)
    }

    /// Server: whether a record that was not read any more holds an alert and nothing else.
    ///
    /// - Parameters:
    ///   - record: of TLS 1.3, with its header.
    ///   - number: of all the client's records before it.
    package func isAlert(_ record: [UInt8], number: Int) -> Bool {
        guard let clientSecrets, let cipher = unsafe SSL_get_current_cipher(ssl) else { return false }
        return clientSecrets.isAlert(record, suite: unsafe SSL_CIPHER_get_protocol_id(cipher), number: number)
    }

    // MARK: Bytes in

    /// Starts the handshake where nothing has been received yet (the client's side speaks first).
    @discardableResult
    package func start() -> Status {
        // Nothing has come yet that could be handed out.
        if case .handshaking = status { takeHandshake { _ in } }
        return status
    }

    /// Takes bytes from the wire, all of them, and hands out what they decrypt to.
    ///
    /// - Parameter plaintext: called for each record of application data; the span is valid during the call.
    @discardableResult
    package func receive(_ bytes: Span<UInt8>, _ plaintext: (Span<UInt8>) -> Void) -> Status {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe input = buffer
            if case .handshaking = status { takeHandshake(plaintext) }
            let given = sessionsGiven
            if case .open = status { readRecords(plaintext) }
            // For a ticket OpenSSL takes a buffer to write with, and gives it back after the next write only: 16 KiB of each
            // session that waits.
            if sessionsGiven != given { unsafe SSL_free_buffers(ssl) }
            unsafe input = nil
        }
        return status
    }

    func giveInput(_ into: UnsafeMutablePointer<CChar>, atMost limit: Int) -> Int {
        guard let waiting = unsafe input, let base = waiting.baseAddress, waiting.count > 0 else { return 0 }
        let count = min(limit, waiting.count)
        unsafe memcpy(into, base, count)
        unsafe input = UnsafeRawBufferPointer(rebasing: waiting[count...])
        return count
    }

    private func takeHandshake(_ plaintext: (Span<UInt8>) -> Void) {
        if readsEarlyData { readEarlyData(plaintext) }
        if !readsEarlyData { advanceHandshake() }
    }

    /// RFC 8446 §2.3; OpenSSL goes through the handshake with it, as far as the server can by itself.
    private func readEarlyData(_ plaintext: (Span<UInt8>) -> Void) {
        let buffer = unsafe workspace.plaintext
        while readsEarlyData {
            var count = 0
            ERR_clear_error()
            let result = unsafe SSL_read_early_data(ssl, buffer.baseAddress, buffer.count, &count)
            if result != SSL_READ_EARLY_DATA_ERROR, count > 0 {
                plaintext(unsafe Span(_unsafeStart: UnsafePointer(buffer.baseAddress.unsafelyUnwrapped), count: count))
            }
            switch result {
            case SSL_READ_EARLY_DATA_SUCCESS: continue
            case SSL_READ_EARLY_DATA_FINISH: readsEarlyData = false
            default: return handshakeStopped(0)
            }
        }
    }

    private func advanceHandshake() {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(ssl)
        guard result == 1 else { return handshakeStopped(result) }
        isFinished = true
        status = .open
        unsafe pp_SSL_forget_ephemeral_keys(ssl)
        handshakeResumed()
    }

    /// It needs more bytes, or will not go on.
    private func handshakeStopped(_ result: Int32) {
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: break
        // GnuTLS and s2n leave a handshake that they dislike by a close_notify in an alert's place.
        case SSL_ERROR_ZERO_RETURN:
            status = .closeNotified
            handshakeFailed()
        default:
            fail()
            handshakeFailed()
        }
    }

    private var hasMore: Bool { unsafe input?.isEmpty == false || SSL_has_pending(ssl) == 1 }

    private func readRecords(_ plaintext: (Span<UInt8>) -> Void) {
        let buffer = unsafe workspace.plaintext
        // To ask OpenSSL whether anything is left costs as much as a short record.
        while hasMore {
            var count = 0
            Self.clearErrors()
            let result = unsafe SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
            if result == 1 {
                if refusedRenegotiation { refusedRenegotiation = false }
                plaintext(unsafe Span(_unsafeStart: UnsafePointer(buffer.baseAddress.unsafelyUnwrapped), count: count))
                continue
            }
            switch unsafe SSL_get_error(ssl, result) {
            case SSL_ERROR_WANT_READ: break
            case SSL_ERROR_ZERO_RETURN: status = .closeNotified
            default:
                fail()
                if case .failed(let reason) = status, peerAlert == nil { unreadable = reason }
            }
            return
        }
    }

    // MARK: Bytes out

    /// Encrypts; the records wait for `takeOutput`. False when the session can send nothing any more.
    @discardableResult
    package func write(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return true }
        Self.clearErrors()
        var written = 0
        let result = unsafe bytes.withUnsafeBytes { unsafe SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }
        guard result == 1, written == bytes.count else {
            fail()
            return false
        }
        return true
    }

    /// Says close_notify: nothing more will be sent from here.
    package func closeNotify() {
        guard isFinished else { return }
        if case .failed = status { return }
        ERR_clear_error()
        unsafe SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// Hands out what has to go on the wire; call it after every other call.
    package func takeOutput(_ body: (Span<UInt8>) -> Void) { output.take(body) }

    // MARK: What was agreed

    package var negotiated: Negotiated? {
        guard let version = unsafe TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl))),
            let cipher = unsafe SSL_get_current_cipher(ssl),
            let name = unsafe SSL_CIPHER_standard_name(cipher)
        else { return nil }
        return unsafe Negotiated(version: version, cipher: String(cString: name), alpn: alpn)
    }

    /// The protocol that ALPN agreed on.
    package var alpn: String? {
        var pointer: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &pointer, &count)
        guard let pointer = unsafe pointer, count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: pointer, count: Int(count)), as: UTF8.self)
    }

    package var isResumed: Bool { unsafe SSL_session_reused(ssl) == 1 }

    /// Empties the error queue, before each record: it nearly always is empty, and clearing goes through all of its places.
    private static func clearErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    /// For the newest error's reason in OpenSSL's words; its queue is empty afterwards.
    private func fail() {
        var reason: String?
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            if let text = unsafe ERR_reason_error_string(code) { unsafe reason = String(cString: text) }
            if ERR_GET_LIB(code) == ERR_LIB_SSL, let alert = UInt8(exactly: Int(ERR_GET_REASON(code)) - 1000) {
                peerAlert = alert
            }
        }
        status = .failed(reason ?? "connection ended")
    }
}
