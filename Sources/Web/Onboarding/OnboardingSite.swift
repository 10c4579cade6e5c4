import Authority
import Evidence
import Facts
import Loop
import Proxy
import Wire

/// What the proxy answers itself: the page that sets devices up, files, the check.
///
/// Everybody who reaches the proxy may ask for it: it says what a handshake would show anyway, and never a flow.
package struct OnboardingSite: Sendable {
    private let root: Onboarding.Root
    private let page: OnboardingPage
    /// Unix seconds.
    private let now: @Sendable () -> Double

    package init(_ onboarding: Onboarding, now: @escaping @Sendable () -> Double = { WallClock.now }) {
        root = onboarding.root
        page = OnboardingPage(onboarding)
        self.now = now
    }

    package var site: OwnSite { OwnSite { answer($0) } }

    func answer(_ visit: OwnSite.Visit) -> SiteAnswer {
        let request = visit.request
        let isCheck = request.host?.text == OwnSite.checkName
        guard request.method == "GET" || request.method == "HEAD" else {
            return safe(Self.text(.methodNotAllowed, "this is asked for with GET").with("Allow", "GET, HEAD"))
        }
        guard let found = isCheck ? check(visit) : file(visit) else {
            let hint = isCheck ? "the check is https://\(OwnSite.checkName)/" : "the page is http://\(OwnSite.name)/"
            return safe(Self.text(.notFound, "there is no such page here; \(hint)"))
        }
        return safe(found)
    }

    // MARK: Answers

    private func file(_ visit: OwnSite.Visit) -> SiteAnswer? {
        switch visit.request.path {
        case "/", "": page.answer(visit)
        case "/about.json": Self.open(about)
        case "/ca.pem": Self.download(type: "application/x-pem-file", root.pem, name: "pinproof-root.pem")
        // Without a name for saving: Firefox asks whether it is to trust it.
        case "/ca.der", "/ca.crt", "/ca.cer": SiteAnswer(type: "application/x-x509-ca-cert", root.der)
        case "/pinproof.mobileconfig":
            SiteAnswer(type: "application/x-apple-aspen-config", Array(root.mobileConfig.utf8))
        case "/" + root.androidFileName:
            Self.download(type: "application/octet-stream", root.pem, name: root.androidFileName)
        case "/network_security_config.xml":
            Self.download(
                type: "text/xml; charset=utf-8", OnboardingPage.networkSecurityConfig,
                name: "network_security_config.xml")
        default: page.asset(visit.request.path)
        }
    }

    /// Who reads this has finished a handshake under a certificate of the CA, and so trusts it.
    private func check(_ visit: OwnSite.Visit) -> SiteAnswer? {
        guard visit.isChecked, ["/", ""].contains(visit.request.path) else { return nil }
        if visit.request.accept.contains("text/html") {
            return Self.open(SiteAnswer(type: OnboardingPage.htmlType, Array(OnboardingPage.trusted.utf8)))
                .with("Vary", "Accept")
        }
        var json = JSONWriter()
        json.beginObject()
        json.field("trusted", true)
        json.field("pinproof", Version.pinproof)
        json.field("time", Int(now()))
        json.endObject()
        return Self.open(SiteAnswer(type: "application/json", json.bytes)).with("Vary", "Accept")
    }

    private var about: SiteAnswer {
        var json = JSONWriter()
        json.beginObject()
        json.field("pinproof", Version.pinproof)
        json.key("ca")
        json.beginObject()
        json.field("name", root.name)
        json.field("sha256", root.sha256)
        json.field("not_before", UTCTime(unix: root.notBefore).rfc3339)
        json.field("not_after", UTCTime(unix: root.notAfter).rfc3339)
        json.endObject()
        json.field("time", Int(now()))
        json.endObject()
        return SiteAnswer(type: "application/json", json.bytes)
    }

    // MARK: Fields

    private static func text(_ status: SiteAnswer.Status, _ words: String) -> SiteAnswer {
        SiteAnswer(status, type: "text/plain; charset=utf-8", Array("pinproof: \(words)\n".utf8))
    }

    private static func download(type: String, _ text: String, name: String) -> SiteAnswer {
        SiteAnswer(type: type, Array(text.utf8)).with("Content-Disposition", "attachment; filename=\"\(name)\"")
    }

    /// The page asks for it from the proxy's own address, which is another origin.
    private static func open(_ answer: SiteAnswer) -> SiteAnswer {
        answer.with("Access-Control-Allow-Origin", "*").with("Cross-Origin-Resource-Policy", "cross-origin")
    }

    private func safe(_ answer: SiteAnswer) -> SiteAnswer {
        answer.with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff")
            .with("Referrer-Policy", "no-referrer").with("X-Frame-Options", "DENY")
            .with("Content-Security-Policy", Self.policy)
    }

    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
        connect-src 'self' http://\(OwnSite.name) https://\(OwnSite.checkName); \
        form-action 'none'; base-uri 'none'; frame-ancestors 'none'
        """
}
