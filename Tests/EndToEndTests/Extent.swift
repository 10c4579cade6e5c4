import Foundation

/// How much is examined: what every change needs, or everything (`make test-all`, every night).
enum Extent {
    static let isWhole = ProcessInfo.processInfo.environment["PINPROOF_TESTS"] == "all"
}
