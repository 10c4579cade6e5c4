import COpenSSL

/// SHA-256 of things of which some come again and again, like the body of a poll.
///
///     let repeated = RepeatedSHA256()
///     let digest = repeated.begin()
///     digest.add(piece)
///     digest.finish()       // as RunningSHA256's
///
/// What had the same beginning and the same digest twice is kept the third time. From then on what begins so is compared,
/// which takes a tenth of the time of hashing, and hashed from the first byte only where it turns out to differ. Lives on one
/// thread, with all that it began.
package final class RepeatedSHA256 {
    /// A first piece of less is not worth it.
    static let smallest = 4 << 10
    /// Of one that is kept.
    static let largest = 1 << 20
    /// Of all that are kept, together; then they are learnt anew.
    static let limit = 8 << 20
    /// Of beginnings that were seen, kept or not; a few hundred KiB.
    static let seenLimit = 4096
    /// Bytes by which one is recognised; the rest is compared.
    static let beginning = 64

    private enum Sight {
        case once(String)
        case twice(String)
        case kept([UInt8], String)
    }

    private var sights: [Int: Sight] = [:]
    /// Bytes of those that are kept.
    private(set) var kept = 0
    /// Beginnings that are remembered.
    var seen: Int { sights.count }

    package init() {}

    package func begin() -> Digest { Digest(self) }

    private func saw(_ key: Int, _ digest: String, _ bytes: [UInt8]?) {
        switch sights[key] {
        case .twice(digest):
            if let bytes, bytes.count <= Self.largest { keep(bytes, digest, key) }
        case .once(digest): sights[key] = .twice(digest)
        case let sight:
            if case .kept(let old, _) = sight { kept -= old.count }
            if sight == nil, sights.count >= Self.seenLimit { forget() }
            sights[key] = .once(digest)
        }
    }

    private func keep(_ bytes: [UInt8], _ digest: String, _ key: Int) {
        if kept + bytes.count > Self.limit { forget() }
        kept += bytes.count
        sights[key] = .kept(bytes, digest)
    }

    private func forget() {
        sights = [:]
        kept = 0
    }

    /// One of them, in pieces.
    package final class Digest {
        private enum State {
            case begun
            /// The same as these so far.
            case same(as: [UInt8], String, count: Int)
            case different(RunningSHA256)
        }

        private let all: RepeatedSHA256
        private var state = State.begun
        /// nil: not to be recognised.
        private var key: Int?
        /// Everything so far, where it is to be kept.
        private var bytes: [UInt8]?

        fileprivate init(_ all: RepeatedSHA256) { self.all = all }

        package func add(_ piece: ArraySlice<UInt8>) {
            switch state {
            case .begun: begin(piece)
            case .same(let known, let digest, let count):
                if piece.count <= known.count - count, Self.isSame(known[count..<(count + piece.count)], piece) {
                    state = .same(as: known, digest, count: count + piece.count)
                } else {
                    let running = RunningSHA256()
                    running.add(known[..<count])
                    running.add(piece)
                    state = .different(running)
                }
            case .different(let running):
                running.add(piece)
                if let count = bytes?.count {
                    if count + piece.count <= RepeatedSHA256.largest { bytes? += piece } else { bytes = nil }
                }
            }
        }

        /// The digest of all of them, in lower-case hexadecimal digits; nothing can be added after it.
        package func finish() -> String {
            switch state {
            case .begun: return RunningSHA256().finish()
            case .same(let known, let digest, let count):
                if count == known.count { return digest }
                let running = RunningSHA256()
                running.add(known[..<count])
                return finish(running)
            case .different(let running): return finish(running)
            }
        }

        /// All that was added, if it is the same as what is kept, or its beginning; nil otherwise.
        package var known: ArraySlice<UInt8>? {
            if case .same(let known, _, let count) = state { known[..<count] } else { nil }
        }

        private func finish(_ running: RunningSHA256) -> String {
            let digest = running.finish()
            if let key { all.saw(key, digest, bytes) }
            return digest
        }

        private func begin(_ piece: ArraySlice<UInt8>) {
            guard !piece.isEmpty else { return }
            let running = RunningSHA256()
            if piece.count >= RepeatedSHA256.smallest {
                let key = piece.prefix(RepeatedSHA256.beginning).hashValue
                self.key = key
                switch all.sights[key] {
                case .kept(let known, let digest):
                    state = .same(as: known, digest, count: 0)
                    return add(piece)
                case .twice: bytes = Array(piece)
                case .once, nil: break
                }
            }
            running.add(piece)
            state = .different(running)
        }

        private static func isSame(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
            unsafe a.withUnsafeBytes { a in
                unsafe b.withUnsafeBytes { b in
                    guard a.count == b.count else { return false }
                    guard let first = a.baseAddress, let second = b.baseAddress else { return true }
                    return unsafe memcmp(first, second, b.count) == 0
                }
            }
        }
    }
}
