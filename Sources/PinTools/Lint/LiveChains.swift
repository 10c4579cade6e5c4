import Facts
import Pins
import Proxy
import TLS

/// What the servers of pinned hosts really show, for rules that compare.
package struct LiveChains: Sendable {
    /// Hosts that are asked, each once; a linter is run often, and by many.
    private static let limit = 200
    /// Calls at the same time.
    private static let width = 16

    package struct Outcome: Sendable {
        /// By host, leaf first, up to the root where it verifies.
        package var chains: [String: [GenuineCertificate]] = [:]
        /// Hosts that could not be asked, or whose chain does not verify.
        package var problems: [HostProblem] = []
    }

    private let proxy: UpstreamProxy?
    private let ways: [HostName: ServerWay]
    private let trust: TrustStore
    /// By the files with roots that a way names.
    private let ownTrust: [[String]: TrustStore]

    /// - Parameters:
    ///   - proxy: on the way to every host; nil: as its way says.
    ///   - roots: files with roots of servers of one's own.
    ///   - ways: hosts that are not asked as anybody would.
    package init(through proxy: UpstreamProxy?, roots: [String], ways: [HostName: ServerWay] = [:]) throws {
        self.proxy = proxy
        self.ways = ways
        trust = try Self.trust(in: roots)
        var own: [[String]: TrustStore] = [:]
        for way in ways.values where !way.roots.isEmpty && own[way.roots] == nil {
            own[way.roots] = try Self.trust(in: way.roots + roots)
        }
        ownTrust = own
    }

    private static func trust(in files: [String]) throws -> TrustStore {
        var own: [Certificate] = []
        for path in files {
            let bytes = try InputFile.read(path, limit: PinMaterialReader.sizeLimit, "certificates")
            do throws(PinMaterialFault) {
                own += try PinMaterialReader.read(bytes).compactMap(\.certificate)
            } catch {
                throw PinsError(path, error)
            }
        }
        return try TrustStore(systemRoots: true, roots: own)
    }

    private func trust(for host: HostName) -> TrustStore { ways[host].flatMap { ownTrust[$0.roots] } ?? trust }

    /// Hosts that files pin by name, each once.
    package static func hosts(of files: [PinFile]) -> [HostName] {
        var seen: Set<HostName> = []
        return files.flatMap(\.askedHosts).filter { seen.insert($0).inserted }
    }

    package func ask(_ hosts: [HostName]) async -> Outcome {
        var outcome = Outcome()
        if hosts.count > Self.limit {
            outcome.problems.append(
                HostProblem(
                    .notAsked, host: nil, "\(hosts.count) hosts are pinned, and the first \(Self.limit) were asked"))
        }
        var waiting = hosts.prefix(Self.limit).enumerated().makeIterator()
        var answers: [(Int, HostName, ChainProbe.Answer)] = []
        await withTaskGroup(of: (Int, HostName, ChainProbe.Answer).self) { group in
            func start() {
                guard let (index, host) = waiting.next() else { return }
                let way = ways[host]
                let probe = ChainProbe(
                    Endpoint(host, 443), at: way?.place, through: proxy ?? way?.proxy.map { UpstreamProxy($0) },
                    trust: trust(for: host))
                group.addTask { (index, host, await probe.ask()) }
            }
            for _ in 0..<Self.width { start() }
            for await answer in group {
                answers.append(answer)
                start()
            }
        }
        for (_, host, answer) in answers.sorted(by: { $0.0 < $1.0 }) {
            switch answer {
            case .failed(let reason):
                outcome.problems.append(
                    HostProblem(.notAsked, host: host.text, "its server could not be asked: \(reason)"))
            case .chain(let certificates, let refusal):
                if let refusal {
                    outcome.problems.append(
                        HostProblem(.notVerified, host: host.text, "its chain does not verify: \(refusal)"))
                }
                outcome.chains[host.text] = chain(certificates, host, isVerified: refusal == nil)
            }
        }
        return outcome
    }

    private func chain(_ shown: [Certificate], _ host: HostName, isVerified: Bool) -> [GenuineCertificate] {
        guard let leaf = shown.first else { return [] }
        let path = try? trust(for: host).path(from: leaf, among: Array(shown.dropFirst()), for: host)
        let all = isVerified && path?.problem == nil ? path?.certificates ?? shown : shown
        return all.enumerated().map { index, certificate in
            GenuineCertificate(PinnableItem(PinMaterial(certificate), isFirstOfServer: index == 0))
        }
    }
}

extension GenuineCertificate {
    init(_ item: PinnableItem) {
        let part = item.certificate
        self.init(
            item.role == .root ? .root : item.role == .intermediate ? .intermediate : .leaf,
            subject: item.subject ?? "", issuer: part?.issuer ?? "", key: item.key,
            notBefore: part?.notBefore.date ?? CalendarDate(year: 1970, month: 1, day: 1),
            notAfter: part?.notAfter.date ?? CalendarDate(year: 1970, month: 1, day: 1), spkiSHA256: item.spkiSHA256,
            spkiSHA1: item.spkiSHA1, certificateSHA256: part?.sha256 ?? [], certificateSHA1: part?.sha1 ?? [])
    }
}
