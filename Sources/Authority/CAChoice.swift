/// Where the CA to forge with comes from.
package enum CAChoice: Sendable, Hashable {
    /// `--ca`; made on first use.
    case folder(String)
    /// `--ephemeral-ca`: made for this run, its keys never written.
    case ephemeral
    /// `--ca-cert` and `--ca-key`.
    case lent(certificate: String, key: String)

    /// `--ca` where nobody says.
    package static let defaultFolder = "ca/local"
}
