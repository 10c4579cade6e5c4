import COpenSSL
import CShim
import Facts

@testable import TLS

/// A public key of P-256, read from a certificate's SubjectPublicKeyInfo by a library context, and kept.
@safe package final class PublicKeyProbe {
    private let library: OpaquePointer?
    private let key: OpaquePointer

    /// How many keys verify by a table of their own at the moment.
    package static var tables: Int { Int(pp_key_tables()) }

    package init(in probe: AlgorithmProbe, x: [UInt8], y: [UInt8]) throws {
        // RFC 5480 §2.
        let head = Hex.decoded("3059301306072a8648ce3d020106082a8648ce3d030107034200") ?? []
        let der = head + [4] + x + y
        let key = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY_ex(nil, &next, bytes.count, probe.library, nil)
        }
        guard let key = unsafe key else { throw AlgorithmProbe.Surprise() }
        unsafe (self.key, library) = (key, probe.library)
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether r and s, big-endian, are the key's signature of a digest.
    package func holds(r: [UInt8], s: [UInt8], digest: [UInt8]) throws -> Bool {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(library, key, nil) else {
            throw AlgorithmProbe.Surprise()
        }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_PKEY_verify_init(context) == 1 else { throw AlgorithmProbe.Surprise() }
        let signature = DER.sequence(DER.integer(r), DER.integer(s))
        return unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }
}

/// A public key's multiples, by which it verifies.
@safe package final class PublicKeyTable {
    private let table: OpaquePointer

    /// nil: this machine has no code for it.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32, let table = unsafe pp_p256_table(x + y) else { return nil }
        unsafe self.table = table
    }

    deinit { unsafe pp_p256_table_free(table) }

    package func holds(r: [UInt8], s: [UInt8], digest: [UInt8]) -> Bool {
        precondition(r.count == 32 && s.count == 32 && digest.count == 32)
        return unsafe pp_p256_verify(table, digest, r, s) == 1
    }
}
