import Facts

@testable import Pins

/// Archives of apps, made as their tools make them; members are stored.
enum AppSample {
    static func zip(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let name = Array(file.name.utf8)
            let common =
                little(0, 12) + little(file.bytes.count, 4) + little(file.bytes.count, 4) + little(name.count, 2)
            directory += [0x50, 0x4b, 1, 2, 20, 0, 20, 0] + common + little(0, 12) + little(out.count, 4) + name
            out += [0x50, 0x4b, 3, 4, 20, 0] + common + little(0, 2) + name + file.bytes
        }
        return out + directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + little(files.count, 2) + little(files.count, 2)
            + little(directory.count, 4) + little(out.count, 4) + [0, 0]
    }

    static let config = """
        <network-security-config>
          <domain-config>
            <domain includeSubdomains="true">example.com</domain>
            <pin-set expiration="2027-06-01">
              <pin digest="SHA-256">AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</pin>
            </pin-set>
            <trust-anchors><certificates src="@7f060000"/><certificates src="system"/></trust-anchors>
          </domain-config>
          <domain-config cleartextTrafficPermitted="true"><domain>legacy.example</domain></domain-config>
        </network-security-config>
        """

    static let entries: [CompiledTable.Entry] = [
        .init(id: 0x7f03_0002, value: .text("res/aB.xml")),
        .init(id: 0x7f04_0000, value: .text("1.2.3")),
        .init(id: 0x7f06_0000, value: .text("res/c.pem")),
    ]

    static let code = Array(
        "\u{0}Lokhttp3/CertificatePinner;\u{0}sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA=\u{0}".utf8)

    /// An APK with the files of a usual one; `others` come after, and replace those of their name.
    static func apk(
        manifest: String = AndroidManifestTests.text, config: String = config, _ others: [(String, [UInt8])] = []
    ) throws -> [UInt8] {
        let compiledConfig = compiledConfig(try XMLReader.read(config))
        let files: [(String, [UInt8])] = [
            ("AndroidManifest.xml", CompiledXML.bytes(AndroidManifestTests.compiled(try XMLReader.read(manifest)))),
            ("resources.arsc", CompiledTable.bytes(entries)), ("res/aB.xml", CompiledXML.bytes(compiledConfig)),
            ("res/c.pem", Array("-----BEGIN CERTIFICATE-----".utf8)), ("classes.dex", code),
            ("res/xml/network_security_config.xml", [1, 2, 3]),
        ]
        return zip(files.filter { file in !others.contains { $0.0 == file.0 } } + others)
    }

    static func bundle(_ entries: [CompiledTable.Entry] = entries) throws -> [UInt8] {
        zip([
            (
                "base/manifest/AndroidManifest.xml",
                ProtobufBytes.xml(AndroidManifestTests.compiled(try XMLReader.read(AndroidManifestTests.text)))
            ),
            ("base/resources.pb", ProtobufBytes.table(entries)),
            ("base/res/aB.xml", ProtobufBytes.xml(compiledConfig(try XMLReader.read(config)))),
            ("base/res/c.pem", [1]), ("base/dex/classes.dex", code), ("BundleConfig.pb", []),
        ])
    }

    /// `src="@7f060000"` as a reference.
    private static func compiledConfig(_ element: XMLElement) -> XMLElement {
        var out = BinaryXMLReaderTests.compiled(element)
        for index in out.attributes.indices {
            guard let id = UInt32(out.attributes[index].value.dropFirst(), radix: 16),
                out.attributes[index].name == "src"
            else { continue }
            out.attributes[index].compiled?.data = id
        }
        out.children = out.children.map(compiledConfig)
        return out
    }

    static func inspect(_ bytes: [UInt8]) throws -> AppInspection {
        try AndroidInspection.read(try ZipArchive(bytes), path: "app.apk", sha256: "00", inflate: { _ in { _ in nil } })
    }
}
