import Facts
import Loop

/// A clock for COMMAND that says another day (`rehearse --clock`).
///
/// Programs that ask the C library for the time are told another one by libfaketime (https://github.com/wolfcw/libfaketime), where
/// that is installed. Programs that ask the kernel (Go) are not, and neither is a device: there, COMMAND has to see to it.
package struct ClientClock: Sendable, Hashable {
    /// Unix seconds: noon of its day, UTC, so that it is that day in nearly all of the world.
    package let time: Double
    /// Seconds from now.
    package let offset: Int
    /// The path of libfaketime; nil: it is not here.
    package let library: String?

    package init(at day: CalendarDate, now: Double, library: String? = ClientClock.library()) {
        time = Double(day.daysSince1970) * 86_400 + 43_200
        offset = Int(time - now)
        self.library = library
    }

    /// Of the first that exists; the one for programs with threads comes first.
    package static func library(exists: (String) -> Bool = Files.exists) -> String? {
        let folders = [
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
        ]
        let names = ["libfaketimeMT.so.1", "libfaketime.so.1"]
        return names.lazy.flatMap { name in folders.map { "\($0)/faketime/\(name)" } }.first(where: exists)
    }

    /// `PINPROOF_CLOCK` (RFC 3339), and what libfaketime goes by. Steady clocks go on as they are: with those, timers would end
    /// at once, or never.
    package var variables: [String: String] {
        var variables = ["PINPROOF_CLOCK": UTCTime(unix: Int64(time)).rfc3339]
        guard let library else { return variables }
        variables["LD_PRELOAD"] = library
        variables["FAKETIME"] = "\(offset < 0 ? "" : "+")\(offset)"
        variables["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        variables["DONT_FAKE_MONOTONIC"] = "1"
        variables["NO_FAKE_STAT"] = "1"
        return variables
    }
}
