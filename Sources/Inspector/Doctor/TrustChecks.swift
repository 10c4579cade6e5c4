import Facts

/// What clients and stores make of the CA, in lines.
struct TrustChecks: Sendable {
    /// A place in which roots lie, without a program that could be asked.
    struct Store: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            case hasCA
            case lacksCA
            /// It is there, and cannot be read.
            case unread(String)
        }

        var id: String
        /// As the beginning of a sentence: `Firefox's store (x.default)`.
        var name: String
        var content: Content
        var remedy: String
    }

    /// In the order in which they are told.
    var clients: [(client: TrustClient, answer: TrustAnswer)] = []
    var stores: [Store] = []
    /// Stores that are not on this machine.
    var missingStores: [String] = []
    /// Why no client was asked; nil where they were.
    var whyNot: String?
    /// The root's path as a shell takes it; nil: it does not lie here.
    var root: String?

    /// By this name commands have a root that does not lie here.
    private static let fetched = "pinproof-root.pem"

    var checks: [DoctorCheck] {
        var checks = clients.compactMap { client, answer in check(client, answer) }
        if let whyNot {
            checks.append(DoctorCheck("trust", .skipped, "no client was asked whether it trusts the CA: \(whyNot)"))
        }
        checks += stores.map(check)
        let absent = clients.filter { $0.answer == .absent }.map(\.client.name) + missingStores
        if !absent.isEmpty { checks.append(DoctorCheck("trust-absent", .skipped, "not here: \(English.list(absent))")) }
        if root == nil, checks.contains(where: { $0.todo?.contains(Self.fetched) == true }) {
            checks.append(
                DoctorCheck(
                    "root", .skipped, "the CA's certificate does not lie here",
                    todo: "save it as \(Self.fetched): http://\(AboutProxy.host)/ has it through the proxy"))
        }
        return checks
    }

    private func check(_ client: TrustClient, _ answer: TrustAnswer) -> DoctorCheck? {
        let id = "trust-\(client.id)"
        switch answer {
        case .trusted: return DoctorCheck(id, .ok, "\(client.name) trusts the CA")
        case .notTrusted:
            return DoctorCheck(id, .warning, "\(client.name) does not trust the CA", todo: filled(client.remedy))
        case .refused(let refusal):
            let (why, todo) = Self.words(refusal)
            return DoctorCheck(
                id, .warning, "\(client.name) refuses the proxy's certificate: \(why)", todo: todo)
        case .unknown(let why):
            return DoctorCheck(
                id, .warning, "\(client.name): not known whether it trusts the CA: \(why)",
                todo: "try it by hand: `\(client.program)` through the proxy to \(TrustClient.address)")
        case .absent: return nil
        }
    }

    private static func words(_ refusal: TrustAnswer.Refusal) -> (why: String, todo: String) {
        let clock = "compare this machine's clock with the CA's dates: `pinproof ca show`"
        return switch refusal {
        case .dates: ("its dates are not good for it", clock)
        case .unsaid: ("it does not say why, and the CA's dates are not good here", clock)
        case .name:
            (
                "it is not for \(TrustClient.host)",
                "is the proxy a pinproof of this version? start it anew, and ask again"
            )
        }
    }

    private func check(_ store: Store) -> DoctorCheck {
        let id = "trust-\(store.id)"
        switch store.content {
        case .hasCA: return DoctorCheck(id, .ok, "\(store.name) has the CA")
        case .lacksCA:
            return DoctorCheck(id, .warning, "\(store.name) does not have the CA", todo: filled(store.remedy))
        case .unread(let why): return DoctorCheck(id, .skipped, "\(store.name) was not looked at: \(why)")
        }
    }

    private func filled(_ remedy: String) -> String { remedy.replacing("ROOT", with: root ?? Self.fetched) }

    /// A path as a shell takes it: short below the home folder, in quotes where it has to be.
    static func shellPath(_ path: String, home: String?) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            byte >= 0x80 || "./_-+@%:,".utf8.contains(byte) || (48...57).contains(byte) || (65...90).contains(byte)
                || (97...122).contains(byte)
        }
        guard isPlain else { return "'" + path.replacing("'", with: "'\\''") + "'" }
        guard let home, !home.isEmpty, home != "/", path.hasPrefix(home + "/") else { return path }
        // Unlike ~, it is expanded within a word as well.
        return "$HOME" + path.dropFirst(home.count)
    }
}
