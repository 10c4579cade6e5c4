import Foundation
import Loop

/// `make bench`: what decoding, recording and finding cost.
///
///     Benchmarks [WORD…]                those whose names have one of the words; without any, all
///     Benchmarks --growth               some of them at three sizes: does cost grow with the work alone?
///     Benchmarks --large [FLOWS [RATE]] fills a store with so many flows, and asks it
@main
enum Main {
    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            say("error: \(error)")
            ProcessControl.endAtOnce(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        if arguments.first == "--large" {
            let numbers = arguments.dropFirst().compactMap { Int($0) }
            return try LargeStore(flows: numbers.first ?? 1_000_000, rate: numbers.dropFirst().first).run(say)
        }
        if arguments == ["--growth"] { return try Growth.run(say) }
        say("processor time on all threads, the median of \(Benchmark.rounds) rounds and how far they lie apart")
        say(Measurement.header)
        for benchmark in HelloBenchmarks.all + GateBenchmarks.all + DecodingBenchmarks.all + StoreBenchmarks.all {
            let isWanted =
                arguments.isEmpty || arguments.contains { benchmark.name.lowercased().contains($0.lowercased()) }
            if isWanted { say(try benchmark.run().line) }
        }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
