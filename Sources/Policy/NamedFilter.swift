/// A filter of recorded flows that has a name, as it was written; whoever uses it parses it.
package struct NamedFilter: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
