import Console
import Facts
import Loop
import Pins
import Proxy
import TLS

/// `pinproof pins`: what can be pinned of servers and files.
package struct PinsSession: Sendable {
    package struct Options: Sendable {
        /// Hosts, files and `-`, as they were typed.
        package var sources: [String]
        package var proxy: UpstreamProxy?
        /// Files with roots of servers of one's own.
        package var roots: [String] = []
        package var passwordFile: String?
        /// Where hosts are called instead: for servers that have no name yet.
        package var place: Endpoint?

        package init(_ sources: [String]) { self.sources = sources }
    }

    private let options: Options
    private let now: Double

    package init(_ options: Options, now: Double = WallClock.now) {
        self.options = options
        self.now = now
    }

    /// In the order of the sources.
    package func run() async throws -> [DerivedPins] {
        let password = try options.passwordFile.map(Self.password)
        let system = try TrustStore(systemRoots: true, roots: [])
        var trust = system
        if !options.roots.isEmpty {
            var roots: [Certificate] = []
            for path in options.roots {
                let found = try materials(path, nil).compactMap(\.certificate)
                guard !found.isEmpty else { throw PinsError(.data, "\(path): there is no certificate in it") }
                roots += found
            }
            trust = try TrustStore(systemRoots: true, roots: roots)
        }
        var out: [DerivedPins] = []
        for source in options.sources {
            switch try Self.source(source) {
            case .file(let path): out.append(try derived(from: try materials(path, password), path, system))
            case .server(let endpoint): out.append(try await derived(from: endpoint, trust, system))
            }
        }
        return out
    }

    // MARK: Sources

    enum Source: Hashable {
        case file(String)
        case server(Endpoint)
    }

    /// Endings of names that no host has.
    private static let endings: Set<String> = [
        "pem", "crt", "cer", "der", "key", "pub", "p7b", "p7c", "p12", "pfx", "csr", "req", "jks", "txt",
    ]

    private static let usualHint = "name a file, or a server as api.example.com or api.example.com:8443"

    /// What is there is a file; what looks like one and is not there is told of as such.
    static func source(_ text: String) throws -> Source {
        if text == "-" || Files.exists(text) { return .file(text) }
        var host = text[...]
        for scheme in ["https://", "wss://"] where host.hasPrefix(scheme) {
            host = host.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        }
        let ending = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let isPath = host.contains("/") || (text.contains(".") && endings.contains(ending))
        if !isPath, let endpoint = Endpoint(host, defaultPort: 443), endpoint.port != 0 { return .server(endpoint) }
        throw PinsError(
            .commandLine, "\(text): there is no such file" + (isPath ? "" : ", and it is no host"),
            hints: [(isPath ? nil : HostHints.hint(for: String(host))) ?? usualHint])
    }

    private func materials(_ path: String, _ password: String?) throws -> [PinMaterial] {
        let bytes = try InputFile.read(path, limit: PinMaterialReader.sizeLimit, "certificates and keys")
        do throws(PinMaterialFault) { return try PinMaterialReader.read(bytes, password: password) } catch {
            throw PinsError(InputFile.name(path), error)
        }
    }

    /// The first line, without its line break.
    private static func password(_ path: String) throws -> String {
        let bytes = try InputFile.read(path, limit: 1 << 20, "a password")
        let line = bytes.prefix { $0 != 10 && $0 != 13 }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw PinsError(.data, "\(path): the password is no UTF-8 text")
        }
        return text
    }

    // MARK: Results

    private func derived(
        from materials: [PinMaterial], _ path: String, _ system: TrustStore
    ) throws -> DerivedPins {
        let certificates = materials.compactMap(\.certificate)
        var pins = DerivedPins(
            source: path, isVerified: false, whyNot: "there is no certificate in it", isPublicRoot: false,
            items: materials.map { PinnableItem($0) })
        guard let first = certificates.first else { return pins }
        let chain = FileChain(certificates)
        let leaf = chain.path.first ?? first
        pins.strangers = Self.strangers(materials.map(\.certificate), to: chain.path)
        let verified = try system.path(
            from: leaf, among: certificates.filter { $0 != leaf }, ignoresDates: true)
        pins.isPublicRoot = verified.problem == nil
        pins.whyNot = chain.whyNot(endsPublic: pins.isPublicRoot)
        pins.isVerified = pins.whyNot == nil
        if let whyNot = pins.whyNot, certificates.count > 1 {
            pins.warnings.append(.init(.notVerified, "the certificates are not one chain: \(whyNot)"))
        }
        if pins.isPublicRoot, let root = verified.certificates.last, !certificates.contains(root) {
            pins.anchor = PinnableItem(PinMaterial(root))
        }
        pins.warnings += PinsWarnings.names(certificates.filter { !$0.isAuthority })
        pins.warnings += PinsWarnings.dates(pins.items, now: now) + PinsWarnings.keys(pins.items)
        return pins
    }

    private func derived(
        from endpoint: Endpoint, _ trust: TrustStore, _ system: TrustStore
    ) async throws -> DerivedPins {
        let probe = ChainProbe(endpoint, at: options.place, through: options.proxy, trust: trust)
        let certificates: [Certificate]
        let refusal: String?
        switch await probe.ask() {
        case .failed(let reason):
            throw PinsError(
                .environment, "\(endpoint): no chain can be had: \(reason)",
                hints: [
                    "is the name right, and can this machine reach the server? Through a proxy: --through http://PROXY:PORT"
                ])
        case .chain(let shown, let problem): (certificates, refusal) = (shown, problem)
        }
        guard let leaf = certificates.first else {
            throw PinsError(.environment, "\(endpoint): it shows no certificate")
        }
        let others = Array(certificates.dropFirst())
        let path = try trust.path(from: leaf, among: others, for: endpoint.host)
        let publicPath = try system.path(from: leaf, among: others, ignoresDates: true)
        var pins = DerivedPins(
            source: endpoint.description, isVerified: refusal == nil, whyNot: refusal,
            isPublicRoot: publicPath.problem == nil,
            items: certificates.enumerated().map {
                PinnableItem(PinMaterial($1), isFirstOfServer: $0 == 0 && certificates.count > 1)
            })
        let way = refusal == nil ? path.certificates : FileChain(certificates, from: leaf).path
        pins.strangers = Self.strangers(certificates, to: way)
        if refusal == nil, let root = path.certificates.last, !certificates.contains(root) {
            pins.anchor = PinnableItem(PinMaterial(root))
        }
        pins.warnings =
            PinsWarnings.chain(of: pins, path, certificates, for: endpoint.host) + PinsWarnings.names([leaf])
            + PinsWarnings.dates(pins.items, now: now) + PinsWarnings.keys(pins.items)
        return pins
    }

    private static func strangers(_ all: [Certificate?], to path: [Certificate]) -> Set<Int> {
        Set(all.indices.filter { index in all[index].map { !path.contains($0) } ?? false })
    }
}
