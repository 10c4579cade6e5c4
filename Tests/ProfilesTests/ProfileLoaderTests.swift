import Facts
import Foundation
import Policy
import Support
import Testing

@testable import Profiles

private let pin = "sha256/+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk="

/// Every key there is, with a pin that is one.
private let wholeProfile = """
    version: 1
    name: release
    hosts:
      api.example.com:         { expect: refuse, pins: ["\(pin)"] }      # pins: optional
      "*.cdn.example.com":     { expect: accept }
      updates.example.com:     { expect: accept, required: false }
      "*.bank-partner.example": { expect: tunnel }                          # never touched
    others: tunnel              # hosts not named above
    controls:                   # hosts that the same build contacts unpinned
      - cdn.example.com         # intercepted under the trusted CA
    attacks: standard           # or a list
    cold_starts: 3
    resolve:                    # exact names only
      api.example.com: 127.0.0.1:8443
    same_anchors: false
    lent:
      api.example.com:
        backup_key: backup.key
        same_ca_chain: other.pem
        other_host: [o.pem, o.key]
    upstream:
      roots: [staging-root.pem] # PEM or DER
      proxy: null
    """

@Suite struct ProfileLoaderTests {
    @Test("a profile with every key is read value by value")
    func everyKey() throws {
        let loaded = try ProfileLoader.parse(text: wholeProfile, path: "team/app.yaml", files: FileState.assumed)
        let expected = Profile(
            name: "release",
            rules: [
                HostRule(pattern: try pattern("api.example.com"), expect: .refuse, pins: [try #require(Pin(pin))]),
                HostRule(pattern: try pattern("*.cdn.example.com"), expect: .accept),
                HostRule(pattern: try pattern("updates.example.com"), expect: .accept, required: false),
                HostRule(pattern: try pattern("*.bank-partner.example"), expect: .tunnel),
            ],
            others: .tunnel, controls: [try pattern("cdn.example.com")], attacks: .set(.standard), coldStarts: 3,
            resolve: [try host("api.example.com"): Destination(try host("127.0.0.1"), 8443)], sameAnchors: false,
            lent: [
                try host("api.example.com"): LentMaterial(
                    backupKey: "team/backup.key", sameCAChain: "team/other.pem",
                    otherHost: ["team/o.pem", "team/o.key"])
            ],
            upstream: Upstream(roots: ["team/staging-root.pem"], proxy: nil))
        #expect(loaded.profile == expected)
        #expect(loaded.text == wholeProfile)
        #expect(loaded.path == "team/app.yaml")
        #expect(loaded.places.rules[try pattern("*.cdn.example.com")] == Place(5, 3))
        #expect(loaded.places.keys["upstream"] == Place(21, 1))
    }

    @Test("what a profile leaves out has the documented defaults")
    func defaults() throws {
        let loaded = try ProfileLoader.parse(text: "version: 1", path: "profiles/strict-mode.yaml")
        #expect(loaded.profile == Profile(name: "strict-mode"))
        #expect(loaded.profile.others == .tunnel)
        #expect(loaded.profile.attacks == nil)
        #expect(loaded.profile.coldStarts == nil)
    }

    @Test("without a name the file's stands for it, when it can")
    func defaultName() {
        #expect(ProfileLoader.defaultName("a/b/release.yml") == "release")
        #expect(ProfileLoader.defaultName("release") == "release")
        #expect(ProfileLoader.defaultName(".yaml") == "profile")
        #expect(ProfileLoader.defaultName("a/-.yaml") == "profile")
        #expect(ProfileLoader.defaultName("") == "profile")
    }

    @Test("all that is optional can be given in its other form")
    func otherForms() throws {
        let text = """
            version: 1
            name: Grün 2 (no)
            """
        #expect(complaint(text).hasPrefix("2:7: \"Grün 2 (no)\" cannot be a name"))
        let profile = try parsed(
            """
            version: 1
            name: 'Größe 2.0-rc_1+x'
            hosts:
              ? api.example.com
              : expect: refuse
                pins:
                  - \(pin)
                  - sha256/\(pin.dropFirst(6))
              ::1: {expect: "tunnel", required: true}
            others: report
            attacks: [expired, trusted-ca, expired, passthrough]
            cold_starts: 1000
            resolve: {a.test: "[::1]:8443", b.test: "::1", c.test: other.test, 'd.test.': '[::2]'}
            same_anchors: true
            only_pins: true
            lent: {}
            upstream: {roots: [/etc/root.pem], proxy: http://proxy.test:3128/}
            """, files: FileState.assumed)
        #expect(profile.name == "Größe 2.0-rc_1+x")
        #expect(profile.rules.map(\.pins.count) == [2, 0])
        #expect(profile.rules.map(\.pattern.description) == ["api.example.com", "::1"])
        #expect(profile.others == .report)
        #expect(profile.attacks == .list([.trustedCA, "expired"]))
        #expect(profile.coldStarts == 1000)
        #expect(
            profile.resolve.map { "\($0.key)>\($0.value)" }.sorted() == [
                "a.test>[::1]:8443", "b.test>::1", "c.test>other.test", "d.test>::2",
            ])
        #expect(profile.sameAnchors)
        #expect(profile.onlyPins)
        #expect(profile.upstream.roots == ["/etc/root.pem"])
        #expect(profile.upstream.proxy?.description == "proxy.test:3128")
    }

    @Test("files are read from disk, and what lies beside them is looked for there")
    func disk() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "profiles-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/app.yaml"
        // With a byte order mark and CR LF, as some editors have it.
        try Data("\u{FEFF}version: 1\r\nupstream:\r\n  roots: [root.pem]\r\n".utf8).write(to: URL(filePath: path))
        #expect(throws: ProfileErrors.self) { try ProfileLoader.load(path: path) }
        do throws(ProfileErrors) {
            _ = try ProfileLoader.load(path: path)
        } catch {
            #expect(error.errors.map(\.place) == [Place(3, 11)])
            #expect(error.description.contains("\"root.pem\" does not exist (looked for \(folder.path)/root.pem)"))
        }
        try Data("x".utf8).write(to: folder.appending(path: "root.pem"))
        let loaded = try ProfileLoader.load(path: path)
        #expect(loaded.profile.upstream.roots == [folder.path + "/root.pem"])
        #expect(Array(loaded.text.utf8).prefix(3) == [0xEF, 0xBB, 0xBF])
        // Links are followed, as to the profile so to its material.
        let link = folder.path + "/link.yaml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "app.yaml")
        #expect(try ProfileLoader.load(path: link).profile.name == "link")
    }

