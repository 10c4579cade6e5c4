import COpenSSL
import CShim

/// What an AEAD is asked for: one record, in the way of libssl.
package struct RecordCall: Sendable, CustomStringConvertible {
    package var cipher: String
    package var key: [UInt8]
    package var nonce: [UInt8]
    package var aad: [UInt8]
    package var content: [UInt8]
    package var isInPlace = true

    package init(_ cipher: String, key: [UInt8], nonce: [UInt8], aad: [UInt8], content: [UInt8]) {
        self.cipher = cipher
        self.key = key
        self.nonce = nonce
        self.aad = aad
        self.content = content
    }

    package var description: String { "\(cipher), \(aad.count) and \(content.count) bytes" }
}

/// A cipher's context while it lives.
@safe package final class RecordCipher {
    let context: OpaquePointer

    init(_ name: String, _ library: OpaquePointer?) throws {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw AlgorithmProbe.Surprise() }
        unsafe self.context = context
        guard let cipher = unsafe EVP_CIPHER_fetch(library, name, nil) else { throw AlgorithmProbe.Surprise() }
        defer { unsafe EVP_CIPHER_free(cipher) }
        guard unsafe EVP_CipherInit_ex2(context, cipher, nil, nil, 1, nil) == 1 else {
            throw AlgorithmProbe.Surprise()
        }
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
        ERR_clear_error()
    }

    package func setKey(_ key: [UInt8], encrypts: Bool) -> Bool {
        unsafe EVP_CipherInit_ex2(context, nil, key, nil, encrypts ? 1 : 0, nil) == 1
    }

    /// As TLS 1.3 has it: a nonce of its own for each record.
    package func setNonce(_ nonce: [UInt8], encrypts: Bool) -> Bool {
        unsafe EVP_CipherInit_ex2(context, nil, nil, nonce, encrypts ? 1 : 0, nil) == 1
    }

    package func setNonceLength(_ count: Int) -> Bool {
        unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(count), nil) == 1
    }

    package func give(tag: [UInt8]) -> Bool {
        var tag = tag
        return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
    }

    package func authenticate(_ aad: [UInt8]) -> Bool {
        var count: Int32 = 0
        return unsafe EVP_CipherUpdate(context, nil, &count, aad, Int32(aad.count)) == 1
    }

    /// What came out; nil: it was refused.
    package func transform(_ content: [UInt8], isInPlace: Bool = true) -> [UInt8]? {
        if isInPlace { return transformRecord(content).map { Array($0.bytes.prefix($0.count)) } }
        var count: Int32 = 0
        var out: [UInt8] = Array(repeating: 0, count: content.count)
        guard unsafe EVP_CipherUpdate(context, &out, &count, content, Int32(content.count)) == 1 else { return nil }
        return Array(out.prefix(Int(count)))
    }

    /// All of `bytes` as they are then, and how many of them count; nil: it was refused.
    package func transformRecord(_ bytes: [UInt8]) -> (bytes: [UInt8], count: Int)? {
        var count: Int32 = 0
        var bytes = bytes
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            unsafe EVP_CipherUpdate(context, bytes.baseAddress, &count, bytes.baseAddress, Int32(bytes.count)) == 1
        }
        return isDone ? (bytes, Int(count)) : nil
    }

    package func finish() -> Bool {
        var nothing: [UInt8] = Array(repeating: 0, count: 16)
        var count: Int32 = 0
        return unsafe EVP_CipherFinal_ex(context, &nothing, &count) == 1 && count == 0
    }

    package func tag() -> [UInt8]? {
        var tag: [UInt8] = Array(repeating: 0, count: 16)
        return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1 ? tag : nil
    }

    /// TLS 1.2's part of a nonce that is the connection's.
    package func setFixed(_ part: [UInt8]) -> Bool {
        var part = part
        return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IV_FIXED, Int32(part.count), &part) == 1
    }

    /// The number, type, version and length of a record of TLS 1.2, 13 bytes. What a record grows by; nil: it was refused.
    package func setHead(_ head: [UInt8]) -> Int? {
        var head = head
        let more = unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, Int32(head.count), &head)
        return more > 0 ? Int(more) : nil
    }
}

extension AlgorithmProbe {
    /// A cipher by OpenSSL's name of it.
    package func cipher(_ name: String) throws -> RecordCipher { unsafe try RecordCipher(name, library) }

    /// The ciphertext and, behind it, the tag of a record of TLS 1.3.
    package func seal(_ call: RecordCall) throws -> [UInt8]? {
        let cipher = try cipher(call.cipher)
        guard cipher.setKey(call.key, encrypts: true), cipher.setNonce(call.nonce, encrypts: true),
            cipher.authenticate(call.aad), let out = cipher.transform(call.content, isInPlace: call.isInPlace),
            cipher.finish(), let tag = cipher.tag()
        else { return nil }
        return out + tag
    }

    /// The content of what `seal` made; nil: it was refused.
    package func open(_ call: RecordCall, sealed: [UInt8]) throws -> [UInt8]? {
        let cipher = try cipher(call.cipher)
        guard cipher.setKey(call.key, encrypts: false), cipher.setNonce(call.nonce, encrypts: false),
            cipher.give(tag: sealed.suffix(16)), cipher.authenticate(call.aad),
            let out = cipher.transform(sealed.dropLast(16), isInPlace: call.isInPlace), cipher.finish()
        else { return nil }
        return out
    }
}
