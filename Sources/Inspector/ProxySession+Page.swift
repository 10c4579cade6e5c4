import Authority
import Console
import Facts
import Filters
import Loop
import Policy
import Profiles
import Proxy

/// Page and API beside the proxy.
extension ProxySession {
    /// A port that nobody has named is only a wish: another pinproof may have it.
    ///
    /// - Returns: nil with `--no-ui`.
    func startPage() async throws -> (page: (any PageService)?, words: PageWords) {
        var words = PageWords()
        guard options.recording.hasPage, let wish = options.page else { return (nil, words) }
        let listen = try ListenAddress(wish)
        let store = options.recording.store
        let socket = store.flatMap { LiveSocket.path(forStore: $0, environment: Terminal.environment) }
        let inside = LiveSocket.pagePath(environment: Terminal.environment)
        var request = PageRequest(listen: listen.socket, store: store, socket: socket, inside: inside)
        let page: any PageService
        do {
            page = try await makePage(request)
        } catch let error as PageListenError where error.isTaken && !options.isPageNamed {
            request.listen = SocketAddress(listen.socket.address, 0)
            page = try await makePage(request)
            words.place = "page: \(listen.socket) is taken, so it is at \(page.address)"
        }
        if listen.isExposed {
            words.warning =
                "warning: others on the network reach the page at \(page.address), and whoever has its link sees all traffic"
        }
        return (page, words)
    }

    func pageContext(
        _ loaded: LoadedProfile?, _ recording: ProxyRecording?, _ server: ProxyServer, _ plan: Plan,
        _ onboarding: Onboarding
    ) -> PageContext {
        let hosts = HostActions(server, plan)
        let proxies = [server.endpoint] + server.clientEndpoints.values.sorted { $0.description < $1.description }
        return PageContext(
            store: recording?.store, flush: { recording?.flush(seconds: $0) ?? true },
            catchUp: { await recording?.catchUp() },
            dropped: { recording?.droppedCount ?? 0 },
            fault: { recording?.fault }, book: book(loaded), proxies: proxies.map(\.description),
            devices: { onboarding.devices(server.endpoint) }, hosts: { await hosts.actions },
            setHost: { try await hosts.set($0, $1) }, runs: Files.absolute("runs"))
    }

    /// The profile's names for filters and the saved ones; a broken file was told of at the start.
    private func book(_ loaded: LoadedProfile?) -> FilterBook {
        let own = loaded.map(ProfileFilters.book) ?? FilterBook()
        guard let path = options.savedFilters, let saved = try? SavedFilters(path).read() else { return own }
        return own.joined(with: saved)
    }
}

/// What there is to say of the page once it is sure that there will be one.
struct PageWords {
    var place: String?
    var warning: String?

    func say(on console: Console) {
        if let place { console.say(place) }
        if let warning { console.warn(warning) }
    }
}

/// What was said of single hosts while the proxy runs, and the plan that comes of it.
private actor HostActions {
    private let server: ProxyServer
    private var plan: Plan
    /// The plan before, on its way to the loops: one that came later must not reach any of them earlier.
    private var last: Task<Void, any Error>?

    /// More than a person says in a day, few enough for a plan that every connection asks.
    private static let limit = 1000

    init(_ server: ProxyServer, _ plan: Plan) {
        self.server = server
        self.plan = plan
    }

    var actions: [HostName: HostAction] { plan.overrides.mapValues { $0 ? .intercept : .tunnel } }

    func set(_ host: HostName, _ action: HostAction) async throws {
        var next = plan
        next.overrides[host] = action == .intercept
        guard next.overrides.count <= Self.limit else { throw TooManyHosts() }
        plan = next
        let (server, before) = (server, last)
        let applying = Task {
            _ = await before?.result
            try await server.apply(next)
        }
        last = applying
        try await applying.value
    }

    private struct TooManyHosts: ExplainedError {
        var cause: ErrorCause { .commandLine }
        var explanations: [Explanation] {
            [Explanation("\(limit) hosts have been decided on by hand: a profile can name more of them")]
        }
    }
}
