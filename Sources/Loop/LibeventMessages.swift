import CEvent

/// What libevent has to say, handed on instead of printed, and its last words.
///
/// Left alone libevent writes to stderr in a form of its own, and ends the process with status 1 where it cannot go on.
package enum LibeventMessages {
    /// What becomes of them; both may be called from any thread, and must not call libevent.
    package struct Handlers: Sendable {
        /// Something failed, and libevent goes on.
        package var warned: @Sendable (String) -> Void
        /// It cannot go on. A function that returned would come back into a library that has given up.
        package var failed: @Sendable (String) -> Never

        package init(warned: @escaping @Sendable (String) -> Void, failed: @escaping @Sendable (String) -> Never) {
            self.warned = warned
            self.failed = failed
        }
    }

    private struct State {
        var handlers: Handlers?
        /// The error that was told last: libevent logs it, and then gives up with a number alone.
        var lastError: String?
    }

    private static let state = Locked(State())

    /// From now on these are called, for the whole process.
    package static func hand(to handlers: Handlers) {
        state.withLock { $0.handlers = handlers }
        unsafe event_set_log_callback { unsafe libeventLogged($0, $1) }
        event_set_fatal_callback { libeventFailed($0) }
    }

    static func logged(_ severity: Int32, _ text: String) {
        switch severity {
        case EVENT_LOG_ERR: state.withLock { $0.lastError = text }
        case EVENT_LOG_WARN: state.withLock { $0.handlers }?.warned(text)
        // Name servers that answer again, and what only its authors can use.
        default: break
        }
    }

    static func failed(_ code: Int32) -> Never {
        let (handlers, words) = state.withLock { ($0.handlers, $0.lastError ?? "internal error \(code)") }
        handlers?.failed(words)
        abort()
    }
}

private func libeventLogged(_ severity: Int32, _ text: UnsafePointer<CChar>?) {
    guard let text = unsafe text else { return }
    LibeventMessages.logged(severity, unsafe String(cString: text))
}

private func libeventFailed(_ code: Int32) { LibeventMessages.failed(code) }
