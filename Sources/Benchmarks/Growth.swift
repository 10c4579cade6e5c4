/// What a unit costs when there are ten times, and a hundred times as many.
///
/// Whatever grows faster than what it works on shows here: the last column would be larger than the first.
enum Growth {
    private static var curves: [(sizes: [Int], benchmark: (Int) -> Benchmark)] {
        [
            ([100, 1000, 10_000], GateBenchmarks.forging),
            ([2000, 20_000, 200_000], GateBenchmarks.writing),
            ([10_000, 100_000, 1_000_000], GateBenchmarks.judging),
            ([1000, 10_000, 100_000], { StoreBenchmarks.writing($0, isIndexed: false) }),
            ([500, 5000, 50_000], { StoreBenchmarks.writing($0, isIndexed: true) }),
        ]
    }
    static func run(_ say: (String) -> Void) throws {
        say(
            "processor time of a unit, the median of 3 rounds, for a number of units, ten times and a hundred times that"
        )
        for (sizes, benchmark) in curves {
            let all = try sizes.map { try benchmark($0).run(rounds: 3) }
            guard let first = all.first else { continue }
            let name = first.name.prefix { $0 != ":" && $0 != "," } + ": " + first.unit
            let times = all.map { Measurement.filled(Measurement.time($0.median), 10, isRight: true) }
            say(Measurement.filled("\(name), \(sizes[0]) and more", 44) + times.joined())
        }
    }
}