    @Test("what is no readable file says so, and nothing endless or huge is read")
    func unreadable() throws {
        func complaint(_ path: String) -> String {
            do throws(ProfileErrors) {
                _ = try ProfileLoader.load(path: path)
                return ""
            } catch { return error.description }
        }
        let folder = FileManager.default.temporaryDirectory
        #expect(
            complaint("no/such.yaml") == """
                error: no/such.yaml: no such file
                hint: start from a sample in profiles/, or see docs/profile.md
                """)
        #expect(
            complaint(folder.path)
                == "error: \(folder.path): is a folder, not a file\nhint: name the profile's file in it, as \(folder.path)/profile.yaml"
        )
        #expect(complaint("/dev/zero") == "error: /dev/zero: is not a regular file")
        let huge = folder.appending(path: "huge-\(UInt64.random(in: 0 ... .max)).yaml")
        defer { try? FileManager.default.removeItem(at: huge) }
        try Data().write(to: huge)
        // Sparse: 64 GiB that no disk holds and no memory would.
        let handle = try FileHandle(forWritingTo: huge)
        try handle.truncate(atOffset: 64 << 30)
        try handle.close()
        #expect(
            complaint(huge.path) == """
                error: \(huge.path): 68719476736 bytes are too many for a profile, the limit is 1048576
                hint: is this really a profile?
                """)
    }

    #if os(Linux)
        @Test("a profile that is not read for want of descriptors says that, and not that permission is missing")
        func noDescriptors() async {
            await #expect(processExitsWith: .exitCode(7)) {
                let scratch = try TemporaryFolder()
                let path = try scratch.write("p.yaml", Array("version: 1".utf8))
                let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                var usual = rlimit()
                unsafe getrlimit(files, &usual)
                var none = rlimit(rlim_cur: 3, rlim_max: usual.rlim_max)
                unsafe setrlimit(files, &none)
                var errors: ProfileErrors?
                do throws(ProfileErrors) { _ = try ProfileLoader.load(path: path) } catch { errors = error }
                unsafe setrlimit(files, &usual)
                try FileManager.default.removeItem(atPath: scratch.path)
                let words = "error: \(path): cannot be read: too many open files\nhint: ulimit -n "
                exit(errors?.description.hasPrefix(words) == true && errors?.cause == .environment ? 7 : 8)
            }
        }
    #endif

    @Test("the gate needs hosts, the debugging proxy does not")
    func gateable() throws {
        func complaint(_ text: String) throws -> String {
            let loaded = try ProfileLoader.parse(text: "version: 1\n" + text, path: "p.yaml")
            do throws(ProfileErrors) {
                try loaded.requireGateable()
                return ""
            } catch { return error.description }
        }
        let hint = "hint: name at least one under hosts: api.example.com: { expect: refuse }"
        #expect(try complaint("others: accept") == "error: p.yaml: names no hosts to judge\n\(hint)")
        #expect(try complaint("hosts: {}") == "error: p.yaml:2:1: names no hosts to judge\n\(hint)")
        #expect(try complaint("hosts: { a.test: { expect: tunnel } }") == "")
    }

    @Test("a CA can only be limited to names that a profile has")
    func constrainable() throws {
        func complaint(_ text: String) throws -> String {
            let loaded = try ProfileLoader.parse(text: "version: 1\n" + text, path: "p.yaml")
            do throws(ProfileErrors) {
                try loaded.requireConstrainable()
                return ""
            } catch { return error.description }
        }
        #expect(try complaint("hosts: { a.test: { expect: refuse } }") == "")
        #expect(try complaint("controls: [a.test]") == "")
        #expect(
            try complaint("hosts: { a.test: { expect: refuse } }\nothers: accept") == """
                error: p.yaml:3:1: "others: accept" intercepts hosts that a CA made for this profile only cannot sign for
                hint: name the hosts and write "others: tunnel", or use a general CA
                """)
        #expect(
            try complaint("others: report") == """
                error: p.yaml: names no host that a CA could be limited to
                hint: name hosts under hosts
                """)
    }
}
