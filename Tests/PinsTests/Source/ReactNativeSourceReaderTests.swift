import Facts
import Testing

@testable import Pins

@Suite("React Native in source code")
struct ReactNativeSourceReaderTests {
    private func file(_ source: String, _ path: String = "pinning.ts") throws -> PinFile? {
        try SourceFixture.file(source, path, .reactNative)
    }

    @Test("what initializeSslPinning is given, with constants, computed names and TypeScript's types")
    func publicKeyPinning() throws {
        let file = try file(
            """
            import { initializeSslPinning, type PinningOptions } from 'react-native-ssl-public-key-pinning';
            const HOST = 'API.example.com';
            const BACKUP: string = '{B}';
            const shared = ['{A}', BACKUP] as const;
            export const start = async (): Promise<void> => {
              await initializeSslPinning({
                [HOST]: { includeSubdomains: true, publicKeyHashes: [...shared], expirationDate: '2027-06-01' },
                "cdn.example.com": {
                  publicKeyHashes: [
                    `{C}`, // leaf
                    process.env.PIN!,
                  ],
                },
                [`www.${HOST}`]: { publicKeyHashes: shared },
              });
            };
            """)
        #expect(
            SourceFixture.shown(file) == [
                "7 api.example.com+**.api.example.com: A B until 2027-06-01", "8 cdn.example.com: C ?",
                "14 www.api.example.com: A B",
            ])
        #expect(SourceFixture.notes(file) == ["11 unresolved"])
        #expect(file?.hosts[1].pins.map(\.line) == [10])
    }

    @Test("options that stand apart from the call, in JavaScript, and what the library would choke on")
    func apart() throws {
        let file = try file(
            """
            module.exports = {
              'a.example.com': { includeSubdomains: false, publicKeyHashes: ['sha256/{A}', 'short', '{B}'] },
              localhost: { publicKeyHashes: ['{A}'] },
            };
            """, "pins.js")
        #expect(SourceFixture.shown(file) == ["2 a.example.com: bad bad B", "3 localhost: A"])
        #expect(SourceFixture.notes(file) == ["2 malformed-pin", "2 malformed-pin", "3 versions-differ"])
    }

    @Test("a host or options from elsewhere are pinned by what is not known")
    func elsewhere() throws {
        let file = try file(
            """
            import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';
            interface Options { [host: string]: { includeSubdomains?: boolean; publicKeyHashes: string[] } }
            export function init(options: Options) { return initializeSslPinning(options); }
            export const more = (host: string) => initializeSslPinning({ [host]: { publicKeyHashes: ['{A}', '{B}'] } });
            """)
        #expect(SourceFixture.shown(file) == ["3 ?: ?", "4 ?: A B"])
        #expect(SourceFixture.notes(file) == ["4 unresolved", "3 unresolved"])
    }

    @Test("fetch of react-native-ssl-pinning: certificates by name, and keys with pkPinning")
    func fetch() throws {
        let file = try file(
            """
            import { fetch } from 'react-native-ssl-pinning';
            const BASE = 'https://api.example.com';
            export const a = () => fetch(`${BASE}/users`, {
              method: 'GET', timeoutInterval: 10000, headers: { Accept: 'application/json' },
              sslPinning: { certs: ['leaf', 'backup'] },
            });
            export const b = () => fetch('https://pay.example.com/x', {
              pkPinning: true,
              sslPinning: { certs: ['sha256/{A}', 'sha256/{B}', '{C}'] },
            });
            export const c = () => fetch(BASE, { sslPinning: { certs: ['sha256/{A}'] } });
            export const d = () => fetch(BASE, { disableAllSecurity: true, sslPinning: { certs: [] } });
            """, "api.tsx")
        #expect(
            SourceFixture.shown(file) == [
                "3 api.example.com: ?", "7 pay.example.com: A B bad", "11 api.example.com: ?",
            ])
        #expect(
            SourceFixture.notes(file) == [
                "5 certificate-pins", "9 malformed-pin", "9 versions-differ", "11 never-matches", "12 misplaced",
            ])
        #expect(SourceFixture.settings([file].compactMap(\.self)) == ["12 trustsEverything api.example.com"])
    }

    @Test("options without a URL, or with one from elsewhere, and names of certificates that are not said")
    func options() throws {
        let file = try file(
            """
            export type Config = { sslPinning: { certs: string[] } };
            const options = { pkPinning: true, sslPinning: { certs: ['sha256/{A}', 'sha256/{B}'] } };
            export const secure = (url: string, certs: string[]) => fetch(url, { ...base, sslPinning: { certs } });
            """)
        #expect(SourceFixture.shown(file) == ["2 ?: A B", "3 ?: ?"])
        #expect(
            SourceFixture.notes(file) == [
                "2 unresolved", "2 versions-differ", "3 unresolved", "3 certificate-pins",
            ])
    }

    @Test("a plugin's settings in app.config.ts are as those in app.json")
    func plugin() throws {
        let file = try file(
            """
            export default ({ config }) => ({ ...config, plugins: [['@bam.tech/react-native-app-security', {
              sslPinning: {
                'a.example.com': ['{A}', '{B}'],
                '*.b.example.com': ['{B}', PINS.backup],
              } }]] });
            """, "app.config.ts")
        #expect(SourceFixture.shown(file) == ["3 a.example.com: A B", "4 b.example.com+*.b.example.com: B ?"])
        #expect(SourceFixture.notes(file) == ["4 versions-differ", "4 unresolved"])
    }

    @Test(
        "the libraries' own sources, types, and other things of the same name declare nothing",
        arguments: [
            "export function initializeSslPinning(options) { return Native.initialize(options); }",
            "export interface O { publicKeyHashes: string[]; includeSubdomains?: boolean }",
            "const { publicKeyHashes } = options; console.log(publicKeyHashes);",
            "import { initializeSslPinning } from 'x'; jest.mock('x', () => ({ initializeSslPinning: jest.fn() }));",
            "const state = { sslPinning: true, other: 1 }; if (state.sslPinning) { go(); }",
            "// initializeSslPinning({ 'a.com': { publicKeyHashes: ['x'] } })",
        ])
    func nothing(_ source: String) throws {
        #expect(try file(source, "index.js") == nil)
    }

    @Test("options that are spread from elsewhere, or stand elsewhere for one host, are told")
    func spread() throws {
        let call = "import { PINS } from './pins';\ninitializeSslPinning"
        let alone = try file("\(call)({ ...PINS });", "a.ts")
        #expect(SourceFixture.shown(alone) == ["2 ?: ?"] && SourceFixture.notes(alone) == ["2 unresolved"])
        let among = try file(
            "\(call)({ ...PINS, 'a.com': { publicKeyHashes: ['{A}', '{B}'] }, 'b.com': other });", "a.ts")
        #expect(Set(SourceFixture.shown(among)) == ["2 a.com: A B", "2 ?: ?", "2 b.com: ?"])
        #expect(SourceFixture.notes(among) == ["2 unresolved", "2 unresolved"])
    }
}
