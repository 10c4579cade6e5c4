import CCoding

/// A regular expression that takes time linear in the text, whatever it says (RE2).
///
/// RE2's syntax: Perl's without back-references and look-around. `.` does not match a line feed (`(?s)` lets it), `^` and
/// `$` are the ends of the text (`(?m)`: of its lines). Text is searched as UTF-8; bytes that are none match no character,
/// not even `.`, and what stands around them is found all the same.
///
/// `@unchecked Sendable`: the compiled pattern does not change, and RE2 lets any thread match with it at any time, with a
/// lock of its own around what it caches.
@safe package final class LinearRegex: @unchecked Sendable {
    /// Bytes of a pattern in UTF-8. Nobody types more, and compiling takes time.
    package static let patternLimit = 4096
    /// Bytes that a pattern may take, compiled and with what matching caches (RE2's own default). A pattern that needs
    /// more is refused; a cache that is full is emptied.
    private static let memoryLimit: Int64 = 8 * 1024 * 1024

    package let pattern: String
    package let ignoresCase: Bool
    // Owned.
    private let regex: OpaquePointer

    package init(_ pattern: String, ignoresCase: Bool) throws(RegexFault) {
        guard pattern.utf8.count <= Self.patternLimit else {
            throw RegexFault(reason: "longer than \(Self.patternLimit) bytes")
        }
        var fault = pp_regex_fault()
        var text = pattern
        let compiled = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe pp_regex_new(bytes.baseAddress, bytes.count, ignoresCase, Self.memoryLimit, &fault)
            }
        }
        guard let compiled = unsafe compiled else {
            throw Self.fault(
                Self.text(of: fault.reason), about: Self.text(of: fault.fragment), in: pattern)
        }
        self.pattern = pattern
        self.ignoresCase = ignoresCase
        unsafe regex = compiled
    }

    deinit { unsafe pp_regex_free(regex) }

    /// Whether it matches anywhere in the bytes: `text.utf8`, an array, a slice.
    package func matches(in bytes: some Collection<UInt8>) -> Bool {
        if let found = bytes.withContiguousStorageIfAvailable({ unsafe matches($0) }) { return found }
        return unsafe Array(bytes).withUnsafeBufferPointer { unsafe matches($0) }
    }

    private func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe pp_regex_matches(regex, bytes.baseAddress, bytes.count)
    }

    /// RE2 names the part that it blames and not where it stands: that is sure only of a part that occurs once.
    private static func fault(_ reason: String, about fragment: String, in pattern: String) -> RegexFault {
        // It ends its words with the part that it blames.
        let suffix = ": \(fragment)"
        let reason = reason.hasSuffix(suffix) ? String(reason.dropLast(suffix.count)) : reason
        // What was cut is no part of the pattern any more.
        guard !fragment.isEmpty, fragment != pattern else { return RegexFault(reason: reason) }
        let (whole, part) = (Array(pattern.utf8), Array(fragment.utf8))
        guard part.count <= whole.count else { return RegexFault(reason: reason) }
        let places = (0...whole.count - part.count).filter { whole[$0...].starts(with: part) }
        guard let place = places.first else { return RegexFault(reason: reason) }
        let offset = places.count == 1 ? String(decoding: whole[..<place], as: UTF8.self).count : nil
        return RegexFault(reason: reason, fragment: fragment, offset: offset)
    }

    /// Of an array of C that ends with a zero byte.
    private static func text<Bytes>(of array: Bytes) -> String {
        unsafe withUnsafeBytes(of: array) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
