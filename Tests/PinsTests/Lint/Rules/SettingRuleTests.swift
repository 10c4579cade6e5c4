import Facts
import Testing

@testable import Pins

@Suite("rules of settings")
struct SettingRuleTests {
    typealias S = LintSamples

    @Test(
        "each setting trips its rule with the usual severity, and a file without it does not",
        arguments: [
            (PinSetting.Kind.overridePinsOnSystemAnchors, "L11", LintFinding.Severity.error),
            (.overridePins, "L11", .note), (.userAnchors, "L12", .warning), (.nameCheckOff, "L15", .error),
            (.chainCheckOff, "L15", .error), (.debuggable, "L16", .warning), (.arbitraryLoads, "L17", .warning),
            (.arbitraryLoadsInPart, "L17", .warning),
            (.validatorNotWired, "L21", .warning), (.localAnchorExemption, "L22", .note),
            (.hardCodedKeyHeader, "L23", .warning), (.errorPathOnly, "L25", .warning),
            (.overridesSDKPins, "L34", .warning), (.sessionWithoutDelegate, "L35", .warning),
            (.trustsEverything, "L36", .error),
        ])
    func setting(_ kind: PinSetting.Kind, _ id: String, _ severity: LintFinding.Severity) throws {
        let file = S.file([S.good()], [PinSetting(kind, line: 42, "the words of line 42")])
        let found = try #require(S.found(id, file))
        #expect(found.severity == severity && found.line == 42 && found.text.hasPrefix("the words of line 42: "))
        #expect(!found.fix.isEmpty)
        #expect(S.findings([S.file([S.good()])]).isEmpty)
    }

    @Test("every kind of setting is some rule's")
    func complete() {
        for kind in PinSetting.Kind.allCases {
            let file = S.file([S.good()], [PinSetting(kind, host: "api.example.com", line: 4, "x")])
            #expect(!S.findings([file]).isEmpty, "\(kind)")
        }
    }

