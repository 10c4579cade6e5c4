import Testing

@testable import Pins

@Suite("Mach-O binaries")
struct IPAMachOTests {
    private static func little(_ number: Int) -> [UInt8] { BinaryPlistFixture.bigEndian(number, 4).reversed() }
    private static func big(_ number: Int) -> [UInt8] { BinaryPlistFixture.bigEndian(number, 4) }

    /// One of 64 bits, with load commands and a signature.
    static func binary(libraries: [String] = [], isEncrypted: Bool = false, entitlements: String? = nil) -> [UInt8] {
        var commands: [[UInt8]] = libraries.map { name in
            let text = Array(name.utf8) + [UInt8](repeating: 0, count: 8 - name.utf8.count % 8)
            return little(0xc) + little(24 + text.count) + little(24) + little(0) + little(0) + little(0) + text
        }
        commands.append(little(0x2c) + little(24) + little(0) + little(0) + little(isEncrypted ? 1 : 0) + little(0))
        let signature = entitlements.map { text in
            let blob = big(0xfade_7171) + big(8 + text.utf8.count) + Array(text.utf8)
            return big(0xfade_0cc0) + big(28 + blob.count) + big(2) + big(0) + big(28) + big(5) + big(28) + blob
        }
        let size = 32 + commands.reduce(0) { $0 + $1.count } + (signature == nil ? 0 : 16)
        if let signature { commands.append(little(0x1d) + little(16) + little(size) + little(signature.count)) }
        let header =
            little(0xfeed_facf) + little(0x0100_000c) + little(0) + little(2) + little(commands.count)
            + little(size - 32) + little(0) + little(0)
        return header + commands.flatMap { $0 } + (signature ?? [])
    }

    @Test("libraries, encryption and entitlements are read, of a fat binary too")
    func whole() {
        let thin = Self.binary(
            libraries: ["@rpath/TrustKit.framework/TrustKit", "/usr/lib/libSystem.B.dylib"], isEncrypted: true,
            entitlements: "<plist><dict><key>a</key><true/></dict></plist>")
        let fat =
            Self.big(0xcafe_babe) + Self.big(1) + Self.big(0x0100_000c) + Self.big(0) + Self.big(28)
            + Self.big(thin.count)
            + Self.big(0) + thin
        for bytes in [thin, fat] {
            let image = IPAMachO(bytes)
            #expect(image.libraries == ["@rpath/TrustKit.framework/TrustKit", "/usr/lib/libSystem.B.dylib"])
            #expect(image.isEncrypted && image.entitlements?["a"]?.boolean == true)
            #expect(IPALibraries.named(by: image.libraries) == ["trustkit"])
        }
        #expect(!IPAMachO(Self.binary()).isEncrypted && IPAMachO(Self.binary()).entitlements == nil)
    }

    @Test("what is cut or changed anywhere never traps")
    func hostile() {
        let bytes = Self.binary(
            libraries: ["@rpath/X.framework/X"], entitlements: "<plist><dict><key>a</key><true/></dict></plist>")
        for count in bytes.indices { _ = IPAMachO(Array(bytes[..<count])) }
        for place in bytes.indices {
            for value in [0, 0xff, 0x7f, bytes[place] &+ 1] as [UInt8] {
                var other = bytes
                other[place] = value
                _ = IPAMachO(other)
            }
        }
        _ = IPAMachO(Self.big(0xcafe_babe) + [UInt8](repeating: 0xff, count: 400))
    }

    @Test("a large one is read in a few parts, wherever they lie")
    func parts() throws {
        let thin = Self.binary(entitlements: "<plist><dict><key>a</key><true/></dict></plist>")
        let gap = [UInt8](repeating: 0, count: 1 << 20)
        let count = 28 + gap.count
        let fat =
            Self.big(0xcafe_babe) + Self.big(1) + Self.big(0x0100_000c) + Self.big(0) + Self.big(count)
            + Self.big(thin.count) + Self.big(0) + gap + thin
        var read = 0
        let members = IPAMembers(names: ["a"], size: { _ in nil }) { _, _, take throws(PinFileFault) in
            for start in stride(from: 0, to: fat.count, by: 10_000) {
                let piece = Array(fat[start..<min(fat.count, start + 10_000)])
                read += piece.count
                guard take(piece) else { return }
            }
        }
        let image = IPAMachO { ranges in (try? members.parts("a", ranges, .max)) ?? [] }
        #expect(image.entitlements?["a"]?.boolean == true)
        #expect(read < 3 * fat.count)
        #expect(try members.parts("a", [5..<9, 0..<2, 3..<3], .max) == [Array(fat[5..<9]), Array(fat[0..<2]), []])
    }
}
