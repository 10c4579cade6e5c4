import Facts
import Foundation
import Policy
import Proxy
import Testing

@testable import Gate

@Test("the guide sends people to pages that are there", arguments: [true, false], [true, false])
func guidePages(isExposed: Bool, hasCommand: Bool) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let proxy = try #require(Endpoint("127.0.0.1:8080"))
    let guide = Guide(
        proxy: proxy, url: "http://127.0.0.1:8080", ca: "root.pem", isNewCA: true, isExposed: isExposed, run: "r",
        hasCommand: hasCommand)
    let pages = guide.lines.flatMap { $0.split(separator: " ") }.filter { $0.hasSuffix(".md") }
    #expect(pages.isEmpty == hasCommand)
    for page in pages {
        #expect(FileManager.default.fileExists(atPath: root.appending(path: String(page)).path), "\(page)")
    }
}

@Test("the guide tells each client's way, no password among it, and every port that others can reach")
func clientGuide() throws {
    let proxy = try #require(Endpoint("127.0.0.1:8080"))
    let clients = [ClientRule(name: "phone", credentials: .init(user: "p", password: "geheim"))]
    let guide = Guide(
        proxy: proxy, url: "http://127.0.0.1:8080", ca: "/ca/root.pem", isNewCA: false, isExposed: false, run: "/r",
        hasCommand: true, clients: ClientAccess(clients, main: proxy, own: [:]).entries,
        exposedListens: [try #require(Endpoint("0.0.0.0:9"))])
    #expect(guide.lines.contains("client phone: http://p:***@127.0.0.1:8080"))
    #expect(!guide.lines.joined().contains("geheim"))
    #expect(guide.warnings.count == 1 && guide.warnings[0].contains("0.0.0.0:9"))
}

@Test("a proxy that others can reach is a warning, and a new CA is something to do")
func guide() throws {
    let proxy = try #require(Endpoint("0.0.0.0:8080"))
    var guide = Guide(
        proxy: proxy, url: "http://127.0.0.1:8080", ca: "/ca/root.pem", isNewCA: true, isExposed: true, run: "/r",
        hasCommand: true)
    #expect(guide.warnings.count == 1 && !guide.warnings[0].contains("--open"))
    guide.isOpen = true
    #expect(guide.warnings.count == 1 && guide.warnings[0].contains("--open"))
    #expect(guide.lines.contains { $0.contains("PINPROOF_CA") })
    #expect(guide.lines.prefix(2) == ["proxy  http://127.0.0.1:8080", "CA     /ca/root.pem"])
    guide.hasCommand = false
    guide.isExposed = false
    #expect(guide.warnings.isEmpty)
    #expect(guide.lines.contains { $0.contains("adb reverse tcp:8080") })
}

@Test(
    "a device finds the CA and the proxy's address where this machine can be reached, by a code where one can be shown")
func deviceGuide() throws {
    let devices = [Endpoint("10.0.0.7:8080"), Endpoint("192.168.1.5:8080")].compactMap(\.self)
    var guide = Guide(
        proxy: try #require(Endpoint("0.0.0.0:8080")), url: "http://127.0.0.1:8080", ca: "root.pem", isNewCA: false,
        isExposed: true, run: "r", hasCommand: false, devices: devices)
    let plain = guide.lines
    #expect(plain.contains("1. on the device open http://10.0.0.7:8080/ or http://192.168.1.5:8080/"))
    #expect(plain.contains("2. set the device's HTTP proxy to 10.0.0.7 or 192.168.1.5, port 8080"))
    guide.code = GuideCode(columns: 80, hasColour: true)
    #expect(guide.lines.count == plain.count + 17 && guide.lines.contains { $0.hasPrefix("\u{1b}[30;107m") })
    guide.code = GuideCode(columns: 30, hasColour: true)
    #expect(guide.lines == plain)
    // A start of COMMAND is told none of this.
    guide.hasCommand = true
    #expect(guide.lines.count == 3)
}
