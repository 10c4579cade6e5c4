/// Which certificate the debugging proxy shows an origin that asks for one.
package struct ClientCertificateRule: Hashable, Sendable {
    /// Where certificate and key lie; paths as resolved against the profile's folder.
    package enum Material: Hashable, Sendable {
        /// One file with both, and the issuers.
        case pkcs12(String, Password)
        /// PEM or DER: the certificate and its issuers, and the key.
        case pair(certificate: String, key: String)
    }

    package enum Password: Hashable, Sendable {
        case none
        case text(String)
        /// The first line of a file.
        case file(String)
        /// A variable of the environment.
        case variable(String)
    }

    package var pattern: HostPattern
    package var material: Material

    package init(pattern: HostPattern, material: Material) {
        self.pattern = pattern
        self.material = material
    }
}
