import Loop

/// Where the CA to forge with comes from.
package enum CAChoice: Sendable, Hashable {
    /// `--ca`, or a project's own; made on first use.
    case folder(String)
    /// The user's own, one for all projects; made on first use.
    case personal(DataFolder)
    /// `--ephemeral-ca`: made for this run, its keys never written.
    case ephemeral
    /// `--ca-cert` and `--ca-key`.
    case lent(certificate: String, key: String)

    /// A project's own CA lies here, below the current folder.
    package static let projectFolder = "ca/local"

    /// Where nobody says: the project's own CA where there is one, and else the user's.
    ///
    /// Whatever lies in the project's place is taken for its CA, so that one that cannot be used is an error and not
    /// another CA.
    ///
    /// - Parameter current: the folder to look below, with a slash at its end; empty: the current one.
    package static func usual(environment: [String: String], below current: String = "") throws(FileError) -> CAChoice {
        let project = current + projectFolder
        let isThere = (try? FileStatus(of: project, followingLinks: false)) != nil
        return isThere ? .folder(project) : .personal(try DataFolder(environment: environment))
    }
}