    @Test(
        "a debug build may have what a release may not",
        arguments: [
            "app/src/debug/res/xml/pins.xml", "Info-Debug.plist", "src/androidTest/AndroidManifest.xml",
            "res/xml/network_security_config_debug.xml", "Config/Debug/Info.plist",
        ])
    func debugFiles(_ path: String) {
        let settings: [PinSetting] = [
            PinSetting(.userAnchors, line: 1, "a"), PinSetting(.debuggable, line: 2, "b"),
            PinSetting(.arbitraryLoads, line: 3, "c"), PinSetting(.overridePinsOnSystemAnchors, line: 4, "d"),
        ]
        #expect(S.findings([S.file([S.good()], settings, path: path)]).isEmpty)
        let others = [
            "app/src/main/res/xml/pins.xml", "/tmp/test/debug-1/a.xml", "L16-debuggable.xml", "debug-overrides.xml",
        ]
        for path in others { #expect(S.findings([S.file([S.good()], settings, path: path)]).count == 4, "\(path)") }
    }

    @Test("L11, L12: what a user's CA reads depends on the entry that it stands in")
    func userAnchors() {
        func texts(_ host: String?, overrides: Bool) -> [String] {
            let kinds: [PinSetting.Kind] = overrides ? [.userAnchors, .overridePins] : [.userAnchors]
            let settings = kinds.map { PinSetting($0, host: host, line: 6, "<certificates src=\"user\">") }
            return S.findings([S.file([S.good()], settings)]).filter { ["L11", "L12"].contains($0.rule.id) }.map(\.text)
        }
        let inSpite = texts("api.example.com", overrides: true)
        #expect(inSpite.count == 2 && inSpite[0].contains("somebody installs on the device passes without"))
        #expect(inSpite[1].hasSuffix("can read its traffic in spite of its pins"))
        #expect(texts("api.example.com", overrides: false)[0].contains("its pins alone keep others"))
        #expect(texts("img.example.com", overrides: false)[0].contains("it has no pins"))
        #expect(texts(nil, overrides: false)[0].hasSuffix("every host that has no pins"))
        #expect(texts(nil, overrides: true)[1].hasSuffix("in spite of pins"))
    }

    @Test("L12: an app for old systems trusts them without saying so")
    func userAnchorsByDefault() {
        let file = S.file(
            [], [PinSetting(.userAnchorsByDefault, line: 4, "android:targetSdkVersion=\"23\"")], .androidManifest)
        let found = S.found("L12", file)
        #expect(found?.severity == .warning && found?.line == 4 && found?.fix.contains("API level 24") == true)
    }

    @Test("L21: a call of the validator in another file counts for TrustKit, and for nobody else")
    func validatorElsewhere() {
        func file(_ format: PinFormat) -> PinFile {
            S.file([S.good(format)], [PinSetting(.validatorNotWired, line: 4, "x")], format, path: "Pins.swift")
        }
        var delegate = S.file([], [], .source, path: "Delegate.swift")
        func isFound(_ format: PinFormat) -> Bool {
            S.findings([file(format), delegate]).contains { $0.rule.id == "L21" }
        }
        #expect(isFound(.trustKit))
        delegate.callsValidator = true
        #expect(!isFound(.trustKit) && isFound(.okHttp))
    }

    @Test("L13: clear text counts for a pinned host, and for no other")
    func clearText() {
        func file(_ host: String?, below: Bool = false, _ format: PinFormat = .androidNSC) -> PinFile {
            S.file(
                [S.good(format)], [PinSetting(.clearText, host: host, coversSubdomains: below, line: 6, "cleartext")],
                format)
        }
        #expect(S.found("L13", file("api.example.com"))?.severity == .warning)
        #expect(S.found("L13", file("img.example.com")) == nil)
        #expect(S.found("L13", file("example.com", below: true)) == nil)
        let below = S.found("L13", file("example.com", below: true, .appleATS))
        #expect(below?.host == "api.example.com")
        #expect(below?.text.contains("for example.com: api.example.com is pinned, and may be reached without") == true)
        #expect(S.found("L13", file(nil)) == nil)
    }

    @Test("L13: a base config that allows clear text counts for hosts that only OkHttp pins")
    func clearTextForOkHttp() {
        let base = S.file([], [PinSetting(.clearText, line: 2, "cleartextTrafficPermitted=\"true\"")])
        let client = S.file([S.good(.okHttp)], [], .okHttp, path: "Client.kt")
        #expect(S.findings([base, client]).filter { $0.rule.id == "L13" }.map(\.line) == [2])
        let named = S.file([S.host("api.example.com", .itself, [])], base.settings)
        #expect(!S.findings([named, client]).contains { $0.rule.id == "L13" })
        let manifest = S.file(
            [], [PinSetting(.clearText, line: 8, "usesCleartextTraffic")], .androidManifest, path: "AndroidManifest.xml"
        )
        #expect(S.findings([manifest, client]).contains { $0.rule.id == "L13" })
        #expect(!S.findings([manifest, named, client]).contains { $0.rule.id == "L13" })
    }

    @Test("L14: reports only, unless in a debug file")
    func reportOnly() {
        let host = S.host("api.example.com", .itself, [S.pin(1), S.pin(2)], isEnforced: false, .trustKit)
        #expect(S.found("L14", S.file([host], [], .trustKit))?.severity == .warning)
        #expect(S.found("L14", S.file([host], [], .trustKit, path: "Config/Debug/TrustKit.plist")) == nil)
        #expect(S.found("L14", S.file([S.good(.trustKit)], [], .trustKit)) == nil)
    }

    @Test("L15: one word that switches both checks off is one finding")
    func bothChecks() {
        let both = [PinSetting.Kind.nameCheckOff, .chainCheckOff].map { PinSetting($0, line: 3, "--insecure") }
        let found = S.findings([S.file([S.good(.curl)], both, .curl)]).filter { $0.rule.id == "L15" }
        #expect(found.count == 1 && found.first?.text.hasPrefix("--insecure: neither chain nor name") == true)
    }

    @Test("L16: what is known of the artefact counts where no manifest is among the files")
    func debuggable() {
        let built = LintSituation(today: S.today, isDebuggable: true)
        #expect(S.found("L16", S.file([S.good()]), built)?.line == 1)
        let manifest = S.file([], [PinSetting(.debuggable, line: 5, "android:debuggable=\"true\"")], .androidManifest)
        #expect(S.findings([manifest], built).filter { $0.rule.id == "L16" }.map(\.line) == [5])
        let apple = S.found("L16", S.file([S.good(.appleATS)], [], .appleATS), built)
        #expect(apple?.fix.contains("distribution profile") == true && apple?.text.contains("debugger") == true)
    }

    @Test("L17: what holds for web views or media alone is not told of every connection")
    func arbitraryLoadsInPart() throws {
        for (key, words) in [
            ("NSAllowsArbitraryLoadsInWebContent", "what web views load"), ("NSAllowsArbitraryLoadsForMedia", "media"),
        ] {
            let file = S.file([S.good(.appleATS)], [PinSetting(.arbitraryLoadsInPart, line: 6, key)], .appleATS)
            let found = try #require(S.found("L17", file))
            #expect(found.severity == .warning && found.text.contains(words) && !found.text.contains("every host"))
        }
    }

    @Test("L17: an exception counts for a pinned host only")
    func exceptions() {
        func file(_ host: String, below: Bool = false) -> PinFile {
            let setting = PinSetting(.arbitraryLoads, host: host, coversSubdomains: below, line: 6, "NSException…")
            return S.file([S.good(.appleATS)], [setting], .appleATS)
        }
        #expect(S.found("L17", file("api.example.com")) != nil)
        #expect(S.found("L17", file("api.example.com"))?.text.contains(": the host is pinned, and") == true)
        let below = S.found("L17", file("example.com", below: true))
        #expect(below?.host == "api.example.com" && below?.text.contains(": api.example.com is pinned, and") == true)
        #expect(S.found("L17", file("example.com")) == nil)
        #expect(S.found("L17", file("ads.example.net")) == nil)
    }
}
