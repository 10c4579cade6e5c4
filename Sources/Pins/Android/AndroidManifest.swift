import Facts

/// What an app's manifest says of itself and of its connections.
package struct AndroidManifest: Hashable, Sendable {
    /// `com.example.app`.
    package var id: String?
    /// `android:versionName`.
    package var version: String?
    /// `android:versionCode`, with `versionCodeMajor` above its 32 bits.
    package var build: String?
    package var isDebuggable = false
    /// nil where it is not said, or is the name of a preview.
    package var minSDK: Int?
    package var targetSDK: Int?
    /// It is the name of a preview, later than whatever has a number.
    var targetsPreview = false
    /// The resource of `android:networkSecurityConfig`, `0xPPTTEEEE`; 0 where only the name is known.
    package var networkSecurityConfig: UInt32?
    /// As written, `@xml/nsc`; a number where it is compiled.
    package var networkSecurityConfigName: String?
    /// nil where it is not said; the platform asks it of apps without a network security config.
    package var usesClearText: Bool?
    /// A part of an app, for one language, one screen or one feature.
    package var isSplit = false
    var debuggableLine = 1
    var clearTextLine = 1
    var targetSDKLine = 1

    /// The SDK that defaults go by.
    package var effectiveTargetSDK: Int { targetSDK ?? (targetsPreview ? 10_000 : minSDK ?? 1) }
    /// Below Android 9 clear text is allowed where nothing else is said (AOSP, NetworkSecurityConfig).
    var allowsClearTextByDefault: Bool { effectiveTargetSDK < 28 }
    /// Below Android 7 the user's certificates are trusted where nothing else is said.
    var trustsUserByDefault: Bool { effectiveTargetSDK < 24 }

    /// The attributes' own resources: names are for people, and can be stripped.
    ///
    /// AOSP, core/res/res/values/public.xml.
    private enum Resource {
        static let debuggable: (UInt32, String) = (0x0101_000f, "debuggable")
        static let minSDK: (UInt32, String) = (0x0101_020c, "minSdkVersion")
        static let versionCode: (UInt32, String) = (0x0101_021b, "versionCode")
        static let versionName: (UInt32, String) = (0x0101_021c, "versionName")
        static let targetSDK: (UInt32, String) = (0x0101_0270, "targetSdkVersion")
        static let usesClearText: (UInt32, String) = (0x0101_04ec, "usesCleartextTraffic")
        static let networkSecurityConfig: (UInt32, String) = (0x0101_0527, "networkSecurityConfig")
        static let versionCodeMajor: (UInt32, String) = (0x0101_0576, "versionCodeMajor")
    }

    static let rootName = "manifest"

    /// - Throws: where it is none.
    init(_ root: XMLElement, _ table: ResourceTable = ResourceTable()) throws(PinFileFault) {
        guard root.localName == Self.rootName else {
            throw PinFileFault(
                line: root.line, "the outermost element is <\(Printable.excerpt(root.localName))>, not <manifest>")
        }
        let values = Values(table: table)
        id = AndroidConfigParser.plain("package", of: root)?.value
        isSplit = AndroidConfigParser.plain("split", of: root) != nil
        version = values.text(Resource.versionName, of: root)
        if let code = values.number(Resource.versionCode, of: root) {
            let major = values.number(Resource.versionCodeMajor, of: root) ?? 0
            build = "\(UInt64(UInt32(truncatingIfNeeded: major)) << 32 | UInt64(UInt32(truncatingIfNeeded: code)))"
        }
        for element in root.elements("uses-sdk") {
            minSDK = values.number(Resource.minSDK, of: element) ?? minSDK
            targetSDK = values.number(Resource.targetSDK, of: element) ?? targetSDK
            if let target = values.attribute(Resource.targetSDK, of: element) {
                targetSDKLine = target.line
                targetsPreview = targetSDK == nil
            }
        }
        // The platform takes the first, and passes over others.
        guard let application = root.first("application") else { return }
        isDebuggable = values.boolean(Resource.debuggable, of: application) ?? false
        debuggableLine = values.attribute(Resource.debuggable, of: application)?.line ?? application.line
        usesClearText = values.boolean(Resource.usesClearText, of: application)
        clearTextLine = values.attribute(Resource.usesClearText, of: application)?.line ?? application.line
        if let config = values.attribute(Resource.networkSecurityConfig, of: application) {
            networkSecurityConfigName = config.value
            networkSecurityConfig = config.compiled == nil ? 0 : config.compiled?.reference
        }
    }

    /// Attributes by their resource, or by their name in text; references followed.
    private struct Values {
        let table: ResourceTable

        func attribute(_ resource: (id: UInt32, name: String), of element: XMLElement) -> XMLElement.Attribute? {
            element.attributes.first {
                $0.compiled.map { $0.resource == resource.id } ?? ($0.name == "android:\(resource.name)")
            }
        }

        func text(_ resource: (id: UInt32, name: String), of element: XMLElement) -> String? {
            guard let attribute = attribute(resource, of: element) else { return nil }
            guard let reference = attribute.compiled?.reference else { return attribute.value }
            return table.text(of: reference)
        }

        func number(_ resource: (id: UInt32, name: String), of element: XMLElement) -> Int? {
            guard let attribute = attribute(resource, of: element) else { return nil }
            if let number = attribute.compiled?.integer { return number }
            if let reference = attribute.compiled?.reference {
                return table.number(of: reference).map { Int(Int32(bitPattern: $0)) }
            }
            return Int(AndroidConfigParser.trimmed(attribute.value))
        }

        /// Also of a string, as a manifest's attributes are read (AOSP, TypedArray.getBoolean).
        func boolean(_ resource: (id: UInt32, name: String), of element: XMLElement) -> Bool? {
            guard let attribute = attribute(resource, of: element) else { return nil }
            guard let compiled = attribute.compiled else { return AndroidBoolean.read(attribute) }
            if let reference = compiled.reference { return table.number(of: reference).map { $0 != 0 } }
            if compiled.type == CompiledValue.Kind.string { return ["1", "true", "TRUE"].contains(attribute.value) }
            return compiled.boolean
        }
    }
}
