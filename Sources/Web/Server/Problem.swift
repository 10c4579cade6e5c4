import Facts
import Filters

/// An answer that says what was wrong with the question (RFC 9457).
struct Problem: Error, Sendable {
    var status: Int
    /// Lower case, no full stop.
    var detail: String
    /// Where a filter is wrong: the first character, from 1, and how many, in Unicode code points; what was meant there.
    var place: Place?

    struct Place: Hashable, Sendable {
        var column: Int
        var length: Int
        var suggestion: String?
    }

    init(_ status: Int, _ detail: String, place: Place? = nil) {
        self.status = status
        self.detail = detail
        self.place = place
    }

    init(_ fault: FilterFault) {
        func scalars(_ text: some StringProtocol) -> Int { text.unicodeScalars.count }
        let before = fault.text.prefix(fault.range.lowerBound)
        let wrong = fault.text.dropFirst(fault.range.lowerBound).prefix(fault.range.count)
        self.init(
            400, fault.message + (fault.hint.map { "; " + $0 } ?? ""),
            place: Place(column: scalars(before) + 1, length: scalars(wrong), suggestion: fault.replacement))
    }

    static func notFound(_ what: String) -> Problem { Problem(404, what) }

    var answer: Answer {
        var json = JSONWriter()
        json.beginObject()
        json.field("type", "about:blank")
        json.field("title", Self.title(status))
        json.field("status", status)
        json.field("detail", detail)
        if let place {
            json.field("column", place.column)
            json.field("length", place.length)
            if let suggestion = place.suggestion { json.field("suggestion", suggestion) }
        }
        json.endObject()
        return Answer(status: status, type: "application/problem+json", bytes: json.bytes)
    }

    /// RFC 9110 §15.
    static func title(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 303: "See Other"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Internal Server Error"
        }
    }
}
