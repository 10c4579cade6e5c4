/// Android's network security config as text or compiled XML, TrustKit's part too.
///
///     let file = try AndroidConfigReader.read(content, path: "res/xml/network_security_config.xml")
///     file.hosts[0].patterns  // ["example.com", "**.example.com"]
///
/// Semantics: AOSP, android/security/net/config (XmlConfigSource, ApplicationConfig, NetworkSecurityConfig), and
/// TrustKit-Android's TrustKitConfigurationParser and PinningTrustManager.
package enum AndroidConfigReader: PinFileReader {
    package static func recognises(_ content: PinFileContent) -> Bool {
        if BinaryXMLReader.recognises(content.bytes) {
            return (try? BinaryXMLReader.read(content.bytes))?.localName == AndroidConfigParser.rootName
        }
        return content.text.flatMap(XMLRoot.name(of:)) == AndroidConfigParser.rootName
    }

    /// - Throws: where it is not well-formed, and what Android itself rejects, with the line.
    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        if BinaryXMLReader.recognises(content.bytes) {
            return try read(try BinaryXMLReader.read(content.bytes), path: path)
        }
        guard let text = content.text else {
            throw PinFileFault(line: nil, "it is neither text in UTF-8 nor compiled XML")
        }
        return try read(try XMLReader.read(text, of: .android), path: path)
    }

    static func read(_ root: XMLElement, path: String) throws(PinFileFault) -> PinFile {
        try AndroidConfigParser.parse(root).pinFile(path: path)
    }
}
