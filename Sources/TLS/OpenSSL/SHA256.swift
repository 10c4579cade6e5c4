import COpenSSL
import Facts

/// SHA-256 of bytes in memory.
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            // Cannot fail: the algorithm is fetched, and a digest of memory needs nothing else.
            unsafe EVP_Digest(bytes, bytes.count, out.baseAddress, nil, algorithm.md, nil)
            count = 32
        }
    }

    /// The digest in lower-case hexadecimal digits.
    package static func hex(_ bytes: [UInt8]) -> String { Hex.encode(digest(bytes)) }

    fileprivate static var method: OpaquePointer? { unsafe algorithm.md }

    // Fetched once: an implicit fetch per digest would take a lock and cost more than hashing a certificate.
    private static let algorithm = Algorithm()

    /// Unchecked: a fetched EVP_MD is never changed and OpenSSL uses it from any thread.
    @safe private struct Algorithm: @unchecked Sendable {
        let md: OpaquePointer?
        init() { unsafe md = EVP_MD_fetch(nil, "SHA2-256", nil) ?? EVP_sha256() }
    }
}

/// SHA-256 of bytes that come in pieces.
@safe package final class RunningSHA256 {
    private let context: OpaquePointer?

    package init() {
        unsafe context = EVP_MD_CTX_new()
        unsafe EVP_DigestInit_ex2(context, SHA256.method, nil)
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package func add(_ bytes: [UInt8]) { unsafe EVP_DigestUpdate(context, bytes, bytes.count) }

    package func add(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { bytes in _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }
    }

    /// The digest of all of them, in lower-case hexadecimal digits; nothing can be added after it.
    package func finish() -> String {
        Hex.encode(
            unsafe [UInt8](unsafeUninitializedCapacity: 32) { out, count in
                unsafe EVP_DigestFinal_ex(context, out.baseAddress, nil)
                count = 32
            })
    }
}
