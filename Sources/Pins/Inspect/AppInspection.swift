import Facts

/// What an app, as it ships, declares of pins and of its connections: `pinproof inspect`.
///
/// Both platforms' readers make one; X.509 and the linter are the caller's.
package struct AppInspection: Hashable, Sendable {
    package enum Platform: String, Hashable, Sendable { case android, ios }

    /// A file of the app that may hold certificates, for whoever can parse them.
    package struct CertificateFile: Hashable, Sendable {
        /// Within the archive.
        package var path: String
        package var bytes: [UInt8]
        /// Why it is looked at: `a trust anchor of res/xml/nsc.xml`.
        package var reason: String

        package init(path: String, bytes: [UInt8], reason: String) {
            self.path = path
            self.bytes = bytes
            self.reason = reason
        }
    }

    /// A certificate within the app, parsed.
    package struct Certificate: Hashable, Sendable {
        package var path: String
        /// RFC 4514.
        package var subject: String
        /// RFC 3339, in UTC.
        package var notAfter: String
        /// Base64.
        package var spkiSHA256: String

        package init(path: String, subject: String, notAfter: String, spkiSHA256: String) {
            self.path = path
            self.subject = subject
            self.notAfter = notAfter
            self.spkiSHA256 = spkiSHA256
        }
    }

    /// Text in code or assets that has the form of a pin; nothing says that it is one in force.
    package struct PinLikeString: Hashable, Sendable {
        /// `sha256/` or `sha1/` and padded base64; a fingerprint in lower-case hexadecimal digits.
        package var value: String
        /// The first member that it was found in.
        package var path: String

        package init(value: String, path: String) {
            self.value = value
            self.path = path
        }
    }

    /// A file within the app that its platform would reject, or that is broken.
    package struct Fault: Hashable, Sendable {
        package var path: String
        package var fault: PinFileFault

        package init(path: String, fault: PinFileFault) {
            self.path = path
            self.fault = fault
        }
    }

    package var path: String
    /// Of the whole file, in lower-case hexadecimal digits.
    package var sha256: String
    package var platform: Platform
    /// The app's own name for itself: `com.example.app`.
    package var id: String?
    package var version: String?
    package var build: String?
    package var isDebuggable = false
    /// Android's.
    package var targetSDK: Int?
    /// What was read within the app, by its path there: for import's hosts and for the linter.
    package var files: [PinFile] = []
    package var faults: [Fault] = []
    /// Certificates that the user has added are trusted, for one host at least.
    package var hasUserAnchors = false
    /// Hosts that may be spoken to in clear text; `*` for every one.
    package var clearText: [String] = []
    package var certificateFiles: [CertificateFile] = []
    /// Filled in by whoever parses `certificateFiles`.
    package var certificates: [Certificate] = []
    package var pinLikeStrings: [PinLikeString] = []
    /// In the order of the alphabet.
    package var libraries: [String] = []
    /// What was not looked at, and why, a sentence each.
    package var notes: [String] = []

    package init(path: String, sha256: String, platform: Platform) {
        self.path = path
        self.sha256 = sha256
        self.platform = platform
    }

    /// - Throws: where a file of code or data is larger than what is read of one.
    static func requireSearchable(_ path: String, size: Int) throws(PinFileFault) {
        let limit = ZipArchive.memberLimit
        guard size > limit else { return }
        throw PinFileFault(
            line: nil,
            "\(Printable.excerpt(path)) has \(size >> 20) MB, and at most \(limit >> 20) MB are read of one file in an app"
        )
    }
}
