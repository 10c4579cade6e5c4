import Facts
import Flows

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
