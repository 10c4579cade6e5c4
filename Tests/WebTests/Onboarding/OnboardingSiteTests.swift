import Authority
import Facts
import Foundation
import Inspector
import Proxy
import Testing
import Wire

@testable import Web

@Suite("The onboarding page")
struct OnboardingSiteTests {
    private let root = Onboarding.Root(
        name: "root <a> & \"b\"", sha256: String(repeating: "ab", count: 32), notBefore: 1_767_225_600,
        notAfter: 1_798_761_600, pem: "PEM\n", der: [0x30, 0x00, 0xff], mobileConfig: "<plist/>",
        androidFileName: "0123abcd.0", scope: [])
    private let devices: [Endpoint] = [Endpoint("192.168.1.5:8080"), Endpoint("10.0.0.7:8080")].compactMap(\.self)

    private func site(_ devices: [Endpoint] = [], scope: [String] = []) -> OnboardingSite {
        var root = root
        root.scope = scope
        return OnboardingSite(Onboarding(root: root, devices: { _ in devices }), now: { 1_767_300_000.7 })
    }

    private func ask(
        _ path: String, method: String = "GET", host: String = "pinproof.test", accept: String = "",
        agent: String = "", isChecked: Bool = false, devices: [Endpoint] = [], scope: [String] = []
    ) throws -> SiteAnswer {
        site(devices, scope: scope).answer(
            OwnSite.Visit(
                request: SiteRequest(
                    method: method, path: path, host: HostName(host), accept: accept, userAgent: agent),
                isChecked: isChecked, local: try #require(Endpoint("127.0.0.1:8080"))))
    }

    private func text(_ answer: SiteAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    private func field(_ answer: SiteAnswer, _ name: String) -> String? {
        answer.fields.first { $0.name == name }?.value
    }

    @Test(
        "each form of the CA has its type, and never a key",
        arguments: [
            ("/ca.pem", "application/x-pem-file", "PEM\n"), ("/0123abcd.0", "application/octet-stream", "PEM\n"),
            ("/pinproof.mobileconfig", "application/x-apple-aspen-config", "<plist/>"),
        ])
    func files(path: String, type: String, content: String) throws {
        let answer = try ask(path)
        #expect(answer.status == .ok && answer.type == type && text(answer) == content)
    }

    @Test("DER is what browsers and Android's settings take, without a name for saving")
    func der() throws {
        for path in ["/ca.der", "/ca.crt", "/ca.cer"] {
            let answer = try ask(path)
            #expect(answer.type == "application/x-x509-ca-cert" && answer.body == root.der)
            #expect(field(answer, "Content-Disposition") == nil)
        }
        #expect(try text(ask("/network_security_config.xml")).contains("<debug-overrides>"))
    }

    @Test("about.json says who answers, with which CA, and what time it is")
    func about() throws {
        let answer = try ask("/about.json")
        #expect(answer.type == "application/json" && field(answer, "Access-Control-Allow-Origin") == "*")
        #expect(field(answer, "Cache-Control") == "no-store")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        #expect(Set(json.keys) == ["pinproof", "ca", "time"] && json["time"] as? Int == 1_767_300_000)
        let ca = try #require(json["ca"] as? [String: String])
        #expect(
            ca == [
                "name": root.name, "sha256": root.sha256, "not_before": "2026-01-01T00:00:00Z",
                "not_after": "2027-01-01T00:00:00Z",
            ])
    }

    @Test("the check says that it is trusted to who has shaken hands, and nothing in the clear")
    func check() throws {
        let answer = try ask("/", host: "check.pinproof.test", accept: "*/*", isChecked: true)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        #expect(json["trusted"] as? Bool == true && json["time"] as? Int == 1_767_300_000 && json.count == 3)
        #expect(field(answer, "Access-Control-Allow-Origin") == "*" && field(answer, "Cache-Control") == "no-store")
        let page = try ask("/", host: "check.pinproof.test", accept: "text/html,*/*", isChecked: true)
        #expect(page.type.hasPrefix("text/html") && text(page).contains("trusts the CA"))
        #expect(try ask("/", host: "check.pinproof.test").status == .notFound)
        #expect(try ask("/ca.pem", host: "check.pinproof.test", isChecked: true).status == .notFound)
    }

    @Test("nothing else is here: no API, no file of the page, no other method")
    func others() throws {
        let paths = [
            "/api/status", "/api/flows", "/assets/main.js", "/main.js", "/index.html", "/onboarding.html",
            "/../ca.pem", "/ca/root.key", "/?token=x", "*", "",
        ]
        for path in paths where path != "" { #expect(try ask(path).status == .notFound, "\(path)") }
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let answer = try ask("/", method: method)
            #expect(answer.status == .methodNotAllowed && field(answer, "Allow") == "GET, HEAD")
        }
    }

    @Test("every answer is safe: nothing inline, from nowhere else, and the check may be asked")
    func safety() throws {
        for path in ["/", "/about.json", "/ca.pem", "/none", "/onboarding.js"] {
            let policy = try #require(field(try ask(path), "Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            #expect(policy.contains("connect-src 'self' http://pinproof.test https://check.pinproof.test;"))
        }
    }

    @Test("what belongs to the page is there, and nothing in it is inline")
    func page() throws {
        let html = text(try ask("/", devices: devices))
        for name in ["/onboarding.css", "/onboarding.js", "/icon.svg"] {
            #expect(html.contains("\"\(name)\""))
            #expect(try ask(name).status == .ok)
        }
        #expect(!html.contains("{{") && !html.contains("style=") && !html.contains("onclick"))
        #expect(html.contains("root &lt;a&gt; &amp; &quot;b&quot;") && !html.contains("<a> &"))
        #expect(html.contains("AB AB AB") && html.contains("2027-01-01T00:00:00Z"))
        for platform in Platform.allCases { #expect(html.contains("id=\"\(platform.rawValue)\""), "\(platform)") }
    }

    @Test("a phone's code and all addresses, or how to let a phone in")
    func phones() throws {
        let html = text(try ask("/", devices: devices))
        #expect(html.contains("<svg ") && html.contains("QR code of http://192.168.1.5:8080/"))
        #expect(html.contains("<a href=\"http://10.0.0.7:8080/\">"))
        let alone = text(try ask("/"))
        #expect(!alone.contains("<svg ") && alone.contains("pinproof proxy --listen 0.0.0.0:8080"))
    }

    @Test(
        "the visitor's own platform is first, and open",
        arguments: [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)", "ios"),
            ("Mozilla/5.0 (Linux; Android 14; Pixel 8)", "android"),
            ("Mozilla/5.0 (Windows NT 10.0)", "windows"), ("Mozilla/5.0 (Macintosh; Intel Mac OS X)", "macos"),
            ("Mozilla/5.0 (X11; Linux x86_64)", "linux"),
        ])
    func platforms(agent: String, first: String) throws {
        let html = text(try ask("/", agent: agent))
        let opened = html.components(separatedBy: "<details").dropFirst()
        #expect(opened.first?.hasPrefix(" open id=\"\(first)\"") == true)
        #expect(opened.dropFirst().allSatisfy { $0.hasPrefix(" id=") } && opened.count == Platform.allCases.count)
        #expect(!text(try ask("/", agent: "curl/8.0")).contains("<details open"))
    }

    @Test("through the proxy it says so; at the proxy's own address, how to set it")
    func proxied() throws {
        #expect(text(try ask("/")).contains("This browser uses the proxy"))
        #expect(text(try ask("/", host: "127.0.0.1")).contains("Set the proxy for HTTP"))
    }

    @Test("a CA for some hosts alone cannot sign for the check, and says so")
    func scope() throws {
        let html = text(try ask("/", scope: ["api.example.test"]))
        #expect(html.contains("signs for api.example.test") && !html.contains("id=\"check\""))
    }
}
