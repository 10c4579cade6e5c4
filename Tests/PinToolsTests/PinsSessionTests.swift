import Facts
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

    @Test(
        "a file that is not there is told of as a file", arguments: ["chain.pem", "./api", "keys/a.b", "a.p12", "a b"])
    func missing(_ text: String) {
        #expect(throws: PinsError.self) { try PinsSession.source(text) }
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
        #expect(FileChain([one]).whyNot == nil)
        #expect(FileChain([one]).path == [one])
        #expect(FileChain([one, other]).whyNot?.contains("is no part of the chain") == true)
    }
}
