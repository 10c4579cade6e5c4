import Facts
import Pins

/// What a rehearsal is to go through, beside a gate's own options.
package struct RehearsalOptions: Sendable, Hashable {
    /// A chain of the team's own: `--with NAME=CHAIN[,KEY]`.
    package struct Chain: Sendable, Hashable {
        package var name: String
        package var chain: String
        package var key: String?

        package init(name: String, chain: String, key: String?) {
            self.name = name
            self.chain = chain
            self.key = key
        }
    }

    package var chains: [Chain]
    /// `--standard`.
    package var hasStandard: Bool
    /// `--compares`; nil: not said.
    package var scope: PinScope?
    /// `--clock`: days that the client's clock is set to.
    package var clocks: [CalendarDate]
    /// `--build`: other versions of the app, for the timeline.
    package var builds: [ComparedBuild]
    /// Where the page is written to.
    package var html: String?

    package init(
        chains: [Chain] = [], hasStandard: Bool = false, scope: PinScope? = nil, clocks: [CalendarDate] = [],
        builds: [ComparedBuild] = [], html: String? = nil
    ) {
        self.builds = builds
        self.clocks = clocks
        self.chains = chains
        self.hasStandard = hasStandard
        self.scope = scope
        self.html = html
    }

    /// A directory of chains is no rehearsal.
    package static let limit = 32
    /// Each takes two starts of each pinned host.
    package static let clockLimit = 8
    /// A certificate that begins the day before is plainly not valid today, whatever the client's time zone.
    private static let daysAhead = 3

    /// - Parameter now: Unix seconds.
    package static func clocks(_ texts: [String], now: Double) throws(Chain.Fault) -> [CalendarDate] {
        guard texts.count <= clockLimit else { throw .tooManyClocks }
        let first = CalendarDate(daysSince1970: UTCTime(unix: now).date.daysSince1970 + daysAhead)
        var days: [CalendarDate] = []
        for text in texts {
            guard let day = CalendarDate(text), day >= first else { throw .badClock(text, first: first) }
            if !days.contains(day) { days.append(day) }
        }
        return days
    }
}

extension GateOptions {
    /// `--clock` where nothing here changes a program's clock.
    var clockDoubt: String? {
        guard let rehearsal, !rehearsal.clocks.isEmpty, ClientClock.library() == nil else { return nil }
        return
            "libfaketime is not installed, so COMMAND itself has to set the client's clock to what PINPROOF_CLOCK says"
    }
}

extension RehearsalOptions.Chain {
    /// What is wrong with one of them.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case noEquals(String)
        /// What `--build` cannot read.
        case badBuild(String)
        case badName(String)
        case noFile(String)
        case repeated(String)
        case tooMany
        /// What `--compares` does not know.
        case badScope(String)
        /// What is no day for `--clock`; the first that is.
        case badClock(String, first: CalendarDate)
        case tooManyClocks

        package var description: String {
            switch self {
            case .noEquals(let text), .noFile(let text):
                "--with is NAME=CHAIN.pem or NAME=CHAIN.pem,KEY.pem; got: \(text)"
            case .badBuild(let text):
                "--build is NAME=FILE, with a file that declares the pins of that version; got: \(text)"
            case .badName(let name):
                "a name has letters, digits, \".\", \"_\" and \"-\", at most 64; got: \(name)"
            case .repeated(let name): "two chains are named \(name)"
            case .tooMany: "at most \(RehearsalOptions.limit) chains can be rehearsed at once"
            case .badClock(let text, let first):
                "--clock is a day to come, yyyy-mm-dd, \(first) at the earliest; got: \(text)"
            case .tooManyClocks: "at most \(RehearsalOptions.clockLimit) days can be rehearsed at once"
            case .badScope(let text): "--compares is any, leaf, issuers or both; got: \(text)"
            }
        }
    }

    private static let nameLimit = 64

    /// - Parameter exists: whether a path leads to a file; a comma may be a part of one.
    package static func parse(_ texts: [String], exists: (String) -> Bool) throws(Fault) -> [Self] {
        guard texts.count <= RehearsalOptions.limit else { throw .tooMany }
        var out: [Self] = []
        for text in texts {
            let one = try parse(text, exists: exists)
            guard !out.contains(where: { $0.name == one.name }) else { throw .repeated(one.name) }
            out.append(one)
        }
        return out
    }

    private static func parse(_ text: String, exists: (String) -> Bool) throws(Fault) -> Self {
        guard let equals = text.firstIndex(of: "=") else { throw .noEquals(text) }
        let name = String(text[..<equals])
        let files = String(text[text.index(after: equals)...])
        guard isName(name) else { throw .badName(name) }

        if !exists(files), let comma = files.firstIndex(of: ",") {
            let (chain, key) = (String(files[..<comma]), String(files[files.index(after: comma)...]))
            guard !chain.isEmpty, !key.isEmpty else { throw .noFile(text) }
            return Self(name: name, chain: chain, key: key)
        }
        guard !files.isEmpty else { throw .noFile(text) }
        return Self(name: name, chain: files, key: nil)
    }

    fileprivate static func isName(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "._-".utf8.contains($0)
            }
        }
        return isPlain && !name.isEmpty && name.utf8.count <= nameLimit
    }
}

extension RehearsalOptions {
    /// A version of the app, and the files that declare its pins.
    package struct BuildFiles: Hashable, Sendable {
        package var name: String
        package var files: [String]
    }

    /// `--build NAME=FILE`: several of one name are one version's.
    package static func builds(_ texts: [String]) throws(Chain.Fault) -> [BuildFiles] {
        guard texts.count <= limit else { throw .tooMany }
        var builds: [BuildFiles] = []
        for text in texts {
            guard let equals = text.firstIndex(of: "=") else { throw .badBuild(text) }
            let (name, file) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
            guard Chain.isName(name), !file.isEmpty else { throw .badBuild(text) }
            if let place = builds.firstIndex(where: { $0.name == name }) {
                builds[place].files.append(file)
            } else {
                builds.append(BuildFiles(name: name, files: [file]))
            }
        }
        return builds
    }
}
