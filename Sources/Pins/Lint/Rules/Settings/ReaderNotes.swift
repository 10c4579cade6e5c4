import Facts

/// A rule that hands on what a reader has noted.
protocol NoteCheck: LintCheck {
    static var notes: [PinNote.ID] { get }
}

extension NoteCheck {
    static func findings(_ context: LintContext) -> [LintFinding] {
        context.appFiles.flatMap { file in
            file.notes.filter { notes.contains($0.id) }.map { note in
                finding(
                    in: file, line: note.line, host: file.host(of: note),
                    Printable.excerpt(note.text, limit: MalformedPin.noteLimit),
                    fix: entry.fix.prefix(1).lowercased() + entry.fix.dropFirst())
            }
        }
    }
}

/// L40: a pattern that its platform applies to no host.
enum PatternNeverMatches: NoteCheck {
    static let entry = LintRuleBook.Entry(
        "L40", "pattern-never-matches", .warning, "An entry matches no host",
        why: "Its pins are read and apply to nothing: the host that you mean is not pinned.",
        fix: "Write the host in the platform's own form, without scheme, port and path")
    static let notes: [PinNote.ID] = [.neverMatches]
}

/// L41: pins where the platform does not look for any.
enum MisplacedPins: NoteCheck {
    static let entry = LintRuleBook.Entry(
        "L41", "misplaced-pins", .warning, "Pins stand where the platform does not look",
        why: "They are ignored without a word: what you mean to pin is not pinned.",
        fix: "Move them to where the platform reads them (Android: a pin-set in a domain-config)")
    static let notes: [PinNote.ID] = [.misplaced]
}

/// L42: pins that this tool cannot read.
enum UnresolvedPins: NoteCheck {
    static let entry = LintRuleBook.Entry(
        "L42", "unresolved-pins", .note, "Pins are not in this file",
        why:
            "A constant from elsewhere, or one that is put together as the program runs: nothing is checked of it here.",
        fix: "Give the file with the constant as well, or check the built app: pinproof inspect APP")
    static let notes: [PinNote.ID] = [.unresolved]
}

/// L45: a day on which pins are to end, and never do.
enum ExpiryNotTaken: NoteCheck {
    static let entry = LintRuleBook.Entry(
        "L45", "expiry-not-taken", .warning, "The written expiry is no date to the platform",
        why:
            "What cannot be read as a date is passed over, or stops the app as it starts: the pins never end, and an old version of the app is locked out for good once its last pinned key is gone.",
        fix: "Write the day as yyyy-MM-dd, such as 2027-01-31", sources: ["parse_configuration.m (TrustKit)"])
    static let notes: [PinNote.ID] = [.expiryNotTaken]
}

/// L43: versions of a library read it differently.
enum VersionsDiffer: NoteCheck {
    static let entry = LintRuleBook.Entry(
        "L43", "versions-differ", .note, "Versions of the library read it differently",
        why: "An update of the library, or a second copy of it in an SDK, changes which hosts are pinned.",
        fix: "Write it in a form that all versions read alike")
    static let notes: [PinNote.ID] = [.versionsDiffer]
}
