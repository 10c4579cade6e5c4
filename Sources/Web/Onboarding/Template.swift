/// A piece of markup with holes, `{{name}}`, into which text or further pieces are put.
struct Template: Sendable {
    private enum Piece: Sendable {
        case markup(String)
        case hole(String)
    }

    private var pieces: [Piece] = []

    /// - Parameter text: of ours; what is no hole is taken as it is.
    init(_ text: String) {
        var rest = Substring(text)
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            pieces.append(.markup(String(rest[..<start.lowerBound])))
            pieces.append(.hole(String(rest[start.upperBound..<end.lowerBound])))
            rest = rest[end.upperBound...]
        }
        pieces.append(.markup(String(rest)))
    }

    private init(_ pieces: [Piece]) { self.pieces = pieces }

    /// What is written as one piece after the other.
    static func lines(_ templates: [Template]) -> Template {
        Template(templates.flatMap { $0.pieces + [.markup("\n")] })
    }

    /// The others stay open.
    func filling(_ parts: [String: Template]) -> Template {
        Template(
            pieces.flatMap { piece in
                guard case .hole(let name) = piece, let part = parts[name] else { return [piece] }
                return part.pieces
            })
    }

    /// Text, whatever is in it.
    func filling(text values: [String: String]) -> Template {
        filling(values.mapValues { Template([.markup(Self.escaped($0))]) })
    }

    /// Holes that nothing was put into are empty.
    var text: String {
        pieces.map { if case .markup(let text) = $0 { text } else { "" } }.joined()
    }

    static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.append(character)
            }
        }
        return out
    }
}
