import COpenSSL

/// A derivation by one of OpenSSL's functions for it, with parameters in the order in which they are added.
@safe final class DerivationRequest {
    private let name: String
    private let count: Int
    private let isInTwoCalls: Bool
    private let builder = unsafe OSSL_PARAM_BLD_new()
    // The builder copies nothing before it is done, and of names never anything.
    private var held = unsafe [UnsafeMutableBufferPointer<UInt8>]()

    /// Of `count` bytes. `isInTwoCalls`: parameters are set in a call of their own.
    init(_ name: String, count: Int, isInTwoCalls: Bool) {
        self.name = name
        self.count = count
        self.isInTwoCalls = isInTwoCalls
    }

    deinit {
        unsafe OSSL_PARAM_BLD_free(builder)
        unsafe held.forEach { unsafe $0.deallocate() }
    }

    private func hold(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8>? {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
        _ = unsafe copy.initialize(from: bytes + [0])
        unsafe held.append(copy)
        return copy.baseAddress
    }

    private func hold(_ text: String) -> UnsafeMutablePointer<CChar>? {
        unsafe UnsafeMutableRawPointer(hold(Array(text.utf8)))?.assumingMemoryBound(to: CChar.self)
    }

    func add(_ key: String, text: String) {
        unsafe OSSL_PARAM_BLD_push_utf8_string(builder, hold(key), hold(text), 0)
    }

    func add(_ key: String, number: Int32) {
        unsafe OSSL_PARAM_BLD_push_int(builder, hold(key), number)
    }

    /// Nothing for nil; empty bytes are there.
    func add(_ key: String, _ bytes: [UInt8]?) {
        guard let bytes else { return }
        unsafe OSSL_PARAM_BLD_push_octet_string(builder, hold(key), hold(bytes), bytes.count)
    }

    /// What is derived; nil where that is refused.
    func derive(in library: OpaquePointer?) throws -> [UInt8]? {
        defer { ERR_clear_error() }
        guard let function = unsafe EVP_KDF_fetch(library, name, nil) else { throw AlgorithmProbe.Surprise() }
        defer { unsafe EVP_KDF_free(function) }
        guard let context = unsafe EVP_KDF_CTX_new(function) else { throw AlgorithmProbe.Surprise() }
        defer { unsafe EVP_KDF_CTX_free(context) }
        let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
        defer { unsafe OSSL_PARAM_free(parameters) }
        var out = [UInt8](repeating: 0, count: count)
        let isDone =
            if isInTwoCalls {
                unsafe EVP_KDF_CTX_set_params(context, parameters) == 1
                    && EVP_KDF_derive(context, &out, out.count, nil) == 1
            } else {
                unsafe EVP_KDF_derive(context, &out, out.count, parameters) == 1
            }
        return isDone ? out : nil
    }
}
