import Facts
import Testing

@testable import Pins

@Suite("How servers are asked")
struct DeclaredServersTests {
    typealias S = LintSamples

    private let api: HostName
    private let stage: Endpoint

    init() throws {
        api = try #require(HostName("api.example.com"))
        stage = try #require(Endpoint("127.0.0.1:8443"))
    }

    private func profile(_ servers: DeclaredServers, path: String = "release.yaml", _ host: String = "api.example.com")
        -> PinFile
    {
        var file = S.file([S.host(host, [S.pin(1)], .profile)], [], .profile, path: path)
        file.servers = servers
        return file
    }

    @Test("a profile's word holds for a host that it alone pins, and is told")
    func alone() {
        let found = ServerWays(to: [api], in: [profile(DeclaredServers(places: [api: stage], roots: ["own.pem"]))])
        #expect(found.ways == [api: ServerWay(place: stage, roots: ["own.pem"])])
        #expect(found.notes == ["api.example.com is asked at 127.0.0.1:8443, as release.yaml says"])
    }

    @Test(
        "what another file pins too is asked where everybody finds it, also below a domain", arguments: [false, true])
    func both(below: Bool) {
        let declared = DeclaredServers(
            places: [api: stage], roots: ["own.pem"], proxy: Endpoint("proxy.example.com:3128"))
        let app = S.file([
            below ? S.host("example.com", S.below, [S.pin(2)]) : S.host("api.example.com", .itself, [S.pin(2)])
        ])
        let found = ServerWays(to: [api], in: [profile(declared), app])
        #expect(found.ways.isEmpty)
        #expect(
            found.notes == [
                "api.example.com is asked where everybody finds it, and not as release.yaml says, since res/xml/pins.xml pins "
                    + "it too (--resolve, --roots and --through say how)"
            ])
        // What is typed comes first.
        let typed = ServerWays(to: [api], in: [profile(declared), app], typed: [api: stage])
        #expect(typed.ways == [api: ServerWay(place: stage)] && typed.notes.isEmpty)
    }

    @Test("one profile's roots and proxy are not another one's, and two that say the same agree")
    func profiles() throws {
        let cdn = try #require(HostName("cdn.example.com"))
        let declared = DeclaredServers(roots: ["own.pem"], proxy: Endpoint("proxy.example.com:3128"))
        let other = profile(DeclaredServers(), path: "other.yaml", "cdn.example.com")
        let apart = ServerWays(to: [api, cdn], in: [profile(declared), other])
        #expect(apart.ways.keys.sorted() == [api])
        #expect(apart.notes == ["api.example.com is asked through proxy.example.com:3128, as release.yaml says"])
        let alike = ServerWays(to: [api], in: [profile(declared), profile(declared, path: "debug.yaml")])
        #expect(alike.ways[api]?.roots == ["own.pem"])
        let differing = ServerWays(
            to: [api], in: [profile(declared), profile(DeclaredServers(places: [api: stage]), path: "debug.yaml")])
        #expect(differing.ways.isEmpty)
        #expect(differing.notes.first?.contains("not as release.yaml and debug.yaml say (--resolve") == true)
    }
}
