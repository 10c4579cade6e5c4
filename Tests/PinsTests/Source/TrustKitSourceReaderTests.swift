import Testing

@testable import Pins

@Suite("TrustKit in source code")
struct TrustKitSourceReaderTests {
    @Test("Swift: a dictionary that is given at once")
    func swift() throws {
        let source = """
            let trustKitConfig = [
                kTSKSwizzleNetworkDelegates: true,
                kTSKPinnedDomains: [
                    "example.com": [
                        kTSKEnforcePinning: true,
                        kTSKIncludeSubdomains: true,
                        kTSKExpirationDate: "2027-12-01",
                        kTSKPublicKeyHashes: [
                            "{A}", // leaf
                            "{B}",
                        ],
                        kTSKReportUris: ["https://r.example.com"],
                    ],
                    "www.example.org": [kTSKEnforcePinning: NSNumber(value: false), kTSKPublicKeyHashes: ["{A}"]],
                    "open.example.com": [kTSKExcludeSubdomainFromParentPolicy: true],
                ]] as [String : Any]
            TrustKit.initSharedInstance(withConfiguration: trustKitConfig)
            """
        let file = try SourceFixture.file(source, "App.swift", .trustKit)
        #expect(
            SourceFixture.shown(file) == [
                "4 example.com+**.example.com: A B until 2027-12-01", "14 www.example.org: A reported",
                "15 open.example.com: unpinned",
            ])
        #expect(SourceFixture.notes(file) == ["14 report-only", "15 shadows"] && file?.settings == [])
    }

    @Test("Objective-C: macros, constants, boxed values, and sessions without a delegate")
    func objectiveC() throws {
        let source = """
            static NSString *const kBackup = @"{B}";
            #define DOMAIN_NAME @"api.example.com"
            @implementation AppDelegate
            - (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
                void (^loggerBlock)(NSString *) = ^void(NSString *message){ NSLog(@"it's %@", message); };
                NSDictionary *trustKitConfig =
                @{
                  kTSKSwizzleNetworkDelegates: @YES,
                  kTSKPinnedDomains : @{
                      DOMAIN_NAME : @{
                          kTSKEnforcePinning:@YES,
                          kTSKIncludeSubdomains:@(YES),
                          // @"{C}",
                          kTSKPublicKeyHashes : @[ @"{A}", kBackup ],
                      },
                      @"events.example.com" : @{ kTSKPublicKeyHashes : hashProvider.comHashes }
                  }};
                [TrustKit initSharedInstanceWithConfiguration:trustKitConfig];
                NSURLSession *a = [NSURLSession sessionWithConfiguration:c delegate:nil delegateQueue:nil];
                NSURLSession *b = [NSURLSession sessionWithConfiguration:c delegate:self delegateQueue:nil];
                [[NSURLSession sharedSession] dataTaskWithURL:u];
                return YES;
            }
            @end
            """
        let file = try SourceFixture.file(source, "AppDelegate.m", .trustKit)
        #expect(
            SourceFixture.shown(file) == ["10 api.example.com+**.api.example.com: A B", "16 events.example.com: ?"])
        #expect(SourceFixture.notes(file) == ["16 unresolved"])
        #expect(
            SourceFixture.settings([file].compactMap { $0 }) == [
                "19 sessionWithoutDelegate", "21 sessionWithoutDelegate",
            ])
    }

    @Test("Swift: policies from a function, subscripts, domains of other types")
    func functions() throws {
        let source = """
            enum Pinning {
                static let group = ["{A}", "{B}"]
                static func domain(_ hashes: [String]) -> [String: Any] {
                    return [kTSKIncludeSubdomains: false, kTSKPublicKeyHashes: hashes]
                }
                static func setup() {
                    var config: [String: Any] = [kTSKSwizzleNetworkDelegates: true]
                    config[kTSKPinnedDomains] = [
                        "www.example.com": domain(group),
                        Hosts.api: domain(["{C}", "{D}"]),
                        BuildConfig.host: domain(group),
                    ]
                    TrustKit.initSharedInstance(withConfiguration: config)
                    _ = URLSession(configuration: .default)
                    _ = URLSession.shared
                    _ = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
                }
            }
            struct Hosts { static let api = "api.example.com" }
            """
        let file = try SourceFixture.file(source, "Pinning.swift", .trustKit)
        #expect(SourceFixture.shown(file) == ["9 www.example.com: A B", "10 api.example.com: C D", "11 ?: A B"])
        #expect(SourceFixture.notes(file) == ["11 unresolved"])
        #expect(
            SourceFixture.settings([file].compactMap { $0 }) == [
                "14 sessionWithoutDelegate", "15 sessionWithoutDelegate",
            ])
    }

    @Test("keys as texts, hosts and pins from enumerations")
    func texts() throws {
        let source = """
            enum Host: String { case api = "api.example.com", cdn = "cdn.example.com" }
            enum Store { static var hashes: [String] { ["{D}"] } }
            let extra = ["{C}"]
            let config: [String: Any] = [
                "TSKSwizzleNetworkDelegates": true,
                "TSKPinnedDomains": [
                    Host.api.rawValue: ["TSKPublicKeyHashes": ["{A}", "{B}"] + extra, "TSKIncludeSubdomains": true],
                    Host.cdn.rawValue: [kTSKPublicKeyHashes: Store.hashes, kTSKEnforcePinning: false],
                ],
            ]
            let kit = TrustKit(configuration: config)
            """
        let file = try SourceFixture.file(source, "A.swift", .trustKit)
        #expect(
            SourceFixture.shown(file) == [
                "7 api.example.com+**.api.example.com: A B C", "8 cdn.example.com: D reported",
            ])
        #expect(file?.settings == [])
    }

    private func domains(_ text: String, around: String = "") throws -> PinFile? {
        try SourceFixture.file(
            "let c: [String: Any] = [kTSKPinnedDomains: [\n\(text)\n]]\n\(around)", "A.swift", .trustKit)
    }

    @Test(
        "what TrustKit raises an exception at fails closed",
        arguments: [
            "\"a.com\": [kTSKPublicKeyHashes: [\"{A}\"]]", "\"a.com\": [kTSKPublicKeyHashes: [\"{A}\", \"{A}\"]]",
            "\"a.com\": [kTSKEnforcePinning: false]", "\"a.com\": [kTSKPublicKeyHashes: [\"{A}\", \"QUFB\"]]",
            "\"a.com\": [kTSKPublicKeyHashes: [\"{A}\", \"sha256/{B}\"]]",
            "\"localhost\": [kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]",
            "\"10.0.0.1\": [kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]",
            "\"x.local\": [kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]",
            "\"*.a.com\": [kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]",
            "\"co.uk\": [kTSKIncludeSubdomains: true, kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]",
            "\"b.a.com\": [kTSKExcludeSubdomainFromParentPolicy: true]",
            "\"a.com\": [kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]], \"a.com\": [:]",
        ])
    func refused(_ text: String) {
        let fault = #expect(throws: PinFileFault.self) { try domains(text) }
        #expect(fault?.line == 2 && fault?.effect == .failsClosed)
    }

    @Test("one pin is enough where pins are only reported, or not all are known")
    func single() throws {
        #expect(try domains("\"a.com\": [kTSKEnforcePinning: false, kTSKPublicKeyHashes: [\"{A}\"]]")?.hosts.count == 1)
        #expect(
            SourceFixture.shown(try domains("\"a.com\": [kTSKPublicKeyHashes: [\"{A}\", Pins.next]]")) == [
                "2 a.com: A ?"
            ])
    }

    @Test("a day in another form is not taken, and one from elsewhere is not known")
    func days() throws {
        func notes(_ day: String) throws -> [String] {
            SourceFixture.notes(
                try domains("\"a.com\": [kTSKExpirationDate: \(day), kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]"))
        }
        #expect(try notes("\"2027/06/01\"") == ["2 expiry-not-taken"])
        #expect(try notes("Days.last") == ["2 unresolved"] && notes("\"2027-06-01\"") == [])
    }

    @Test("to import the validator's header is to call nobody; a file that calls it is known by that alone")
    func validatorImport() throws {
        let pinned = "\"a.com\": [kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]"
        for head in ["import TrustKit.TSKPinningValidator", "import class TrustKit.TSKPinningValidator"] {
            let file = try domains(pinned, around: head)
            #expect(SourceFixture.settings([file].compactMap { $0 }) == ["1 validatorNotWired"], "\(head)")
        }
        let header = "#import <TrustKit/TSKPinningValidator.h>\n@class TSKPinningValidator;\n"
        let objective =
            header
            + "NSDictionary *c = @{kTSKPinnedDomains: @{@\"a.com\": @{kTSKPublicKeyHashes: @[@\"{A}\", @\"{B}\"]}}};"
        #expect(SourceFixture.settings(try SourceFixture.read(objective, "A.m")) == ["3 validatorNotWired"])
        let call = "class D { func f(c: C) { kit.pinningValidator.handle(c, completionHandler: done) } }"
        let files = try SourceFixture.read(call, "D.swift")
        #expect(files.map(\.format) == [.source] && files.allSatisfy(\.callsValidator))
        #expect(try SourceFixture.read("import TrustKit.TSKPinningValidator", "D.swift").isEmpty)
    }

    @Test("without swizzling something has to call the validator")
    func wiring() throws {
        let pinned = "\"a.com\": [kTSKPublicKeyHashes: [\"{A}\", \"{B}\"]]"
        #expect(SourceFixture.settings([try domains(pinned)].compactMap { $0 }) == ["1 validatorNotWired"])
        let validator =
            "func f() { TrustKit.sharedInstance().pinningValidator.handle(challenge, completionHandler: done) }"
        #expect(try domains(pinned, around: validator)?.settings == [])
        #expect(try domains(pinned, around: "c[kTSKSwizzleNetworkDelegates] = true")?.settings == [])
        #expect(
            SourceFixture.settings([try domains(pinned, around: "// pinningValidator")].compactMap { $0 }) == [
                "1 validatorNotWired"
            ])
    }
}
