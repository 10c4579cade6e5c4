import Yams

/// Turns Yams' nodes into a `Tree`: puts stand-ins back, and writes aliases out.
struct TreeBuilder {
    /// A profile has four levels; the rest is room for mistakes. Bounds the recursion here and in the reader.
    static let maxDepth = 32
    /// A file of the greatest size without aliases has fewer that mean anything; with them it could have 10^100.
    static let maxNodes = 200_000

    let standIns: StandIns
    private(set) var problems: [SourceText.Unfit] = []
    private var anchors: [String: (tree: Tree, nodes: Int, height: Int)] = [:]
    private var nodes = 0
    /// The greatest depth met so far below the value that is being built.
    private var deepest = 0
    private var isFull = false

    init(standIns: StandIns) { self.standIns = standIns }

    mutating func build(_ node: Node, depth: Int = 0) -> Tree {
        let place = node.mark.map { Place($0.line, $0.column) } ?? Place(1, 1)
        guard depth <= Self.maxDepth else { return report(.tooDeep, place) }
        guard count(1, place) else { return Tree(place: place, content: .reported) }
        let (nodesBefore, deepestBefore) = (nodes - 1, deepest)
        deepest = depth
        defer { deepest = max(deepest, deepestBefore) }
        var tree = Tree(place: place, content: .reported)
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain
            if let tag = foreignTag(scalar.tag, own: "str") { return report(.tag(tag), place) }
            let raw = scalar.string.unicodeScalars
            // Quoted stars, and stars further inside, are no aliases.
            if isPlain, let first = raw.first, standIns.original(first) == "*" {
                return alias(standIns.restored(raw.dropFirst()), place, depth)
            }
            tree.content = .scalar(standIns.restored(raw), isPlain: isPlain)
        case .sequence(let sequence):
            if let tag = foreignTag(sequence.tag, own: "seq") { return report(.tag(tag), place) }
            tree.content = .list(sequence.map { build($0, depth: depth + 1) })
        case .mapping(let mapping):
            if let tag = foreignTag(mapping.tag, own: "map") { return report(.tag(tag), place) }
            tree.content = .map(
                mapping.map {
                    Tree.Entry(key: build($0.key, depth: depth + 1), value: build($0.value, depth: depth + 1))
                })
        case .alias: return tree  // The parser dissolves aliases; this case serves Yams' encoder.
        }
        // Only now, as YAML has it: a value cannot contain itself.
        if let anchor = node.anchor { anchors[anchor.rawValue] = (tree, nodes - nodesBefore, deepest - depth) }
        return tree
    }

    /// A plain scalar that begins with a star: an alias, or a pattern that lacks its quotes.
    private mutating func alias(_ name: String, _ place: Place, _ depth: Int) -> Tree {
        if let anchored = anchors[name] {
            // Aliases inside of anchored values would stack up to a tree whose release overflows the stack.
            guard depth + anchored.height <= Self.maxDepth else { return report(.tooDeep, place) }
            deepest = depth + anchored.height
            // What is wrong with the value as such is wrong here; what is wrong inside of it, there.
            return Tree(place: place, content: count(anchored.nodes, place) ? anchored.tree.content : .reported)
        }
        // No name behind the star: quotes would not help.
        if name.allSatisfy({ $0 == "*" }) { return report(.unquotedStar("*" + name), place) }
        guard name.utf8.allSatisfy(Self.isAliasCharacter) else {
            problems.append(.init(fault: .unquotedStar("*" + name), place: place))
            // What is meant is plain: the rest of the profile is read as if the quotes were there.
            return Tree(place: place, content: .scalar("*" + name, isPlain: false))
        }
        return report(.unknownAlias(name), place)
    }

    private mutating func count(_ more: Int, _ place: Place) -> Bool {
        nodes += more
        if nodes <= Self.maxNodes { return true }
        nodes = Self.maxNodes
        if !isFull { _ = report(.tooManyNodes, place) }
        isFull = true
        return false
    }

    private mutating func report(_ fault: ProfileError.Fault, _ place: Place) -> Tree {
        problems.append(.init(fault: fault, place: place))
        return Tree(place: place, content: .reported)
    }

    /// A tag that someone wrote. Yams resolves missing ones to the kind's own when it compares keys.
    private func foreignTag(_ tag: Tag, own: String) -> String? {
        let (name, standard) = (tag.description, "tag:yaml.org,2002:")
        if name.isEmpty || name == standard + own { return nil }
        return name.hasPrefix(standard) ? "!!" + name.dropFirst(standard.count) : name
    }

    /// As libyaml has it.
    private static func isAliasCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
