import Yams

/// Reads YAML through Yams so that one mistake does not hide the others.
///
/// Two mistakes would end the parse: a star without quotes (`*.example.com:`, to YAML a broken alias) and a repeated
/// key. So every star is composed as a stand-in character, and aliases are resolved here, where a bomb of them can be
/// bounded; and of two equal keys one is given a stand-in too, so that both reach the reader. A stand-in takes the
/// place of one character: lines and columns stay those of the file.
struct YAMLComposer {
    struct Composed {
        /// nil for a file without content.
        var root: Tree?
        var problems: [SourceText.Unfit]
        /// A key known to be repeated, should the reader not find it: it must never pass.
        var repeated: (key: String, place: Place)?
    }

    static func compose(_ source: SourceText) throws(SourceText.Unfit) -> Composed {
        var standIns = StandIns()
        var scalars = source.scalars.map { $0 == "*" ? StandIns.star : $0 }
        var repeated: (key: String, place: Place)?
        while true {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            do {
                // Explicit, as Yams' default resolver costs regular expressions, and its encoding obeys a variable.
                let parser = try Parser(yaml: String(text), resolver: .basic, encoding: .utf8)
                guard let root = try parser.singleRoot() else {
                    return Composed(root: nil, problems: [], repeated: nil)
                }
                var builder = TreeBuilder(standIns: standIns)
                // Nodes hold their anchors weakly: the parser owns them.
                let tree = withExtendedLifetime(parser) { builder.build(root) }
                return Composed(root: tree, problems: builder.problems, repeated: repeated)
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                let place = Place(context.mark.line, context.mark.column)
                if let found = collection(at: place, source) {
                    throw .init(fault: .wrongType(.aKey(of: ""), found: found, expected: .text), place: place)
                }
                let first = repeated ?? (standIns.restored((keys.first ?? "").unicodeScalars), place)
                repeated = first
                guard let index = keyStart(at: place, source, scalars, standIns),
                    let standIn = standIns.add(for: scalars[index])
                else { throw unfit(first) }
                scalars[index] = standIn
            } catch {
                // A stand-in makes no good YAML bad; if it did, the repeated key would still be the mistake.
                if let repeated { throw unfit(repeated) }
                throw SyntaxMistake.unfit(error, source)
            }
        }
    }

    /// The first occurrence is all that Yams tells.
    static func unfit(_ repeated: (key: String, place: Place)) -> SourceText.Unfit {
        .init(fault: .repeatedKey(repeated.key, .top, firstLine: repeated.place.line), place: repeated.place)
    }

    /// What a key is that is no text: such a one is wrong, repeated or not.
    private static func collection(at place: Place, _ source: SourceText) -> ProfileError.Found? {
        switch source.index(of: place).map({ source.scalars[$0] }) {
        case "["?: .list
        case "{"?: .map
        default: nil
        }
    }

    /// The first character of the key at a place, behind its quote; nil where changing it could change what it is.
    private static func keyStart(
        at place: Place, _ source: SourceText, _ scalars: [Unicode.Scalar], _ standIns: StandIns
    ) -> Int? {
        guard let index = source.index(of: place) else { return nil }
        let first = scalars[index]
        guard first == "\"" || first == "'" else {
            return first.properties.isAlphabetic || first.properties.numericType != nil || standIns.contains(first)
                ? index : nil
        }
        let next = index + 1
        return next < scalars.count && scalars[next] != first && scalars[next] != "\\" ? next : nil
    }
}
