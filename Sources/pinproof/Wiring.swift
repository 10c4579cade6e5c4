import Console
import Facts
import Gate
import Loop

/// What the command line plugs into the sessions.
enum Wiring {
    static let selfTest: GateSession.SelfTest = { proxy, router, authority in
        await SelfTest(proxy: proxy, router: router, authority: authority).run()
    }

    /// More of libevent's warnings repeat one another: a name server that does not answer, once per name.
    private static let shownWarnings = 5

    /// What libevent has to say becomes a line of ours, and where it cannot go on, an end of ours.
    ///
    /// - Parameter lastly: what has to be done before the process ends.
    static func tellOfLibevent(on console: Console, lastly: @escaping @Sendable () -> Void = {}) {
        let told = Locked<Set<String>>([])
        LibeventMessages.hand(
            to: LibeventMessages.Handlers(
                warned: { text in
                    let isNew = told.withLock { $0.count < shownWarnings && $0.insert(text).inserted }
                    if isNew { console.say("warning: libevent: \(Printable.escaped(text))") }
                },
                failed: { text in
                    lastly()
                    let isShort = (try? DescriptorLimit.requireFree(1)) == nil
                    console.warn(
                        Complaint(
                            "libevent cannot go on: \(text)", hints: isShort ? [DescriptorShortage.hint] : [],
                            status: .invalid
                        ).description)
                    ProcessControl.end(ExitStatus.invalid.rawValue)
                }))
    }
}
