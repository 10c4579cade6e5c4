/// A value that Xcode puts in while it builds: `$(API_PIN)`, `${API_HOST}`.
enum BuildSetting {
    /// It refers to one, so that what it will be is not known from the file.
    static func isReferred(to text: String) -> Bool {
        let bytes = Array(text.utf8)
        return ["$(", "${"].contains { ByteSearch.contains(Array($0.utf8), in: bytes) }
    }
}
