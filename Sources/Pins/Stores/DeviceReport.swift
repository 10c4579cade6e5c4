import Facts

/// For a host: which devices take which ways to a root, and whether they meet a pinned key.
package struct DeviceReport: Hashable, Sendable {
    /// Devices to which the same holds.
    package struct Group: Hashable, Sendable {
        package var stores: [DeviceStore]
        /// Shortest first; empty: they refuse the server.
        package var paths: [TrustPaths.Path]
        /// Nil where nothing is pinned.
        package var sight: TrustPaths.Sight?

        /// `Android 7.0 to 9 (API 24 to 28) and iOS 12`.
        package var devices: String { DeviceStore.names(stores) }
    }

    package let host: String
    /// In the order of the stores.
    package let groups: [Group]

    /// - Parameters:
    ///   - pins: those that count for the host; empty: only ways are told.
    ///   - stores: which devices to look at.
    package init(
        host: String, chain: [GenuineCertificate], pins: [DeclaredPin], on day: CalendarDate,
        stores: [DeviceStore] = DeviceStore.all
    ) {
        self.host = host
        let paths = TrustPaths(chain, on: day)
        var groups: [Group] = []
        for store in stores {
            let sight = pins.isEmpty ? nil : paths.sight(of: pins, store)
            let group = Group(stores: [store], paths: paths.paths(store), sight: sight)
            if let index = groups.firstIndex(where: { $0.paths == group.paths && $0.sight == group.sight }) {
                groups[index].stores.append(store)
            } else {
                groups.append(group)
            }
        }
        self.groups = groups
    }

    /// For a person; ends with a line feed.
    package func text(width: Int) -> String {
        let width = max(40, width)
        var lines = TextLines.wrap("ways from \(host) to a root, by device (lists of \(RootTable.checked))", width)
        for group in groups {
            lines += TextLines.wrap(group.devices + words(group), width - 2).enumerated().map {
                $0.element.indented(by: $0.offset == 0 ? 2 : 4)
            }
            for path in group.paths.prefix(Self.pathLimit) {
                let more = path.needsMore ? " (needs a cross-sign that the server does not show)" : ""
                lines += TextLines.hanging("    ", path.text + more, width, indent: 6)
            }
        }
        if groups.contains(where: { $0.stores.contains { $0.isUpdated } }) {
            lines += TextLines.wrap("Android 14 and later get newer lists through Google Play", width)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Longer ways are nobody's first choice.
    private static let pathLimit = 4

    private func words(_ group: Group) -> String {
        switch group.sight {
        case .expected: ": meet a pinned key"
        case .possible: ": may miss the pinned keys, which lie on a longer way"
        case .never: ": never meet a pinned key, and are locked out"
        case .noPath: ": find no way, and refuse the server"
        case nil: group.paths.isEmpty ? ": find no way, and refuse the server" : ":"
        }
    }

    /// As a member of another report: `{"host", "checked", "groups": [{"devices", "sight", "paths": [{"names", …}]}]}`.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("host", host)
        json.field("checked", RootTable.checked.description)
        json.key("groups")
        json.beginArray()
        for group in groups {
            json.beginObject()
            json.field("devices", group.stores.map(\.name))
            json.field("sight", orNull: group.sight?.rawValue)
            json.key("paths")
            json.beginArray()
            for path in group.paths {
                json.beginObject(inline: true)
                json.field("names", path.steps.map(\.name))
                json.field("root", path.steps.last.map { "sha256/" + Base64.encode($0.key) } ?? "")
                json.field("needs_more", path.needsMore)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
