import Facts
import Loop
import TLS

/// Why pins cannot be taken from something, or written.
package struct PinsError: ExplainedError, Hashable {
    package let cause: ErrorCause
    package let explanations: [Explanation]

    package init(_ cause: ErrorCause, _ message: String, hints: [String] = []) {
        self.cause = cause
        explanations = [Explanation(message, hints: hints)]
    }

    init(_ cause: ErrorCause, _ explanations: [Explanation]) {
        self.cause = cause
        self.explanations = explanations
    }

    package init(_ path: String, _ fault: PinMaterialFault) {
        switch fault {
        case .nothing(let words):
            self.init(
                .data, "\(path): \(words)",
                hints: ["certificates, requests and keys are read in PEM, DER, PKCS#7, PKCS#12 and Java key stores"])
        case .needsPassword(let what):
            self.init(
                .data, "\(path): it is an encrypted \(what), and nobody is asked for its password",
                hints: ["write the password into a file and name it: --password-file FILE"])
        case .wrongPassword(let what):
            self.init(
                .data, "\(path): the password does not open this \(what)",
                hints: ["the first line of the password file is taken as it stands, without its line break"])
        case .damaged(let what, let error):
            let reason = error.entries.first.map { ": \($0)" } ?? ""
            self.init(.data, "\(path): \(what) cannot be read\(reason)")
        case .tooManyRounds(let rounds):
            self.init(
                .data,
                "\(path): its password is hashed \(rounds == .max ? "more than 2^63" : "\(rounds)") times, and at most "
                    + "1,000,000 are worked through")
        case .tooLarge(let words): self.init(.data, "\(path): \(words)")
        }
    }
}
