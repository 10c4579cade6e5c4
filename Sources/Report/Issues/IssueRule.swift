import Facts
import Policy
import Verdict

/// What several issues have in common: the kind of fault, in the words of a rule.
struct IssueRule: Hashable {
    let id: String
    /// In a few words.
    let title: String
    /// In a sentence or two.
    let about: String
    /// What to do; our own words, with backquotes around what is to be typed.
    let help: String
    let level: ReportIssue.Level
    /// As CVSS counts (0 to 10), for who sorts by it; nil for what is no weakness.
    let severity: String?

    static let noVerdict = IssueRule(
        id: "no-verdict", title: "The gate can give no verdict",
        about: "The run itself supports no verdict, or did not come to its end: nothing is known of this build.",
        help: "Repair what the message names and run the gate again.", level: .error, severity: nil)

    private init(
        id: String, title: String, about: String, help: String, level: ReportIssue.Level, severity: String?
    ) {
        self.id = id
        self.title = title
        self.about = about
        self.help = help
        self.level = level
        self.severity = severity
    }

    init(_ host: HostVerdict) {
        let word = host.verdict
        let (title, about) = Self.words(word)
        self.init(
            id: word.rawValue, title: title, about: about, help: MissingAdvice.text(for: word, nil),
            level: word == .refusedUnproven || word == .notExercised ? .warning : .error,
            severity: word == .notPinned ? "8.1" : nil)
    }

    init(_ finding: Finding, _ level: ReportIssue.Level) {
        let kind = FindingCatalogue.kind(finding.id)
        let title = kind?.about ?? finding.id
        let help = FindingAdvice.text(for: finding.id)
        self.init(
            id: finding.id, title: title.prefix(1).uppercased() + title.dropFirst(),
            about: kind?.concern == .app
                ? "Found while the app was attacked: \(title)." : "Of the run, its evidence or its profile: \(title).",
            help: help ?? "The message says what was seen; the evidence has it line by line.", level: level,
            severity: kind?.concern == .app ? (level == .error ? "7.4" : "4.8") : nil)
    }

    /// `PinproofNotPinned`, as rules are named in code scanning.
    var name: String {
        "Pinproof"
            + id.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// `help` without its marks.
    var plainHelp: String { help.filter { $0 != "`" } }

    private static func words(_ verdict: VerdictWord) -> (title: String, about: String) {
        switch verdict {
        case .notPinned:
            (
                "The app talks to a man in the middle",
                "The app sent data under a certificate that was forged for this host, and the profile expects it to refuse."
            )
        case .refused:
            (
                "The app refuses where it has to accept",
                "The profile expects this host to work under the CA of the gate, and the app refused it."
            )
        case .refusedUnproven:
            (
                "Refused, but pinning is not proven",
                "The app refused, and the run does not show that a pin was the reason. The message says what is missing."
            )
        case .notExercised:
            (
                "The host was not exercised",
                "The app did not ask for this host, or not in the way that a verdict needs."
            )
        case .invalidEnvironment:
            (
                "The environment supports no verdict",
                "This host cannot be judged here, whatever the app does: the message says what is broken."
            )
        case .provenPinned, .accepted, .tunnelled:
            (
                "The verdict does not answer the expectation",
                "What was seen of this host is not what the profile asks about."
            )
        }
    }
}
