import COpenSSL

/// Buffers that a loop's TLS sessions share, as only one of them is at work at a time.
///
/// A session's output lies here between the call that made it and `TLSSession.takeOutput`, which its owner calls
/// before the loop turns to anything else. So an idle session holds no buffer at all.
@safe package final class TLSWorkspace {
    /// One decrypted record at a time.
    let plaintext: UnsafeMutableBufferPointer<UInt8>
    let towardsClient = OutputBuffer()
    let towardsOrigin = OutputBuffer()

    package init() {
        unsafe plaintext = .allocate(capacity: 16 * 1024)
        unsafe plaintext.initialize(repeating: 0)
    }

    deinit { unsafe plaintext.deallocate() }
}

/// Bytes that OpenSSL has written and nobody has taken yet.
@safe final class OutputBuffer {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    /// One batch of reading (64 KiB) encrypted again, with room for record headers and tags.
    private static let usualCapacity = 72 * 1024

    init() {
        capacity = Self.usualCapacity
        unsafe base = .allocate(capacity: capacity)
    }

    deinit { unsafe base.deallocate() }

    func append(_ bytes: UnsafePointer<CChar>, count added: Int) {
        if count + added > capacity {
            let wider = max(capacity * 2, count + added)
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wider)
            unsafe larger.update(from: base, count: count)
            unsafe base.deallocate()
            unsafe base = larger
            capacity = wider
        }
        unsafe memcpy(base + count, bytes, added)
        count += added
    }

    /// Hands out all of it and forgets it.
    func take(_ body: (Span<UInt8>) -> Void) {
        guard count > 0 else { return }
        let bytes = unsafe Span(_unsafeStart: UnsafePointer(base), count: count)
        count = 0
        body(bytes)
    }
}
