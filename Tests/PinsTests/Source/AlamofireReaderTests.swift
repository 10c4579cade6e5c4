import Testing

@testable import Pins

@Suite("Alamofire and AFNetworking in source code")
struct AlamofireReaderTests {
    @Test("each evaluator, its flags, and hosts that are not named")
    func evaluators() throws {
        let source = """
            final class Net {
                static let host = "api.example.com"
                let session: Session = {
                    let evaluators: [String: ServerTrustEvaluating] = [
                        Net.host: PinnedCertificatesTrustEvaluator(certificates: [Certificates.leaf], validateHost: true),
                        "cdn.example.com": PublicKeysTrustEvaluator(performDefaultValidation: false, validateHost: false),
                        "dev.example.com": DisabledTrustEvaluator(),
                        "c.example.com": CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), .publicKeys]),
                        "d.example.com": DefaultTrustEvaluator(),
                        UrlConstants.other: MyEvaluator(),
                    ]
                    let manager = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
                    return Session(configuration: .default, serverTrustManager: manager)
                }()
            }
            """
        let file = try SourceFixture.file(source, "Net.swift", .alamofire)
        #expect(
            SourceFixture.shown(file) == [
                "5 api.example.com: ?", "6 cdn.example.com: ?", "7 dev.example.com: unpinned", "8 c.example.com: ?",
                "9 d.example.com: unpinned", "10 ?: ?",
            ])
        #expect(
            SourceFixture.settings([file].compactMap { $0 }) == [
                "6 nameCheckOff cdn.example.com", "6 chainCheckOff cdn.example.com",
                "7 trustsEverything dev.example.com", "7 chainCheckOff dev.example.com",
            ])
        #expect(SourceFixture.notes(file).contains("5 certificate-pins") && file?.notes.first?.id == .otherHosts)
    }

    @Test("by default hosts that are not named are refused: no note")
    func all() throws {
        let source = "let m = ServerTrustManager(evaluators: [\"a.example.com\": PublicKeysTrustEvaluator()])"
        #expect(try SourceFixture.file(source, "A.swift", .alamofire)?.notes.map(\.id) == [.unresolved])
    }

    @Test(
        "a key that is no host is compared with none",
        arguments: ["*.example.com", "https://example.com", "example.com/path", "example.com:443"])
    func keys(_ key: String) throws {
        let file = try SourceFixture.file(
            "let m = ServerTrustManager(evaluators: [\"\(key)\": PublicKeysTrustEvaluator()])", "A.swift", .alamofire)
        #expect(file?.hosts.first?.domain == "example.com" && file?.hosts.first?.reach == [])
        #expect(file?.notes.contains { $0.id == .neverMatches } == true)
    }

    @Test("a key that stands twice ends a Swift app")
    func twice() {
        let source =
            "let m = ServerTrustManager(evaluators: [\n\"a.com\": PublicKeysTrustEvaluator(),\n\"a.com\": DefaultTrustEvaluator()])"
        let fault = #expect(throws: PinFileFault.self) { try SourceFixture.read(source, "A.swift") }
        #expect(fault?.line == 3 && fault?.effect == .failsClosed)
    }

    @Test("a manager of the app's own, dictionaries that are filled, and a subclass's initializer")
    func managers() throws {
        let source = """
            class Wild: ServerTrustManager {
                override func serverTrustEvaluator(forHost host: String) throws -> ServerTrustEvaluating? { nil }
            }
            let m = Wild(evaluators: ["*.example.com": PinnedCertificatesTrustEvaluator()])
            class Fixed: ServerTrustManager {
                init() { super.init(evaluators: ["fixed.example.com": PublicKeysTrustEvaluator()]) }
            }
            let hosts = ["a.example.com", "b.example.com"]
            func make() -> ServerTrustManager {
                var evaluators = [String: ServerTrustEvaluating]()
                hosts.forEach { evaluators[$0] = PublicKeysTrustEvaluator() }
                for h in hosts { evaluators["x." + h] = PublicKeysTrustEvaluator() }
                return ServerTrustManager(evaluators: evaluators)
            }
            let unknown = ServerTrustManager(evaluators: config.evaluators)
            """
        let file = try SourceFixture.file(source, "A.swift", .alamofire)
        #expect(
            SourceFixture.shown(file) == [
                "4 *.example.com: ?", "6 fixed.example.com: ?", "11 a.example.com: ?", "11 b.example.com: ?",
                "12 x.a.example.com: ?", "12 x.b.example.com: ?",
            ])
        #expect(SourceFixture.notes(file).contains("15 unresolved"))
    }

    @Test("version 4's policies")
    func old() throws {
        let source = """
            var policies = [String: ServerTrustPolicy]()
            policies["a.example.com"] = .pinCertificates(
                certificates: ServerTrustPolicy.certificates(), validateCertificateChain: true, validateHost: false)
            policies["b.example.com"] = .pinPublicKeys(publicKeys: keys, validateCertificateChain: false, validateHost: true)
            policies["c.example.com"] = .disableEvaluation
            let m = SessionManager(serverTrustPolicyManager: ServerTrustPolicyManager(policies: policies))
            """
        let file = try SourceFixture.file(source, "A.swift", .alamofire)
        #expect(SourceFixture.shown(file) == ["2 a.example.com: ?", "4 b.example.com: ?", "5 c.example.com: unpinned"])
        #expect(
            SourceFixture.settings([file].compactMap { $0 }) == [
                "3 nameCheckOff a.example.com", "4 chainCheckOff b.example.com", "5 trustsEverything c.example.com",
                "5 chainCheckOff c.example.com",
            ])
        #expect(file?.notes.contains { $0.id == .otherHosts } == true)
    }

    @Test("what a debug build alone leaves out is told apart")
    func debug() throws {
        let source = """
            #if DEBUG
            let m = ServerTrustManager(evaluators: ["dev.example.com": DisabledTrustEvaluator()])
            #endif
            func make() {
                var e: [String: ServerTrustEvaluating] = ["a.example.com": PublicKeysTrustEvaluator()]
                #if DEBUG
                e["dev.example.com"] = DisabledTrustEvaluator()
                #endif
                _ = ServerTrustManager(evaluators: e)
            }
            """
        let file = try SourceFixture.file(source, "A.swift", .alamofire)
        #expect(SourceFixture.shown(file) == ["2 dev.example.com: unpinned", "5 a.example.com: ?"])
        #expect(file?.settings == [] && SourceFixture.notes(file).contains("2 debug-overrides"))
    }

    @Test("a commented-out manager, and Alamofire without one, are nothing")
    func nothing() throws {
        let source = """
            import Alamofire
            // let m = ServerTrustManager(evaluators: ["a.com": PinnedCertificatesTrustEvaluator()])
            func f(manager: ServerTrustManager) -> Session { Session() }
            """
        #expect(try SourceFixture.read(source, "A.swift").isEmpty)
    }

    // MARK: AFNetworking

    @Test("AFNetworking's policy in Objective-C, with a base URL and both checks off")
    func policy() throws {
        let source = """
            static NSString * const BASEURL = @"https://api.example.com/v1/";
            @implementation Tool
            -(instancetype)init {
                self = [super initWithBaseURL:[NSURL URLWithString:BASEURL]];
                self.securityPolicy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
                self.securityPolicy.allowInvalidCertificates = YES;
                [self.securityPolicy setValidatesDomainName:NO];
                return self;
            }
            @end
            """
        let file = try SourceFixture.file(source, "Tool.m", .afNetworking)
        #expect(SourceFixture.shown(file) == ["5 api.example.com: ?"])
        #expect(SourceFixture.settings([file].compactMap { $0 }) == ["6 chainCheckOff", "7 nameCheckOff"])
    }

    @Test("AFNetworking's policy in Swift, and one that pins nothing")
    func policyInSwift() throws {
        let source = "let p = AFSecurityPolicy(pinningMode: .certificate)\np.validatesDomainName = true"
        let file = try SourceFixture.file(source, "A.swift", .afNetworking)
        #expect(SourceFixture.shown(file) == ["1 ?: ?"] && file?.settings == [])
        #expect(SourceFixture.notes(file) == ["1 certificate-pins", "1 unresolved", "1 other-hosts"])
        #expect(try SourceFixture.read("let p = AFSecurityPolicy(pinningMode: .none)", "A.swift").isEmpty)
        #expect(try SourceFixture.read("AFSecurityPolicy *p = [AFSecurityPolicy defaultPolicy];", "A.m").isEmpty)
    }

    @Test("a manager that no session is given enforces nothing")
    func idle() throws {
        func settings(_ code: String) throws -> [String] {
            SourceFixture.settings(
                try SourceFixture.read(
                    "let m = ServerTrustManager(evaluators: [\"a.com\": PublicKeysTrustEvaluator()])\n" + code,
                    "A.swift"))
        }
        #expect(try settings("let s = Session()") == ["2 validatorNotWired"])
        #expect(try settings("let s = Session(serverTrustManager: m)") == [])
        #expect(try settings("let other = 1") == [])
    }

    @Test(
        "a manager whose type Swift knows is made by .init alone",
        arguments: [
            ("Session(serverTrustManager: .init(allHostsMustBeEvaluated: false, evaluators: [H: T()]))", "1 a.com: ?"),
            ("Session(serverTrustManager: .init(evaluators: Pinning.evaluators))", "2 b.com: ?"),
            ("Session(serverTrustManager: .init(evaluators: [\"c.com\": .publicKeys()]))", "1 c.com: ?"),
            ("SessionManager(serverTrustPolicyManager: .init(policies: [H: T()]))", "1 a.com: ?"),
        ])
    func unnamed(_ call: String, _ expected: String) throws {
        let call = call.split(separator: "H: T()").joined(separator: "\"a.com\": PublicKeysTrustEvaluator()")
        let source = "let s = \(call)\nenum Pinning { static let evaluators = [\"b.com\": PublicKeysTrustEvaluator()] }"
        let file = try SourceFixture.file(source, "A.swift", .alamofire)
        #expect(SourceFixture.shown(file) == [expected])
    }

    @Test("a .init of an evaluator, and of something else, is no manager")
    func others() throws {
        let source = """
            let composite: CompositeTrustEvaluator = .init(evaluators: [DefaultTrustEvaluator()])
            let other = Thing.init(evaluators: ["a.com": DefaultTrustEvaluator()])
            session(serverTrustManager: nil)
            """
        #expect(try SourceFixture.file(source, "A.swift", .alamofire) == nil)
    }

    @Test("entries that are put in later count, and those from elsewhere are told")
    func changed() throws {
        let source = """
            var all: [String: ServerTrustEvaluating] = ["a.com": PublicKeysTrustEvaluator()]
            all.updateValue(PublicKeysTrustEvaluator(), forKey: "b.com")
            all.merge(["c.com": DisabledTrustEvaluator()]) { $1 }
            all.merge(["a.com": DefaultTrustEvaluator()]) { old, _ in old }
            all.merge(["b.com": DefaultTrustEvaluator()], uniquingKeysWith: { _, new in new })
            all.merge(Remote.evaluators) { $1 }
            let m = ServerTrustManager(evaluators: all)
            """
        let file = try SourceFixture.file(source, "A.swift", .alamofire)
        #expect(
            Set(SourceFixture.shown(file)) == ["1 a.com: ?", "3 c.com: unpinned", "5 b.com: unpinned", "6 ?: ?"])
        #expect(file?.notes.contains { $0.text.hasPrefix("the host is Remote.evaluators") } == true)
    }
}
