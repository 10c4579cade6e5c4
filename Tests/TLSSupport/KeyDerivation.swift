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

/// What "TLS1-PRF" is asked for (RFC 5246 §5).
package struct PseudorandomDerivation: Sendable {
    /// A name of OpenSSL's: "SHA256", "MD5-SHA1".
    package var digest: String
    package var secret: [UInt8]?
    /// One after the other: a label and what comes with it.
    package var seeds: [[UInt8]]
    package var count: Int
    /// It is told all but what it is to yield in a call of its own.
    package var isInTwoCalls = false

    package init(_ digest: String, secret: [UInt8]?, seeds: [[UInt8]], count: Int) {
        self.digest = digest
        self.secret = secret
        self.seeds = seeds
        self.count = count
    }
}

extension AlgorithmProbe {
    /// What is derived; nil where that is refused.
    package func derive(_ derivation: KeyDerivation) throws -> [UInt8]? {
        let request = DerivationRequest(
            OSSL_KDF_NAME_TLS1_3_KDF, count: derivation.count, isInTwoCalls: derivation.isInTwoCalls)
        if derivation.isInTwoCalls {
            request.add(OSSL_KDF_PARAM_MODE, text: derivation.step == .extract ? "EXTRACT_ONLY" : "EXPAND_ONLY")
        } else {
            request.add(OSSL_KDF_PARAM_MODE, number: derivation.step.rawValue)
        }
        request.add(OSSL_KDF_PARAM_DIGEST, text: derivation.digest)
        request.add(OSSL_KDF_PARAM_KEY, derivation.key)
        request.add(OSSL_KDF_PARAM_SALT, derivation.salt)
        request.add(OSSL_KDF_PARAM_DATA, derivation.data)
        request.add(OSSL_KDF_PARAM_PREFIX, Array("tls13 ".utf8))
        request.add(OSSL_KDF_PARAM_LABEL, Array(derivation.label.utf8))
        return try unsafe request.derive(in: library)
    }

    /// What is derived; nil where that is refused.
    package func derive(_ derivation: PseudorandomDerivation) throws -> [UInt8]? {
        let request = DerivationRequest(
            OSSL_KDF_NAME_TLS1_PRF, count: derivation.count, isInTwoCalls: derivation.isInTwoCalls)
        request.add(OSSL_KDF_PARAM_DIGEST, text: derivation.digest)
        request.add(OSSL_KDF_PARAM_SECRET, derivation.secret)
        for seed in derivation.seeds { request.add(OSSL_KDF_PARAM_SEED, seed) }
        return try unsafe request.derive(in: library)
    }
}
