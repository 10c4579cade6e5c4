/// Who reads an XML file in the end, and what it does with one that is not well-formed.
package enum XMLPlatform: Sendable {
    /// aapt2 compiles the file when the app is built; the platform's parser throws at what is not well-formed, at the
    /// first connection (XmlConfigSource.java).
    case android
    /// Xcode refuses an Info.plist that is none, and so does whoever installs the app.
    case apple

    /// Beside that the app fails closed.
    var malformed: String {
        switch self {
        case .android: "aapt2 refuses it: no app is built with this file"
        case .apple: "Xcode refuses it as an Info.plist, and no system installs an app with it"
        }
    }

    /// What becomes of declarations within a DOCTYPE.
    var declared: String {
        switch self {
        // expat, by which aapt2 reads, does so where no default handler is set; what is in another file it leaves out.
        case .android:
            "aapt2 puts an entity's text in when it builds the app: import the built app, or write the text out"
        case .apple: "Apple's parser passes over it, and knows no entity of it: write the text out"
        }
    }
}
