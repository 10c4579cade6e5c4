import COpenSSL

/// What a certificate says that it, or its key, may be used for.
extension Certificate {
    /// Whether it says that it may sign certificates.
    package var isAuthority: Bool { unsafe X509_get_extension_flags(x509) & UInt32(EXFLAG_CA) != 0 }

    /// Whether each of its extensions can be read.
    package var hasReadableExtensions: Bool { unsafe X509_get_extension_flags(x509) & UInt32(EXFLAG_INVALID) == 0 }

    /// Whether its key usage, where it has one, allows signing certificates: without one all bits are set.
    package var permitsSigningCertificates: Bool { unsafe X509_get_key_usage(x509) & UInt32(KU_KEY_CERT_SIGN) != 0 }

    /// Whether its extended key usage, where it has one, allows servers.
    package var permitsServers: Bool {
        unsafe X509_get_extended_key_usage(x509) & UInt32(XKU_SSL_SERVER | XKU_ANYEKU) != 0
    }

    /// Whether a server may use a key of this type in the way that this certificate's key is used. An RSA key may do
    /// what a curve's cannot, and a key that only encrypts is of no use with ephemeral key exchange.
    func isUsed(as type: KeyType) -> Bool {
        let isRSA = if case .rsa = type { true } else { false }
        let hasRSA = if case .rsa = keyType { true } else { false }
        return unsafe isRSA == hasRSA && X509_get_key_usage(x509) & UInt32(KU_DIGITAL_SIGNATURE) != 0
    }

    /// Says that its key signs certificates, or lists of revoked ones, as a CA's does.
    var signsCertificates: Bool {
        let usage = unsafe X509_get_key_usage(x509)
        // All bits are set where it says nothing of that.
        return usage != .max && usage & UInt32(KU_KEY_CERT_SIGN | KU_CRL_SIGN) != 0
    }

    /// The number that OpenSSL's old releases, and Android's system store, name a root's file by: of its subject.
    package var oldSubjectHash: UInt { unsafe UInt(X509_NAME_hash_old(X509_get_subject_name(x509))) }
}
