import Loop

/// One thing that is measured: so many units of work, again and again.
struct Benchmark {
    /// What a round has done.
    struct Work {
        var units: Int
        /// Zero where they are not what it is about.
        var bytes = 0
    }

    let name: String
    /// What is counted: `exchange`, `flow`.
    let unit: String
    /// One round. What it makes ready before the work is left out by `Round.begin`.
    let round: (inout Round) throws -> Work

    /// The clock of one round.
    ///
    /// It is of processor time on all threads, which other programs hardly change.
    struct Round {
        fileprivate var began = ProcessorTime.used
        fileprivate var ended: Double?

        /// From here on the work is measured; without it, all of the round is.
        mutating func begin() { began = ProcessorTime.used }

        /// What follows is not measured any more.
        mutating func end() { ended = ProcessorTime.used }
    }

    /// Rounds that count; one more comes before them, in which caches fill and code is found.
    static let rounds = 7

    /// - Parameter rounds: that count.
    func run(rounds: Int = Self.rounds) throws -> Measurement {
        var samples: [Double] = []
        var work = Work(units: 1)
        for number in 0...rounds {
            var round = Round()
            work = try self.round(&round)
            let seconds = (round.ended ?? ProcessorTime.used) - round.began
            if number > 0 { samples.append(seconds / Double(max(1, work.units))) }
        }
        return Measurement(
            name: name, unit: unit, samples: samples.sorted(),
            unitBytes: Double(work.bytes) / Double(max(1, work.units)))
    }
}

/// What came of a benchmark.
struct Measurement {
    var name: String
    var unit: String
    /// Seconds a unit, of each round, the shortest first.
    var samples: [Double]
    var unitBytes: Double

    static let header = row("benchmark", "unit", "median", "spread", "MB/s")

    var median: Double { samples.isEmpty ? 0 : samples[samples.count / 2] }

    /// 80 columns: the median, how far the rounds lie apart, and what that is in bytes.
    var line: String {
        let spread = median > 0 ? ((samples.last ?? 0) - (samples.first ?? 0)) / median * 100 : 0
        let rate = unitBytes > 0 && median > 0 ? "\(Int((unitBytes / median / 1e6).rounded()))" : "-"
        return Self.row(name, unit, Self.time(median), "\(Int(spread.rounded())) %", rate)
    }

    private static func row(_ name: String, _ unit: String, _ time: String, _ spread: String, _ rate: String) -> String
    {
        filled(name, 40) + filled(unit, 12) + filled(time, 10, isRight: true) + filled(spread, 9, isRight: true)
            + filled(rate, 9, isRight: true)
    }

    static func filled(_ text: String, _ width: Int, isRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return isRight ? blanks + text : text + blanks
    }

    /// Three digits or so: `812 ns`, `4.31 µs`, `12.0 ms`.
    static func time(_ seconds: Double) -> String {
        var value = seconds * 1e9
        for unit in ["ns", "µs", "ms"] {
            if value < 999.5 {
                let decimals = value < 9.995 ? 100.0 : value < 99.95 ? 10 : 1
                let rounded = (value * decimals).rounded() / decimals
                return decimals > 1 ? "\(rounded) \(unit)" : "\(Int(rounded)) \(unit)"
            }
            value /= 1000
        }
        return "\((value * 100).rounded() / 100) s"
    }
}
