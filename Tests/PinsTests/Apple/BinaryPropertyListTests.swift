import Facts
import Testing

@testable import Pins

@Suite("binary property lists")
struct BinaryPropertyListTests {
    /// Written by another implementation (Python's plistlib).
    private static let foreign = """
        YnBsaXN0MDDbAQIDBAUGBwgJCgsMGBkaGxwdHh8gIV8QFk5TQXBwVHJhbnNwb3J0U2VjdXJpdHlRblNiaWdRdVFyUWRRYlFmUXNUbG9uZ1Jp
        ZNENDl8QD05TUGlubmVkRG9tYWluc9EPEF8QD2FwaS5leGFtcGxlLmNvbdIREhMUXxAUTlNJbmNsdWRlc1N1YmRvbWFpbnNfEBROU1Bpbm5l
        ZENBSWRlbnRpdGllcwmhFdEWF18QElNQS0ktU0hBMjU2LUJBU0U2NF8QLHIvbUlrRzNlRXBWZG0rdS9rby9jd3h6T01vMWJrNFR5SElsQnlp
        YmlBNUU9E//////////7EwAAAQAAAAAAFAAAAAAAAAAAgAAAAAAAAAEjP/gAAAAAAAAzQciHWIAAAABCAAEIaABHAHIA/ADfAGUAINg834lf
        EQEseHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
        eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
        eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4
        eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4gAcACAAfADgAOgA+AEAAQgBEAEYA
        SABKAE8AUgBVAGcAagB8AIEAmACvALAAsgC1AMoA+QECAQsBHAElAS4BMQEyAUMCcwAAAAAAAAIBAAAAAAAAACIAAAAAAAAAAAAAAAAAAAJ1
        """

    @Test("every kind of value is read, all in line 1")
    func kinds() throws {
        let bytes = try #require(Base64.decoded(Self.foreign.utf8.filter { $0 > 32 }[...]))
        let root = try PropertyList.read(PinFileContent(bytes))
        let domain = root["NSAppTransportSecurity"]?["NSPinnedDomains"]?["api.example.com"]
        #expect(domain?["NSIncludesSubdomains"]?.boolean == true && domain?.line == 1)
        #expect(
            domain?["NSPinnedCAIdentities"]?.array?.first?["SPKI-SHA256-BASE64"]?.string
                == "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")
        #expect(root["n"]?.value == .integer(-5) && root["big"]?.value == .integer(1 << 40))
        #expect(root["u"]?.value == .integer(.min + 1) && root["r"]?.value == .real(1.5))
        #expect(root["d"]?.value == .date(1_801_353_600) && root["b"]?.value == .data([0, 1]))
        #expect(root["f"]?.boolean == false && root["s"]?.string == "Grüße 🎉")
        #expect(root["long"]?.string?.count == 300 && root["id"]?.value == .reference(7))
    }

    @Test("what is cut off anywhere is refused, and never traps")
    func truncated() throws {
        let bytes = try #require(Base64.decoded(Self.foreign.utf8.filter { $0 > 32 }[...]))
        for count in 8..<bytes.count {
            #expect(throws: PinFileFault.self) { try PropertyList.read(PinFileContent(Array(bytes[..<count]))) }
        }
    }

    @Test("no byte changed makes it trap")
    func changed() throws {
        let bytes = try #require(Base64.decoded(Self.foreign.utf8.filter { $0 > 32 }[...]))
        for place in bytes.indices {
            for value in [0, 0x7f, 0xff, bytes[place] ^ 0x10, bytes[place] &+ 1] as [UInt8] {
                var other = bytes
                other[place] = value
                _ = try? PropertyList.read(PinFileContent(other))
            }
        }
    }

    private func message(_ bytes: [UInt8]) -> String? {
        do {
            _ = try PropertyList.read(PinFileContent(bytes))
            return nil
        } catch {
            return error.message
        }
    }

    @Test("cycles, depth and shared references without end are refused")
    func hostile() {
        let prefix = "the binary property list is broken: "
        #expect(message(BinaryPlistFixture(objects: [[0xa1, 0]]).bytes()) == prefix + "a container contains itself")
        #expect(
            message(BinaryPlistFixture(objects: [[0xa1, 1], [0xa1, 0]]).bytes()) == prefix
                + "a container contains itself")
        let deep = (0..<100).map { [0xa1, UInt8($0 + 1)] } + [[9]]
        #expect(message(BinaryPlistFixture(objects: deep).bytes()) == "it is nested more than 64 deep")
        // 10 levels of 10 references each to the next: ten thousand million values.
        let laughs = (0..<10).map { level in BinaryPlistFixture.array(Array(repeating: level + 1, count: 10)) } + [[9]]
        #expect(
            message(BinaryPlistFixture(objects: laughs).bytes())
                == "it stands for more than 200000 values, the most that are read")
        #expect(
            message(BinaryPlistFixture(objects: [[0xa1, 7]]).bytes()) == prefix
                + "it refers to an object that it does not have")
        #expect(message(BinaryPlistFixture(objects: [[0xd1, 1, 1], [9]]).bytes()) == prefix + "a key is no string")
        #expect(
            message(BinaryPlistFixture(objects: [[0x70]]).bytes()) == prefix
                + "an object is of a kind that is not known")
        let long: [UInt8] = [0x5f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
        #expect(message(BinaryPlistFixture(objects: [long]).bytes()) == prefix + "an object is longer than the file")
    }

    @Test("strings that overlap do not fill the memory")
    func overlapping() {
        // Each begins one byte further on in the same row of bytes, and says that it reaches to the end.
        var objects: [[UInt8]] = [BinaryPlistFixture.array(Array(1...200))]
        objects += (0..<200).map { place in [0x5f, 0x11] + BinaryPlistFixture.bigEndian((199 - place) * 4 + 4, 2) }
        let bytes = BinaryPlistFixture(objects: objects + [Array(repeating: 65, count: 1000)]).bytes()
        #expect(message(bytes) == "the binary property list is broken: its objects overlap")
    }

    @Test("a value shared twice is whole in both places")
    func shared() throws {
        let fixture = BinaryPlistFixture(objects: [[0xa2, 1, 1], [0xa1, 2], BinaryPlistFixture.string("x")])
        let root = try PropertyList.read(PinFileContent(fixture.bytes()))
        #expect(root.array?.map { $0.array?.first?.string } == ["x", "x"])
    }
}
