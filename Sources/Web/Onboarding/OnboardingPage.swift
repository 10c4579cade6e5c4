import Authority
import Evidence
import Facts
import Formats
import Loop
import Proxy
import Wire

/// The page that sets a device up: its platform first, and the address that it came to.
final class OnboardingPage: Sendable {
    private let onboarding: Onboarding
    /// What it is put together from, by the files' names; what is the same for everybody is filled in. Empty until
    /// somebody asks: no start waits for a page that few of its runs show.
    private let parts = Locked<[String: Template]>([:])
    private let made = Locked<[Look: [UInt8]]>([:])

    static let htmlType = "text/html; charset=utf-8"

    /// Pages that are kept, as a loop waits while one is made: some platforms at some addresses.
    private static let keptLimit = 32

    /// In what the pages of two visitors may differ.
    private struct Look: Hashable, Sendable {
        var platform: Platform?
        var isThroughProxy: Bool
        var local: Endpoint
        var devices: [Endpoint]
    }

    init(_ onboarding: Onboarding) { self.onboarding = onboarding }

    func answer(_ visit: OwnSite.Visit) -> SiteAnswer {
        let look = Look(
            platform: Platform(userAgent: visit.request.userAgent),
            isThroughProxy: visit.request.host?.text == OwnSite.name, local: visit.local,
            devices: onboarding.devices(visit.local))
        let kept = made.withLock { $0[look] }
        let bytes = kept ?? Array(page(look).text.utf8)
        if kept == nil {
            made.withLock { made in
                if made.count >= Self.keptLimit { made = [:] }
                made[look] = bytes
            }
        }
        return SiteAnswer(type: Self.htmlType, bytes).with("Vary", "User-Agent")
    }

    /// What belongs to the page.
    func asset(_ path: String) -> SiteAnswer? {
        let names = ["onboarding.css", "onboarding.js", "icon.svg"]
        guard let name = names.first(where: { "/" + $0 == path }), let file = PageFiles.file(at: ["assets", name])
        else { return nil }
        return SiteAnswer(type: file.type, file.bytes)
    }

    // MARK: Parts

    private func page(_ look: Look) -> Template {
        let others = Platform.allCases.filter { $0 != look.platform }
        let steps = ([look.platform].compactMap(\.self) + others).map { platform in
            part(platform.file).filling(text: ["open": platform == look.platform ? " open" : ""])
        }
        let local = look.local
        return part("onboarding.html")
            .filling([
                "set-up": part(look.isThroughProxy ? "onboarding-proxied.html" : "onboarding-proxy.html"),
                "check-part": check, "platforms": .lines(steps), "phone": phone(look.devices),
            ])
            .filling(text: ["host": local.host.text, "port": String(local.port), "proxy": local.description])
    }

    /// A CA for some hosts alone cannot sign for the check.
    private var check: Template {
        let scope = onboarding.root.scope
        guard let host = scope.first else { return part("onboarding-check.html") }
        return part("onboarding-scope.html").filling(text: ["scope": English.list(scope), "one": host])
    }

    private func phone(_ devices: [Endpoint]) -> Template {
        guard let first = devices.first, let code = QRCode("http://\(first)/") else {
            return part("onboarding-alone.html")
        }
        let links = devices.map { "<a href=\"http://\($0)/\">http://\($0)/</a>" }
        return part("onboarding-phone.html")
            .filling([
                "code": Template(code.svg(label: "QR code of http://\(first)/")),
                "links": Template(English.list(links, "or")),
            ])
    }

    private func part(_ name: String) -> Template {
        parts.withLock { parts in
            if parts.isEmpty { parts = allParts }
            return parts[name] ?? Template("")
        }
    }

    private var allParts: [String: Template] {
        let root = onboarding.root
        let always = [
            "version": Version.pinproof, "site": "http://\(OwnSite.name)/", "check": "https://\(OwnSite.checkName)/",
            "name": root.name, "sha256": Self.grouped(root.sha256), "ca": root.sha256,
            "since": UTCTime(unix: root.notBefore).rfc3339, "until": UTCTime(unix: root.notAfter).rfc3339,
            "android": root.androidFileName, "config": Self.networkSecurityConfig,
        ]
        return Dictionary(
            uniqueKeysWithValues: PageFiles.parts.map { ($0.name, Template($0.text).filling(text: always)) })
    }

    /// `12 34 …`, as devices show it.
    private static func grouped(_ hex: String) -> String {
        let digits = Array(hex.uppercased())
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<min($0 + 2, digits.count)]) }
            .joined(separator: " ")
    }

    // MARK: Texts

    /// What a debug build of an Android app needs to trust the CAs that its user has installed.
    static let networkSecurityConfig = """
        <?xml version="1.0" encoding="utf-8"?>
        <network-security-config>
            <debug-overrides>
                <trust-anchors>
                    <certificates src="user" />
                    <certificates src="system" />
                </trust-anchors>
            </debug-overrides>
        </network-security-config>

        """

    /// What a browser shows that has opened the check by itself.
    static let trusted = """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><title>pinproof</title>
        <h1>This device trusts the CA</h1>
        <p>The page came over a certificate that pinproof has just made. Apps that have a list of their own, or a pin, may \
        refuse it all the same.</p>
        <p><a href="http://\(OwnSite.name)/">How to trust it elsewhere</a></p></html>

        """
}
