#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// This process, how it ends, and the process groups that it starts.
package enum ProcessControl {
    package static var ownID: Int32 { getpid() }
    /// The user that it acts for.
    package static var userID: UInt32 { geteuid() }

    /// A reader that went away (`pinproof gate … | head`) is a failed write from now on, not the end of the process.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// What is written, by this process and what it starts, is for nobody else to change, whatever umask it was started with:
    /// evidence, reports and the state of a client lie in folders that others may reach.
    package static func keepOthersFromWriting() {
        let before = umask(0o022)
        umask(before | 0o022)
    }

    /// Which argument, from 1, is no UTF-8, and how it reads with what is none replaced.
    package static var argumentWithoutText: (number: Int, text: String)? {
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[number], unsafe String(validatingCString: word) == nil
            else { continue }
            return (number, unsafe String(cString: word))
        }
        return nil
    }

    /// Ends with what was printed written out, and without the cleanup of libraries: that of OpenSSL takes away what
    /// threads of ours may still be using, and a run that had told its verdict would end by SIGSEGV.
    package static func end(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// Ends at once, whatever is half written.
    package static func endAtOnce(_ status: Int32) -> Never { _exit(status) }

    /// Whether there is a process with this number, of this user or another.
    package static func isThere(_ id: Int32) -> Bool {
        #if canImport(Glibc)
            return id > 0 && (Glibc.kill(id, 0) == 0 || errno == EPERM)
        #elseif canImport(Musl)
            return id > 0 && (Musl.kill(id, 0) == 0 || errno == EPERM)
        #else
            return id > 0 && (Darwin.kill(id, 0) == 0 || errno == EPERM)
        #endif
    }

    /// Kills every process of a group.
    package static func kill(group: Int32) { _ = send(SIGKILL, to: group) }

    /// Whether the group has members, zombies included.
    package static func hasMembers(group: Int32) -> Bool { send(0, to: group) }

    /// To the whole group: `kill` takes its number as a negative one. 0 and 1 would mean our own group and everybody.
    private static func send(_ number: Int32, to group: Int32) -> Bool {
        guard group > 1 else { return false }
        #if canImport(Glibc)
            return Glibc.kill(-group, number) == 0
        #elseif canImport(Musl)
            return Musl.kill(-group, number) == 0
        #else
            return Darwin.kill(-group, number) == 0
        #endif
    }
}

/// A signal by which somebody asks this process to end.
package enum EndingSignal: CaseIterable, Sendable {
    /// Ctrl-C, `kill`, a terminal or connection that is gone, Ctrl-\.
    case interrupt, terminate, hangUp, quit

    package var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        case .quit: SIGQUIT
        }
    }

    /// Whether whoever started this process wants it ignored. Asked before anything else is done with it.
    package var isIgnored: Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            return unsafe action.__sigaction_u.__sa_handler.map { unsafe unsafeBitCast($0, to: Int.self) } == 1
        #else
            return unsafe action.__sigaction_handler.sa_handler.map { unsafe unsafeBitCast($0, to: Int.self) } == 1
        #endif
    }

    /// It does nothing by itself any more; a dispatch source still sees it.
    package func ignore() { signal(number, SIG_IGN) }

    /// It ends the process again.
    package func restoreDefault() { signal(number, SIG_DFL) }
}
