import Loop
import Profiles
import Report
import TLS

extension Complaint {
    /// Any module's error in words, with its exit status: the one place where the two meet.
    package init(_ error: any Error) {
        switch error {
        case let complaint as Complaint: self = complaint
        case let error as GateError: self = error.complaint
        case let error as ProfileErrors: self.init(profile: error)
        case let error as AttackWordFault: self.init("--attacks: \(error.message)", hints: error.hints, status: .usage)
        case let error as ReportError: self.init("--format: \(error)", hints: error.hints, status: .usage)
        case let error as DescriptorShortage:
            self.init(error.description, hints: [DescriptorShortage.hint], status: .invalid)
        case let error as SystemError where error.isOutOfDescriptors:
            self.init(error.description, hints: [DescriptorShortage.hint], status: .invalid)
        case let error as CAError:
            self.init(error.message, hints: error.hint.map { [$0] } ?? [], status: .configuration)
        default: self.init("\(error)", status: .invalid)
        }
    }

    private init(profile errors: ProfileErrors) {
        let shown = errors.errors.prefix(ProfileErrors.shownAtMost).map { error in
            Item("\(error.path)\(error.place.map { ":\($0)" } ?? ""): \(error.message)", hints: error.hints)
        }
        let more = errors.errors.count - shown.count
        let path = errors.errors.first?.path ?? "profile"
        self.init(shown + (more > 0 ? [Item("\(path): and \(more) more")] : []), status: .configuration)
    }
}
