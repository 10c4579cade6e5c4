import Facts
import Loop
import Pins
import Support
import TLS
import Testing

@testable import PinTools

@Suite("Sources of pins")
struct PinsSessionTests {
    @Test(
        "what is typed is a server, unless it is a file or looks like one",
        arguments: [
            ("api.example.com", "api.example.com:443"), ("api.example.com:8443", "api.example.com:8443"),
            ("https://api.example.com/path?x", "api.example.com:443"), ("192.0.2.1", "192.0.2.1:443"),
            ("[::1]:8443", "[::1]:8443"), ("localhost", "localhost:443"),
        ])
    func server(_ text: String, _ endpoint: String) throws {
        #expect(try PinsSession.source(text) == .server(try #require(Endpoint(endpoint))))
    }

    @Test("a profile says how its servers are asked")
    func servers() throws {
        let folder = try TemporaryFolder()
        let text = """
            version: 1
            hosts: { api.example.com: { expect: refuse } }
            resolve: { api.example.com: "127.0.0.1:8443", cdn.example.com: 192.0.2.1 }
            upstream: { proxy: "proxy.example.com:3128" }

            """
        let files = try PinFileSource.read([try folder.write("one.yaml", text.utf8)])
        let servers = try #require(files.first?.servers)
        let (api, cdn) = (try #require(HostName("api.example.com")), try #require(HostName("cdn.example.com")))
        #expect(servers.places[api]?.description == "127.0.0.1:8443")
        #expect(servers.places[cdn]?.description == "192.0.2.1:443")
        #expect(servers.proxy?.description == "proxy.example.com:3128" && servers.roots.isEmpty)
        #expect(LiveChains.hosts(of: files + files) == [api])
    }

    @Test(
        "a file that is not there is told of as a file", arguments: ["chain.pem", "./api", "keys/a.b", "a.p12", "a b"])
    func missing(_ text: String) {
        #expect(throws: PinsError.self) { try PinsSession.source(text) }
    }

    @Test(
        "a wildcard and an international name are told what to do",
        arguments: [
            ("*.example.com", "a wildcard is no server: name one that it stands for, such as www.example.com"),
            ("**.example.com", "such as www.example.com"), ("b\u{fc}cher.example", "xn--"),
        ])
    func unusual(_ text: String, _ hint: String) throws {
        #expect(HostHints.hint(for: text)?.contains(hint) == true)
        do {
            _ = try PinsSession.source(text)
            Issue.record("it is a source")
        } catch let error as PinsError {
            #expect(error.explanations.flatMap(\.hints).contains { $0.contains(hint) })
        }
        #expect(HostHints.hint(for: "*") == nil && HostHints.hint(for: "a b") == nil)
    }

    @Test("a pipe by its name is refused before it is waited for, and the shell's own are read")
    func pipes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        _ = try await Command.run("/usr/bin/mkfifo", [path])
        for source in [path, "/dev/zero"] {
            #expect(
                throws: PinsError(
                    .data, "\(source): it is a pipe, a socket or a device, and no regular file",
                    hints: ["let the shell open it, and name - in its place: - < \(source)"])
            ) { try InputFile.read(source, limit: 100, "a test") }
        }
        #expect(throws: PinsError.self) { try ArchiveFile(path) }
        let file = try folder.write("a", [1, 2, 3])
        #expect(try InputFile.read(file, limit: 100, "a test") == [1, 2, 3])
        #expect(throws: FileError.self) { try InputFile.read(folder.path + "/none", limit: 100, "a test") }
    }

    @Test("what cannot be written names the command's own option")
    func output() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a", [1])
        do {
            _ = try BackupSession([try #require(HostName("a.test"))], into: file + "/keys").run()
            Issue.record("it was written")
        } catch let error as PinsError {
            #expect(error.cause == .environment)
            #expect(
                error.explanations.first?.hints == ["name a place that can be written to: pins backup --out DIR"])
        }
    }

    @Test("what is there is a file, whatever it is called; - is standard input")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("api.example.com", [1])
        #expect(try PinsSession.source(path) == .file(path))
        #expect(try PinsSession.source("-") == .file("-"))
    }
}

@Suite("Chains of files")
struct FileChainTests {
    @Test("a root by itself is a chain, and two strangers are none")
    func chains() throws {
        let one = try CertificateAuthority.general(now: 1_800_000_000).root
        let other = try CertificateAuthority.general(now: 1_800_000_000).root
        #expect(FileChain([one]).whyNot(endsPublic: false) == nil)
        #expect(FileChain([one]).path == [one])
        #expect(FileChain([one, other]).whyNot(endsPublic: false)?.contains("is no part of the chain") == true)
        #expect(FileChain([one, other]).whyNot(endsPublic: true) != nil)
    }

    @Test("a chain ends in a root, its own or one of the system's, however long it is")
    func ends() throws {
        let chain = try Chain()
        for part in [[chain.leaf], [chain.leaf, chain.middle], [chain.middle, chain.leaf]] {
            let found = FileChain(part)
            #expect(found.path.count == part.count && found.whyNot(endsPublic: true) == nil)
            let why = try #require(found.whyNot(endsPublic: false))
            #expect(why.contains("is neither in the file nor one of this system's roots"))
            #expect(why.contains(part.count == 1 ? "CN=middle," : "CN=root,"))
        }
        #expect(FileChain([chain.root, chain.leaf, chain.middle]).whyNot(endsPublic: false) == nil)
        #expect(FileChain([chain.leaf, chain.root]).whyNot(endsPublic: false)?.contains("CN=root") == true)
    }
}

@Suite("Warnings before pins are taken")
struct PinsWarningsTests {
    private func warnings(_ certificates: [Certificate], for host: String) throws -> [DerivedPins.Warning.ID] {
        let host = try #require(HostName(host))
        let path = try TrustStore(systemRoots: false, roots: []).path(
            from: certificates[0], among: Array(certificates.dropFirst()), for: host)
        let pins = DerivedPins(
            source: "a", isVerified: false, whyNot: path.problem, isPublicRoot: false,
            items: certificates.map { PinnableItem(PinMaterial($0)) })
        return PinsWarnings.chain(of: pins, path, certificates, for: host).map(\.id)
    }

    @Test("a wrong name is told of beside an unknown issuer")
    func nameAndIssuer() throws {
        let chain = try Chain()
        #expect(
            try warnings([chain.leaf], for: "b.test") == [
                .nameMismatch, .incompleteChain, .notVerified, .notPublicRoot,
            ])
        #expect(try warnings([chain.leaf], for: "a.test") == [.incompleteChain, .notVerified, .notPublicRoot])
    }

    @Test("a server's certificate without a name in its SAN is told of, and no other")
    func noServerName() throws {
        let chain = try Chain()
        #expect(PinsWarnings.names([chain.leaf, chain.address]).isEmpty)
        #expect(PinsWarnings.names([chain.nameless]).map(\.id) == [.noServerName])
        #expect(PinsWarnings.names([chain.client]).isEmpty)
    }
}
