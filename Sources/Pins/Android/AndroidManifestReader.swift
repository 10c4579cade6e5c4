/// An Android manifest, as text or as compiled XML: what a linter reads of it.
package enum AndroidManifestReader: PinFileReader {
    package static func recognises(_ content: PinFileContent) -> Bool {
        if BinaryXMLReader.recognises(content.bytes) {
            return (try? BinaryXMLReader.read(content.bytes))?.localName == AndroidManifest.rootName
        }
        guard let text = content.text, XMLRoot.name(of: text) == AndroidManifest.rootName else { return false }
        return text.utf8.firstRange(of: "schemas.android.com/apk/res/android".utf8) != nil
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        if BinaryXMLReader.recognises(content.bytes) {
            return try AndroidManifest(try BinaryXMLReader.read(content.bytes)).pinFile(path: path, isBuilt: true)
        }
        guard let text = content.text else {
            throw PinFileFault(line: nil, "it is neither text in UTF-8 nor compiled XML")
        }
        return try AndroidManifest(try XMLReader.read(text, of: .android)).pinFile(path: path)
    }
}

extension AndroidManifest {
    /// - Parameter isBuilt: it is compiled, so that nothing comes to it from the build any more.
    func pinFile(path: String, isBuilt: Bool = false) -> PinFile {
        var file = PinFile(path: path, format: .androidManifest)
        if isDebuggable {
            file.settings.append(PinSetting(.debuggable, line: debuggableLine, "android:debuggable=\"true\""))
        }
        // With a network security config the platform does not ask for it.
        if usesClearText == true, networkSecurityConfig == nil {
            file.settings.append(PinSetting(.clearText, line: clearTextLine, "android:usesCleartextTraffic=\"true\""))
        }
        // Where the number is not said, the build brings it. With a config, what that says of anchors counts.
        if targetSDK != nil || isBuilt && !isSplit, trustsUserByDefault, networkSecurityConfig == nil {
            let words = targetSDK.map { "android:targetSdkVersion=\"\($0)\"" } ?? "no android:targetSdkVersion"
            file.settings.append(PinSetting(.userAnchorsByDefault, line: targetSDKLine, words))
        }
        return file
    }
}
