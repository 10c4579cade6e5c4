import Facts
import Flows

/// Reads flows out of a HAR file, as its bytes come, entry by entry.
///
/// Our own give the flows that were written; those of browsers and other proxies what they say. An entry that is none is
/// told with its number, and the rest is read all the same.
package struct HARReader {
    /// As much as a line of JSON lines.
    package static let entryLimit = JSONLinesReader.lineLimit

    private var scanner: ElementScanner
    private var count = 0
    private let limit: Int
    private let encode: ImportedText.Encoder

    package init(limit: Int = entryLimit, encode: @escaping ImportedText.Encoder = { _, _ in nil }) {
        self.limit = limit
        self.encode = encode
        scanner = ElementScanner(.member("entries"), limit: limit)
    }

    package mutating func read(_ bytes: ArraySlice<UInt8>) -> [ImportStep] {
        scanner.read(bytes).map { found in
            count += 1
            let place = "entry \(count)"
            switch found {
            case .tooLong:
                return .fault(ImportFault(place: place, reason: "it is longer than \(limit) bytes"))
            case .element(let bytes):
                return LenientJSON.step(bytes, place) { json throws(FlowFault) in try HARImport.read(json, encode) }
            }
        }
    }

    /// The file has ended.
    package mutating func finish() -> [ImportStep] {
        if scanner.isCut {
            return [.fault(ImportFault(place: "after entry \(count)", reason: "the file ends in the middle"))]
        }
        guard scanner.isFound else {
            return [.fault(ImportFault(place: "the file", reason: "this is no HAR: it has no log with entries"))]
        }
        return []
    }
}
