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

    package init(limit: Int = entryLimit) {
        self.limit = limit
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
                return LenientJSON.step(bytes, place) { json throws(FlowFault) in try HARImport.read(json) }
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

/// Reads JSON of others, in which strings are not always UTF-8.
enum LenientJSON {
    static func step(
        _ bytes: [UInt8], _ place: String, _ read: (JSONValue) throws(FlowFault) -> RecordedFlow
    ) -> ImportStep {
        do {
            return .flow(try read(try parse(bytes)))
        } catch let fault as JSONFault {
            return .fault(ImportFault(place: "\(place), byte \(fault.offset + 1)", reason: fault.reason))
        } catch let fault as FlowFault {
            return .fault(ImportFault(place: place, reason: fault.reason))
        } catch {
            return .fault(ImportFault(place: place, reason: "it could not be read"))
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(JSONFault) -> JSONValue {
        if String(validating: bytes, as: UTF8.self) != nil { return try JSONValue.parse(bytes) }
        return try JSONValue.parse(Array(String(decoding: bytes, as: UTF8.self).utf8))
    }
}
