import Foundation
import Wire

/// What a ClientHello costs; all those of Tests/Hellos, each in turn.
enum HelloBenchmarks {
    private static let rounds = 200

    static var all: [Benchmark] {
        let recorded = Self.recorded
        let hellos = recorded.compactMap(parsed)
        return [
            Benchmark(name: "ClientHello: read", unit: "hello") { _ in
                var count = 0
                for _ in 0..<rounds { count += recorded.count { parsed($0) != nil } }
                guard count > 0 else { throw Missing() }
                return Benchmark.Work(units: count, bytes: rounds * recorded.reduce(0) { $0 + $1.count })
            },
            Benchmark(name: "ClientHello: name its stack", unit: "hello") { _ in
                var named = 0
                for _ in 0..<rounds { named += hellos.count { !StackRecogniser.names(of: $0).isEmpty } }
                guard named > 0 else { throw Missing() }
                return Benchmark.Work(units: rounds * hellos.count)
            },
        ]
    }

    private static func parsed(_ bytes: [UInt8]) -> ClientHello? {
        var parser = ClientHelloParser()
        guard case .complete(let hello) = parser.read(bytes) else { return nil }
        return hello
    }

    private static let recorded: [[UInt8]] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Tests/Hellos/hellos.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { $0.split(separator: "\t").last }.map { hex in
            let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        }
    }()

    private struct Missing: Error, CustomStringConvertible {
        let description = "Tests/Hellos/hellos.tsv has no hello that can be read"
    }
}
