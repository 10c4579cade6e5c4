import COpenSSL

/// A growing buffer in OpenSSL's own terms, for functions that read from or print to a BIO.
@safe final class MemoryBIO {
    /// Owned. nil only when OpenSSL is out of memory; its functions then fail and say so.
    let bio: OpaquePointer?

    init() { unsafe bio = BIO_new(BIO_s_mem()) }

    /// A copy of `bytes` to be read.
    init(_ bytes: [UInt8]) {
        unsafe bio = BIO_new(BIO_s_mem())
        if !bytes.isEmpty, let bio = unsafe bio { unsafe BIO_write(bio, bytes, Int32(clamping: bytes.count)) }
    }

    deinit { unsafe BIO_free(bio) }

    /// Takes out everything that was written.
    func contents() -> [UInt8] {
        var out: [UInt8] = []
        guard let bio = unsafe bio else { return out }
        while true {
            let size = unsafe Int(BIO_ctrl_pending(bio))
            guard size > 0 else { return out }
            let part = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = max(0, Int(unsafe BIO_read(bio, buffer.baseAddress, Int32(clamping: size))))
            }
            guard !part.isEmpty else { return out }
            out += part
        }
    }

}
