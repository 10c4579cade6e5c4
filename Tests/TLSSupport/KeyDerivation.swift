import COpenSSL
import CShim

/// What "TLS13-KDF" is asked for: one step of the key schedule (RFC 8446 §7.1).
package struct KeyDerivation: Sendable {
    package enum Step: Int32, Sendable { case extract = 1, expand }

    package var step: Step
    /// Names of OpenSSL's: "SHA256", "SHA2-384".
    package var digest: String
    package var key: [UInt8]?
    package var salt: [UInt8]?
    package var data: [UInt8]?
    package var label = "derived"
    package var count: Int
    /// It is told all but what it is to yield in a call of its own, and its mode by name.
    package var isInTwoCalls = false

    package init(
        _ step: Step, _ digest: String, key: [UInt8]? = nil, salt: [UInt8]? = nil, data: [UInt8]? = nil, count: Int
    ) {
        self.step = step
        self.digest = digest
        self.key = key
        self.salt = salt
        self.data = data
        self.count = count
    }
}

extension AlgorithmProbe {
    /// What is derived; nil where that is refused.
    package func derive(_ derivation: KeyDerivation) throws -> [UInt8]? {
        defer { ERR_clear_error() }
        return try unsafe withDerivation { context in
            var out = [UInt8](repeating: 0, count: derivation.count)
            let isDone = unsafe withParameters(of: derivation) { parameters in
                guard derivation.isInTwoCalls else {
                    return unsafe EVP_KDF_derive(context, &out, out.count, parameters) == 1
                }
                return unsafe EVP_KDF_CTX_set_params(context, parameters) == 1
                    && EVP_KDF_derive(context, &out, out.count, nil) == 1
            }
            return isDone ? out : nil
        }
    }

    private func withDerivation<T>(_ body: (OpaquePointer) throws -> T) throws -> T {
        guard let function = unsafe EVP_KDF_fetch(library, OSSL_KDF_NAME_TLS1_3_KDF, nil) else { throw Surprise() }
        defer { unsafe EVP_KDF_free(function) }
        guard let context = unsafe EVP_KDF_CTX_new(function) else { throw Surprise() }
        defer { unsafe EVP_KDF_CTX_free(context) }
        return try unsafe body(context)
    }

    private func withParameters<T>(
        of derivation: KeyDerivation, _ body: (UnsafePointer<OSSL_PARAM>?) -> T
    ) -> T {
        let builder = unsafe OSSL_PARAM_BLD_new()
        defer { unsafe OSSL_PARAM_BLD_free(builder) }
        // The builder copies nothing before it is done, and of names never anything.
        var held = unsafe [UnsafeMutableBufferPointer<UInt8>]()
        defer { unsafe held.forEach { unsafe $0.deallocate() } }
        func hold(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8>? {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
            _ = unsafe copy.initialize(from: bytes + [0])
            unsafe held.append(copy)
            return copy.baseAddress
        }
        func hold(_ text: String) -> UnsafeMutablePointer<CChar>? {
            unsafe UnsafeMutableRawPointer(hold(Array(text.utf8)))?.assumingMemoryBound(to: CChar.self)
        }
        func push(_ name: String, text: String) {
            unsafe OSSL_PARAM_BLD_push_utf8_string(builder, hold(name), hold(text), 0)
        }
        if derivation.isInTwoCalls {
            push(OSSL_KDF_PARAM_MODE, text: derivation.step == .extract ? "EXTRACT_ONLY" : "EXPAND_ONLY")
        } else {
            unsafe OSSL_PARAM_BLD_push_int(builder, hold(OSSL_KDF_PARAM_MODE), derivation.step.rawValue)
        }
        push(OSSL_KDF_PARAM_DIGEST, text: derivation.digest)
        let texts = [
            (OSSL_KDF_PARAM_KEY, derivation.key), (OSSL_KDF_PARAM_SALT, derivation.salt),
            (OSSL_KDF_PARAM_DATA, derivation.data), (OSSL_KDF_PARAM_PREFIX, Array("tls13 ".utf8)),
            (OSSL_KDF_PARAM_LABEL, Array(derivation.label.utf8)),
        ]
        for (name, bytes) in texts {
            guard let bytes else { continue }
            unsafe OSSL_PARAM_BLD_push_octet_string(builder, hold(name), hold(bytes), bytes.count)
        }
        let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
        defer { unsafe OSSL_PARAM_free(parameters) }
        return unsafe body(parameters)
    }
}
