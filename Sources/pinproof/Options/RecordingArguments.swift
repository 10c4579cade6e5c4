import ArgumentParser
import Console
import Inspector
import Loop

/// `--store` and its like: what the debugging proxy records.
struct RecordingArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Where flows are kept. (default: flows.db in the data folder)", valueName: "file"))
    var store: String?

    @Flag(help: "Record nothing.")
    var noStore = false

    @Option(
        help: ArgumentHelp(
            "Where page and API listen; port 0 picks a free one. (default: 127.0.0.1:8081, or a free port)",
            valueName: "host:port"))
    var ui: String?

    static let usualPage = "127.0.0.1:8081"

    @Flag(help: "Neither page nor API.")
    var noUi = false

    @Option(help: ArgumentHelp("Bytes of one body that are kept; the relay is never cut.", valueName: "size"))
    var maxBody = "16M"

    @Option(
        help: ArgumentHelp(
            "Keep whole bodies of this host in files beside the store; * and ** as in profiles. Repeatable.",
            valueName: "host"))
    var keepBodies: [String] = []

    @Option(help: ArgumentHelp("Size of the store, the oldest flows go first.", valueName: "size"))
    var keep = "4G"

    @Option(help: ArgumentHelp("Age of the oldest flow that is kept.", valueName: "days"))
    var keepDays = RecordingOptions.usualDays

    func validate() throws {
        if noStore, store != nil { throw ValidationError("--store and --no-store exclude one another") }
        if noUi, ui != nil { throw ValidationError("--ui and --no-ui exclude one another") }
        if let ui { _ = try ListenArgument.endpoint(ui, of: "--ui") }
        if noStore, !keepBodies.isEmpty {
            throw ValidationError("--keep-bodies needs a store: --no-store keeps nothing")
        }
        for host in keepBodies where KeptHosts(host) == nil {
            throw ValidationError("--keep-bodies: \(host) is no host, *.host, **.host or *")
        }
        _ = try ByteSize.parse("--max-body", maxBody, in: 0...(1 << 40))
        // Less would be gone before it is looked at.
        _ = try ByteSize.parse("--keep", keep, in: (1 << 20)...(1 << 50))
        guard (1...36_500).contains(keepDays) else { throw ValidationError("--keep-days: 1 to 36500") }
    }

    func options() throws -> RecordingOptions {
        var options = RecordingOptions(store: noStore ? nil : try Self.path(store))
        options.hasPage = !noUi
        options.maxBody = try ByteSize.parse("--max-body", maxBody, in: 0...(1 << 40))
        options.keep = try ByteSize.parse("--keep", keep, in: (1 << 20)...(1 << 50))
        options.keepDays = keepDays
        options.keepBodies = keepBodies.compactMap(KeptHosts.init)
        return options
    }

    /// What was named, or the file in the data folder.
    static func path(_ named: String?) throws -> String {
        if let named { return Files.absolute(named) }
        let data = try DataFolder(environment: Terminal.environment)
        return data.file("flows.db")
    }
}

/// A size on the command line: `500`, `16M`, `4G`; K, M, G and T are powers of 1024.
enum ByteSize {
    static func parse(_ option: String, _ text: String, in range: ClosedRange<Int>) throws -> Int {
        var digits = text[...]
        var factor = 1
        if let last = digits.last, let power = ["K", "M", "G", "T"].firstIndex(of: last.uppercased()) {
            factor = 1 << (10 * (power + 1))
            digits = digits.dropLast()
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = Int(digits) else {
            throw ValidationError("\(option): \(text) is no size like 500K, 16M or 4G")
        }
        let (size, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        guard !isTooLarge, range.contains(size) else {
            throw ValidationError(
                "\(option): \(text) is not between \(shown(range.lowerBound)) and \(shown(range.upperBound))")
        }
        return size
    }

    private static func shown(_ size: Int) -> String {
        for (power, unit) in ["T", "G", "M", "K"].enumerated() {
            let factor = 1 << (10 * (4 - power))
            if size >= factor, size % factor == 0 { return "\(size / factor)\(unit)" }
        }
        return String(size)
    }
}
