import Testing

@testable import Pins

@Suite("Cronet in C and Objective-C")
struct CronetNativeTests {
    @Test("C: pins by their variable, handed to the engine's parameters")
    func c() throws {
        let source = """
            #include "cronet_c.h"
            #define API_HOST "api.example.com"
            static const char* kPins[] = {"sha256/{A}", "sha256/{B}"};
            void configure(Cronet_EngineParamsPtr params) {
              Cronet_PublicKeyPinsPtr pins = Cronet_PublicKeyPins_Create();
              Cronet_PublicKeyPins_host_set(pins, API_HOST);
              for (const char* pin : kPins) Cronet_PublicKeyPins_pins_sha256_add(pins, pin);
              Cronet_PublicKeyPins_include_subdomains_set(pins, true);
              Cronet_PublicKeyPins_expiration_date_set(pins, 1893456000000);
              Cronet_EngineParams_public_key_pins_add(params, pins);
              Cronet_PublicKeyPins_Destroy(pins);
              auto other = Cronet_PublicKeyPins_Create();
              Cronet_PublicKeyPins_host_set(other, "b.example.com");
              Cronet_PublicKeyPins_pins_sha256_add(other, "sha256/{C}");
              Cronet_EngineParams_public_key_pins_add(params, other);
              Cronet_EngineParams_enable_public_key_pinning_bypass_for_local_trust_anchors_set(params, false);
            }
            """
        let file = try SourceFixture.file(source, "engine.cc", .cronet)
        #expect(
            SourceFixture.shown(file) == [
                "5 api.example.com+**.api.example.com: A B until 2030-01-01", "12 b.example.com: C until 1970-01-01",
            ])
        #expect(SourceFixture.notes(file) == ["12 expiration"] && file?.settings == [])
    }

    @Test("C: what is not said, and the bypass that is on as shipped")
    func unresolved() throws {
        let file = try SourceFixture.file(
            """
            void add(Cronet_EngineParamsPtr p, const char* host, const char* pin, int64_t day) {
              Cronet_PublicKeyPinsPtr k = Cronet_PublicKeyPins_Create();
              Cronet_PublicKeyPins_host_set(k, host);
              Cronet_PublicKeyPins_pins_sha256_add(k, pin);
              Cronet_PublicKeyPins_expiration_date_set(k, day);
              Cronet_EngineParams_public_key_pins_add(p, k);
            }
            """, "e.c", .cronet)
        #expect(SourceFixture.shown(file) == ["2 ?: ?"])
        #expect(SourceFixture.notes(file) == ["3 unresolved", "4 unresolved", "5 expiration"])
        #expect(SourceFixture.settings([file].compactMap(\.self)) == ["2 localAnchorExemption"])
    }

    @Test(
        "C: with what it refuses the engine does not start",
        arguments: [
            ("host_set(k, \"a b\"); Cronet_PublicKeyPins_pins_sha256_add(k, \"sha256/{A}\")", 2),
            ("host_set(k, \"a.example.com\");\n Cronet_PublicKeyPins_pins_sha256_add(k, \"{A}\")", 3),
            ("host_set(k, \"a.example.com\");\n Cronet_PublicKeyPins_pins_sha256_add(k, \"sha256/QUFB\")", 3),
            ("host_set(k, \"a.example.com\")", 1),
        ])
    func refused(_ calls: String, _ line: Int) {
        let fault = #expect(throws: PinFileFault.self) {
            try SourceFixture.file(
                "auto k = Cronet_PublicKeyPins_Create();\nCronet_PublicKeyPins_\(calls);\nCronet_EngineParams_public_key_pins_add(p, k);",
                "e.cc", .cronet)
        }
        #expect(fault?.line == line && fault?.effect == .failsClosed)
    }

    @Test("Objective-C and Swift: pins for a host, decoded from base64")
    func apple() throws {
        let objectiveC = """
            #import <Cronet/Cronet.h>
            @implementation Net
            + (void)start {
              [Cronet setEnablePublicKeyPinningBypassForLocalTrustAnchors:NO];
              NSSet *hashes = [NSSet setWithObjects:
                  [[NSData alloc] initWithBase64EncodedString:@"{A}" options:0],
                  [[NSData alloc] initWithBase64EncodedString:@"{B}" options:0], nil];
              NSError *error;
              [Cronet addPublicKeyPinsForHost:@"api.example.com"
                                    pinHashes:hashes
                            includeSubdomains:YES
                               expirationDate:[NSDate dateWithTimeIntervalSince1970:1893456000]
                                        error:&error];
              [Cronet start];
            }
            @end
            """
        let swift = """
            import Cronet
            func start() throws {
                Cronet.setEnablePublicKeyPinningBypassForLocalTrustAnchors(false)
                try Cronet.addPublicKeyPins(
                    forHost: "api.example.com",
                    pinHashes: [Data(base64Encoded: "{A}")!, Data(base64Encoded: "{B}")!],
                    includeSubdomains: true, expirationDate: Date(timeIntervalSince1970: 1_893_456_000))
            }
            """
        let wanted = " api.example.com+**.api.example.com: A B until 2030-01-01"
        for (text, path, line) in [(objectiveC, "Net.m", 9), (swift, "Net.swift", 4)] {
            let file = try SourceFixture.file(text, path, .cronet)
            #expect(SourceFixture.shown(file) == ["\(line)\(wanted)"])
            #expect(file?.notes == [] && file?.settings == [])
        }
    }

    @Test("Objective-C: with the bypass on newer versions take no pins, and a relative date is none that is said")
    func bypass() throws {
        let file = try SourceFixture.file(
            """
            #import "Cronet.h"
            void f() {
              [Cronet addPublicKeyPinsForHost:host pinHashes:[NSSet setWithObject:hash] includeSubdomains:NO
                  expirationDate:[NSDate dateWithTimeIntervalSinceNow:86400] error:nil];
            }
            """, "f.m", .cronet)
        #expect(SourceFixture.shown(file) == ["3 ?: ?"])
        #expect(SourceFixture.notes(file) == ["3 unresolved", "3 unresolved", "3 unresolved", "3 versions-differ"])
        #expect(SourceFixture.settings([file].compactMap(\.self)) == ["3 localAnchorExemption"])
    }

    @Test("Objective-C: a pin of another length is not added, and the app goes on without")
    func length() {
        let fault = #expect(throws: PinFileFault.self) {
            try SourceFixture.file(
                """
                #import "Cronet.h"
                void f() {
                  [Cronet addPublicKeyPinsForHost:@"a.example.com" pinHashes:[NSSet setWithObject:
                      [[NSData alloc] initWithBase64EncodedString:@"QUFB" options:0]] includeSubdomains:NO
                      expirationDate:[NSDate distantFuture] error:nil];
                }
                """, "f.m", .cronet)
        }
        #expect(fault?.line == 4 && fault?.effect == .failsOpen)
    }

    @Test("headers, and Cronet's own implementation, declare nothing")
    func nothing() throws {
        let header = """
            CRONET_EXPORT void Cronet_PublicKeyPins_host_set(Cronet_PublicKeyPinsPtr self, Cronet_String host);
            Cronet_PublicKeyPinsPtr Cronet_PublicKeyPins_Create() { return new Cronet_PublicKeyPins(); }
            void Cronet_PublicKeyPins_pins_sha256_add(Cronet_PublicKeyPinsPtr self, Cronet_String e) { self->p.push_back(e); }
            """
        #expect(try SourceFixture.file(header, "cronet.idl_c.h", .cronet) == nil)
        let declaration = """
            #import <Foundation/Foundation.h>
            + (BOOL)addPublicKeyPinsForHost:(NSString*)host pinHashes:(NSSet<NSData*>*)pinHashes includeSubdomains:(BOOL)i;
            """
        #expect(try SourceFixture.file(declaration, "Cronet.h", .cronet) == nil)
    }
}
