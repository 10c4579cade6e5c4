#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#else
    @_exported import Darwin
#endif

/// The clock of deadlines and durations: never set back.
package enum MonotonicClock {
    /// Seconds since some fixed point in the past.
    package static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// The time of day, for evidence.
package enum WallClock {
    /// Unix seconds.
    package static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Ends the process with what was printed written out, and without the cleanup of libraries: that of OpenSSL takes away
/// what threads of ours may still be using, and a run that had told its verdict would end by SIGSEGV.
package func endProcess(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
}

/// Whether whoever started this process wants the signal ignored. Asked before anything else is done with the signal.
package func isSignalIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
        return unsafe action.__sigaction_u.__sa_handler.map { unsafe unsafeBitCast($0, to: Int.self) } == 1
    #else
        return unsafe action.__sigaction_handler.sa_handler.map { unsafe unsafeBitCast($0, to: Int.self) } == 1
    #endif
}

/// A system call that failed, by its errno.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(_ call: String, _ code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var isAddressInUse: Bool { code == EADDRINUSE }
    package var isNotFound: Bool { code == ENOENT }
    package var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
    package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
    /// The system's words: `connection refused`.
    package var reason: String { unsafe String(cString: strerror(code)).lowercased() }
    package var description: String { "\(call): \(reason)" }
}
