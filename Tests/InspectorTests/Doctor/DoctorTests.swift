import Authority
import Facts
import Support
import Testing

@testable import Inspector

@Suite("Doctor")
struct DoctorTests {
    private static let root = LocalCA.Root(sha256: "ab", notBefore: 0, notAfter: 4e9, rootPath: "/u/me/ca/root.pem")

    private func senses(_ answer: ProxyAnswer, ca: LocalCA = .found(root)) -> Doctor.Senses {
        Doctor.Senses(
            now: { 1_780_000_000 }, ask: { _ in answer }, owner: { _ in PortOwner(name: "node", process: 7) },
            ca: { _, _ in ca }, session: { path, _ in .missing(path: path) }, addedRoots: { _ in [] },
            clients: { inquiry in
                TrustClient.all(through: inquiry.proxy, folder: "/f").prefix(1).map { ($0, .notTrusted) }
            }, stores: { _ in RootStores.Found(stores: [], missing: ["x"]) })
    }

    private func examine(_ senses: Doctor.Senses) async throws -> DoctorReport {
        await Doctor(
            Doctor.Options(
                proxy: try #require(Endpoint("127.0.0.1:8080")), ca: .folder("ca"), isCANamed: false,
                store: "/flows.db",
                isStoreNamed: false, environment: ["HOME": "/u/me"]), senses
        ).examine()
    }

    private let about = AboutProxy(version: "0.1.0", ca: .init(sha256: "ab"), time: 1_780_000_000)

    @Test("proxy, CA, clock, clients, shell and session are looked at in this order")
    func order() async throws {
        let report = try await examine(senses(.pinproof(about)))
        #expect(
            report.checks.map(\.id) == [
                "proxy", "ca", "ca-files", "clock", "trust-curl", "trust-absent", "environment", "store",
            ])
        #expect(report.checks[4].todo?.contains("$HOME/ca/root.pem") == true && report.exitStatus == .pass)
    }

    @Test("a program that is no pinproof is asked for nothing more")
    func foreign() async throws {
        var world = senses(.other(server: nil))
        world.clients = { _ in
            Issue.record("clients were sent to a stranger")
            return []
        }
        let report = try await examine(world)
        #expect(report.exitStatus == .fail && report.checks[0].what.hasSuffix("node (process 7)"))
        #expect(report.checks.contains { $0.id == "trust" && $0.status == .skipped })
    }

    @Test("what cannot be read is the status, whatever else is wrong")
    func unreadable() async throws {
        let report = try await examine(
            senses(.nothingListens, ca: .unusable(Explanation("damaged"), isReadable: false)))
        #expect(report.exitStatus == .configuration && report.count(.failed) == 2)
    }

    @Test("a root that is not the proxy's is offered to nobody")
    func otherRoot() async throws {
        var other = about
        other.ca?.sha256 = "cd"
        let report = try await examine(senses(.pinproof(other)))
        #expect(report.checks.first { $0.id == "trust-curl" }?.todo?.contains("pinproof-root.pem") == true)
    }
}
