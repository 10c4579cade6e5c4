/// Terms, and how they are joined.
///
/// `all` and `any` have other than one child, and none of their own kind among them; an empty `all` is true.
package indirect enum FilterNode: Hashable, Sendable {
    case all([FilterNode])
    case any([FilterNode])
    case not(FilterNode)
    case term(FilterTerm)

    static func all(joining nodes: [FilterNode]) -> FilterNode {
        let flat = nodes.flatMap { node in
            if case .all(let children) = node { children } else { [node] }
        }
        return flat.count == 1 ? flat[0] : .all(flat)
    }

    static func any(joining nodes: [FilterNode]) -> FilterNode {
        let flat = nodes.flatMap { node in
            if case .any(let children) = node { children } else { [node] }
        }
        return flat.count == 1 ? flat[0] : .any(flat)
    }

    /// One of its terms is such.
    package func contains(where test: (FilterTerm) -> Bool) -> Bool {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.contains { $0.contains(where: test) }
        case .not(let node): node.contains(where: test)
        case .term(let term): test(term)
        }
    }
}
