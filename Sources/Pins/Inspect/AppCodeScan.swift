import Facts

/// What an app's code and assets tell by themselves: known libraries, and text like pins.
///
///     var scan = AppCodeScan(KnownLibrary.android)
///     scan.add(name: "lib/arm64-v8a/libflutter.so")
///     scan.begin("classes.dex")
///     scan.add(piece)     // any number of them, cut anywhere
///     scan.end()
///     scan.libraries      // ["flutter", "okhttp"]
struct AppCodeScan {
    /// Different ones; an app with more has them as data.
    static let stringLimit = 500
    /// Bytes between text without a mark and a word that makes a pin of it.
    private static let nearness = 160

    private let known: [KnownLibrary]
    /// Marks of pins, words near pins, and what libraries leave, in this order.
    private let markers: ByteMarkers
    /// Of the last kind of markers.
    private let owners: [Int]
    private var found: Set<Int> = []
    private var seen: Set<String> = []
    private var kept: [AppInspection.PinLikeString] = []
    /// Strings that are pins where a library takes them so.
    private var whole: [AppInspection.PinLikeString] = []
    /// There were more than are kept.
    private(set) var isCut = false

    // Of the member that is being searched.
    private var path = ""
    private var window = PieceWindow()
    private var nextMarker = 0
    private var lone = LoneTexts()
    /// Text that is a pin where a word is near, in the order of the file.
    private var pending: [LoneTexts.Text] = []
    /// Where words end, in the order of the file.
    private var words: [Int] = []

    init(_ known: [KnownLibrary]) {
        self.known = known
        var texts = PinLikeText.Mark.allCases.map(\.text) + PinLikeText.words
        var owners: [Int] = []
        for (index, library) in known.enumerated() {
            texts += library.code
            owners += Array(repeating: index, count: library.code.count)
        }
        markers = ByteMarkers(texts)
        self.owners = owners
    }

    // MARK: What was found

    var libraries: [String] { Set(found.map { known[$0].name }).sorted() }

    /// Each once, with the first member that it is in; strings that only a library makes pins of come last.
    var strings: [AppInspection.PinLikeString] {
        guard found.contains(where: { known[$0].takesBarePins }) else { return kept }
        var seen = seen
        return kept + whole.filter { seen.insert($0.value).inserted }.prefix(Self.stringLimit - kept.count)
    }

    // MARK: Members

    /// A member's path: some libraries are told by it alone.
    mutating func add(name: String) {
        let base = name.lastIndex(of: "/").map { name[name.index(after: $0)...] } ?? name[...]
        for (index, library) in known.enumerated() where !found.contains(index) {
            if library.files.contains(where: base.hasPrefix) || library.folders.contains(where: name.contains) {
                found.insert(index)
            }
        }
    }

    /// Libraries by names that the caller knows of.
    mutating func add(libraries names: Set<String>) {
        for (index, library) in known.enumerated() where names.contains(library.name) { found.insert(index) }
    }

    /// A member as a whole.
    mutating func add(_ bytes: [UInt8], of path: String) {
        begin(path)
        add(bytes)
        end()
    }

    mutating func begin(_ path: String) {
        self.path = path
        window = PieceWindow()
        lone = LoneTexts()
        (nextMarker, pending, words) = (0, [], [])
    }

    mutating func add(_ piece: [UInt8]) {
        var rest = piece[...]
        while !rest.isEmpty {
            // A byte before what is looked at: a string's length.
            let start = min(nextMarker, lone.next) - window.offset - 1
            window.add(rest.prefix(PieceWindow.step), keeping: max(0, start))
            rest = rest.dropFirst(PieceWindow.step)
            search()
        }
    }

    mutating func end() {
        window.end()
        search()
        window = PieceWindow()
    }

    // MARK: Searching

    private mutating func search() {
        let reach = markers.longest + PinLikeText.reach
        let end = window.bytes.count - (window.isLast ? 0 : reach)
        let start = nextMarker - window.offset
        if start < end {
            // The closure changes what the scan would hold.
            let (markers, bytes) = (markers, window.bytes)
            markers.scan(bytes, starts: start..<end) { marker, end in take(marker, bytes, end) }
            nextMarker = window.offset + end
        }
        var texts: [LoneTexts.Text] = []
        lone.scan(window) { texts.append($0) }
        pending += texts
        settle()
    }

    private mutating func take(_ marker: Int, _ bytes: [UInt8], _ end: Int) {
        let marks = PinLikeText.Mark.allCases
        if marker < marks.count {
            // Once there is no room for another, the rest is data.
            guard seen.count < Self.stringLimit || !isCut else { return }
            if let value = PinLikeText.value(marks[marker], bytes, at: end) { keep(value) }
        } else if marker < marks.count + PinLikeText.words.count {
            words.append(max(words.last ?? 0, window.offset + end))
        } else {
            found.insert(owners[marker - marks.count - PinLikeText.words.count])
        }
    }

    /// Text whose neighbourhood was searched: a word is near, or none is.
    private mutating func settle() {
        let known = window.isLast ? Int.max : nextMarker - Self.nearness
        let settled = pending.prefix { $0.place.upperBound <= known }
        for text in settled {
            if isNearWord(text.place) {
                keep(text.value)
            } else if text.isWholeString {
                if whole.count < Self.stringLimit {
                    whole.append(AppInspection.PinLikeString(value: text.value, path: path))
                } else {
                    isCut = true
                }
            }
        }
        pending.removeFirst(settled.count)
        let needed = (pending.first?.place.lowerBound ?? lone.next) - Self.nearness
        words.removeFirst(firstWord(from: needed))
    }

    private func isNearWord(_ place: Range<Int>) -> Bool {
        let index = firstWord(from: place.lowerBound - Self.nearness)
        return index < words.count && words[index] <= place.upperBound + Self.nearness
    }

    /// The number of words that end before a place; they are in order.
    private func firstWord(from place: Int) -> Int {
        var (low, high) = (0, words.count)
        while low < high {
            let middle = (low + high) / 2
            if words[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func keep(_ value: String) {
        guard !seen.contains(value) else { return }
        guard seen.count < Self.stringLimit else {
            isCut = true
            return
        }
        seen.insert(value)
        kept.append(AppInspection.PinLikeString(value: value, path: path))
    }
}
