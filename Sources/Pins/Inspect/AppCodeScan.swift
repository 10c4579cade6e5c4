import Facts

/// What an app's code and assets tell by themselves: known libraries, and text like pins.
///
///     var scan = AppCodeScan(KnownLibrary.android)
///     scan.add(name: "lib/arm64-v8a/libflutter.so")
///     scan.add(bytes, of: "classes.dex")
///     scan.libraries      // ["flutter", "okhttp"]
struct AppCodeScan {
    /// Different ones; an app with more has them as data.
    static let stringLimit = 500
    private static let pinMark = "sha256/"
    /// Base64 digits of 32 bytes, without padding.
    private static let digits = 43

    private let known: [KnownLibrary]
    private let markers: ByteMarkers
    /// Of each marker but the first, which is that of pins.
    private let owners: [Int]
    private var found: Set<Int> = []
    private var seen: Set<String> = []
    private(set) var strings: [AppInspection.PinLikeString] = []
    /// There were more than are kept.
    private(set) var isCut = false

    init(_ known: [KnownLibrary]) {
        self.known = known
        var texts = [Self.pinMark]
        var owners: [Int] = []
        for (index, library) in known.enumerated() {
            texts += library.code
            owners += Array(repeating: index, count: library.code.count)
        }
        markers = ByteMarkers(texts)
        self.owners = owners
    }

    var libraries: [String] { Set(found.map { known[$0].name }).sorted() }

    /// A member's path: some libraries are told by it alone.
    mutating func add(name: String) {
        let base = name.lastIndex(of: "/").map { name[name.index(after: $0)...] } ?? name[...]
        for (index, library) in known.enumerated() where !found.contains(index) {
            if library.files.contains(where: base.hasPrefix) || library.folders.contains(where: name.contains) {
                found.insert(index)
            }
        }
    }

    mutating func add(_ bytes: [UInt8], of path: String) {
        // The closure cannot hold what is being changed.
        var (found, seen, isCut) = (found, seen, isCut)
        var values: [String] = []
        markers.scan(bytes) { marker, end in
            guard marker == 0 else {
                found.insert(owners[marker - 1])
                return
            }
            guard let value = Self.pin(bytes, at: end), !seen.contains(value) else { return }
            guard seen.count < Self.stringLimit else {
                isCut = true
                return
            }
            seen.insert(value)
            values.append(value)
        }
        (self.found, self.seen, self.isCut) = (found, seen, isCut)
        strings += values.map { AppInspection.PinLikeString(value: $0, path: path) }
    }

    /// What stands behind `sha256/`, where it is the base64 of 32 bytes and ends there. curl writes a second slash.
    private static func pin(_ bytes: [UInt8], at start: Int) -> String? {
        let text = bytes[start...].prefix(digits + 2)
        let count = text.prefix(while: isDigit).count
        let body: ArraySlice<UInt8>
        if count == digits {
            body = text.prefix(digits)
        } else if count == digits + 1, text.first == UInt8(ascii: "/"), text.last == UInt8(ascii: "=") {
            body = text.dropFirst().prefix(digits)
        } else {
            return nil
        }
        return Base64.decoded(body).map { "\(pinMark)\(Base64.encode($0))" }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
