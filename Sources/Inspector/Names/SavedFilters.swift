import Console
import Facts
import Filters
import Loop

/// Filters and mutes that somebody has saved: `filters.json` in the data folder.
///
///     {"filters": {"errors": "status:>=400"}, "mutes": {"pictures": "type:image/*"}}
package struct SavedFilters: Sendable {
    package let path: String

    /// 256 filters of 8 KiB are less.
    private static let sizeLimit = 4 << 20

    package init(_ path: String) { self.path = path }

    /// What is saved; nothing where there is no such file. Texts are not looked at.
    package func read() throws -> FilterBook {
        guard Files.exists(path) else { return FilterBook() }
        let bytes = try Files.read(path, limit: Self.sizeLimit)
        let root: JSONValue
        do throws(JSONFault) {
            root = try JSONValue.parse(bytes[...])
        } catch {
            throw broken("it is no JSON from byte \(error.offset + 1) on: \(error.reason)")
        }
        guard root.members != nil else { throw broken("it is no object with \"filters\" and \"mutes\"") }
        let book = FilterBook(filters: try entries(root, "filters"), mutes: try entries(root, "mutes"))
        guard book.names.count <= FilterBook.limit else { throw broken("it has more than \(FilterBook.limit) filters") }
        return book
    }

    private func entries(_ root: JSONValue, _ key: String) throws(Complaint) -> [FilterBook.Entry] {
        guard let value = root[key] else { return [] }
        guard let members = value.members else { throw broken("\"\(key)\" is no object") }
        return try members.map { member throws(Complaint) in
            guard FilterBook.isName(member.name), let text = member.value.string else {
                throw broken("\"\(Printable.excerpt(member.name))\" under \"\(key)\" is no name with a filter as text")
            }
            return FilterBook.Entry(name: member.name, text: text)
        }
    }

    private func broken(_ reason: String) -> Complaint {
        Complaint("\(path): \(reason)", hints: ["mend it, or move it away"], status: .configuration)
    }

    // MARK: Changes

    /// Adds one, or takes the place of one with that name.
    ///
    /// - Parameter others: what else has a name, as a profile's; the new one may name them.
    /// - Returns: what it was before.
    /// - Throws: `FilterFault` where it cannot be read.
    package func save(
        _ name: String, _ text: String, isMute: Bool, beside others: FilterBook = FilterBook(), now: Double
    ) throws -> FilterBook.Entry? {
        guard FilterBook.isName(name) else {
            throw Complaint(
                "\"\(Printable.excerpt(name))\" cannot be a filter's name",
                hints: ["up to \(FilterBook.nameLimit) letters, digits and . _ -, beginning with a letter or a digit"],
                status: .usage)
        }
        var book = try read()
        let before = Self.remove(name, from: &book)
        let entry = FilterBook.Entry(name: name, text: text)
        if isMute { book.mutes.append(entry) } else { book.filters.append(entry) }
        guard book.names.count <= FilterBook.limit else {
            throw Complaint(
                "there are \(FilterBook.limit) filters, and no more can be saved",
                hints: ["pinproof flows filters remove NAME makes room"], status: .usage)
        }
        let filter = try Filter.parse(text, in: .local(now: now, book: book.joined(with: others)))
        if filter.isEverything {
            throw Complaint(
                "a filter without terms is every flow", hints: ["say which flows it is for"], status: .usage)
        }
        // What others made of the old one.
        try check(book.joined(with: others), now: now)
        try write(book)
        return before
    }

    /// - Returns: what it was; nil where there is none of that name.
    package func remove(_ name: String, now: Double) throws -> FilterBook.Entry? {
        var book = try read()
        let wrongBefore = Set(book.faults(in: .local(now: now)).map(\.name))
        guard let entry = Self.remove(name, from: &book) else { return nil }
        if let (user, _) = book.faults(in: .local(now: now)).first(where: { !wrongBefore.contains($0.name) }) {
            throw Complaint(
                "the filter \"\(user)\" names \"\(entry.name)\"", hints: ["remove or change that one first"],
                status: .usage)
        }
        try write(book)
        return entry
    }

    private func check(_ book: FilterBook, now: Double) throws {
        guard let (name, fault) = book.faults(in: .local(now: now)).first else { return }
        throw Complaint(
            "with it, the filter \"\(name)\" would be wrong: column \(fault.column): \(fault.message)",
            hints: fault.hint.map { [$0] } ?? [], status: .usage)
    }

    @discardableResult
    private static func remove(_ name: String, from book: inout FilterBook) -> FilterBook.Entry? {
        guard let entry = book[name] else { return nil }
        book.filters.removeAll { $0 == entry }
        book.mutes.removeAll { $0 == entry }
        return entry
    }

    private func write(_ book: FilterBook) throws {
        var json = JSONWriter(layout: .indented)
        json.beginObject()
        for (key, entries) in [("filters", book.filters), ("mutes", book.mutes)] {
            json.key(key)
            json.beginObject()
            for entry in entries { json.field(entry.name, entry.text) }
            json.endObject()
        }
        json.endObject()
        try PrivateFile.write(path) { try $0(json.bytes + [UInt8(ascii: "\n")]) }
    }
}

extension FilterBook {
    /// With what the other has under names that this one has not.
    package func joined(with other: FilterBook) -> FilterBook {
        var book = self
        book.filters += other.filters.filter { self[$0.name] == nil }
        book.mutes += other.mutes.filter { self[$0.name] == nil }
        return book
    }

    /// The flows that are muted, for one who typed this filter: a mute that it names is asked for, and mutes nothing.
    ///
    /// One that wants every flow mutes nothing: it would hide all.
    ///
    /// - Parameter isWanted: asked of each mute; the others mute nothing.
    /// - Throws: `Complaint` with the mute's name, where one of them is wrong.
    func muted(
        forFilter typed: String = "", now: Double, where isWanted: (Filter) -> Bool = { _ in true }
    ) throws(Complaint) -> Filter? {
        let typed = typed.lowercased()
        // A mute may name one that was asked for.
        let context = FilterContext.local(now: now, book: self)
        var nodes: [FilterNode] = []
        for mute in mutes where !typed.contains("filter:" + mute.name.lowercased()) {
            do throws(FilterFault) {
                let filter = try Filter.parse(mute.text, in: context)
                if !filter.isEverything, isWanted(filter) { nodes.append(filter.root) }
            } catch {
                throw Complaint(
                    "the mute \"\(mute.name)\" is wrong: column \(error.column): \(error.message)",
                    hints: ["pinproof flows filters shows it; save it anew, or remove it"], status: .configuration)
            }
        }
        return nodes.isEmpty ? nil : Filter(nodes.count == 1 ? nodes[0] : .any(nodes))
    }
}
