import Gate

/// What the command line plugs into the sessions.
enum Wiring {
    static let selfTest: GateSession.SelfTest = { proxy, router, authority in
        await SelfTest(proxy: proxy, router: router, authority: authority).run()
    }
}
