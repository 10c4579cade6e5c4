/// Why a CA, a key or a certificate file cannot be used, and what to do about it.
package struct CAError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Nothing is there.
        case missing
        /// Something is there already and is not overwritten.
        case exists
        /// It is there but cannot be read, parsed or written.
        case unusable
        /// Others can read a key, or change what lies there.
        case permissions
        /// Parts that do not belong together.
        case mismatch
        /// It is no certificate that may sign servers' certificates.
        case notAnAuthority
        case expired
        /// A constrained CA cannot be made for this profile.
        case profile
    }

    package let code: Code
    /// Lower case, no full stop, the path first where there is one.
    package let message: String
    /// What to do next, without the word "hint".
    package let hint: String?

    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    package var description: String { hint.map { "\(message)\nhint: \($0)" } ?? message }
}
