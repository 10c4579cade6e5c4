import COpenSSL

/// OpenSSL's lock.
///
/// Unchecked Sendable: it never changes, and what it points at is made for many threads.
@safe final class OpenSSLLock: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer?

    init() { unsafe handle = CRYPTO_THREAD_lock_new() }

    deinit { unsafe CRYPTO_THREAD_lock_free(handle) }

    func lock() throws(OpenSSLError) {
        // nil only when OpenSSL was out of memory; going on without a lock would be a race.
        try OpenSSLError.requiring("take a lock") { unsafe handle != nil && CRYPTO_THREAD_write_lock(handle) == 1 }
    }

    func unlock() { unsafe CRYPTO_THREAD_unlock(handle) }
}
