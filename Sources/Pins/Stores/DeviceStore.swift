/// The root CAs of one kind of device, or of a browser.
package enum DeviceStore: Hashable, Sendable {
    /// By API level.
    case android(Int)
    /// By the version of iOS, in its first number.
    case apple(Int)
    /// Firefox, and most Linux distributions.
    case mozilla

    /// Every one that the table knows, oldest first.
    package static let all: [DeviceStore] =
        RootTable.androidLevels.map { .android($0) } + RootTable.appleVersions.map { .apple($0) } + [.mozilla]

    package func contains(_ root: KnownRoot) -> Bool {
        switch self {
        case .android(let level): root.android.contains { $0.contains(level) }
        case .apple(let version): root.apple.contains { $0.contains(version) }
        case .mozilla: root.mozillaUntil != nil
        }
    }

    /// `Android 7.1 (API 25)`, `iOS 16`, `Mozilla`.
    package var name: String {
        switch self {
        case .android(let level): "Android \(Self.release(level)) (API \(level))"
        case .apple(let version): "iOS \(version)"
        case .mozilla: "Mozilla"
        }
    }

    /// Source: https://apilevels.com, developer.android.com/tools/releases/platforms.
    private static func release(_ level: Int) -> String {
        let releases = [24: "7.0", 25: "7.1", 26: "8.0", 27: "8.1", 28: "9", 29: "10", 30: "11", 31: "12", 32: "12L"]
        return releases[level] ?? String(level - 20)
    }

    /// `Android 7.0 to 9 (API 24 to 28), iOS 12 to 15 and Mozilla`. Of each kind, runs are put together.
    package static func names(_ stores: [DeviceStore]) -> String {
        let runs = all.reduce(into: [[DeviceStore]]()) { runs, store in
            guard stores.contains(store) else { return runs.append([]) }
            if let last = runs.last?.last, last.isSameKind(store) {
                runs[runs.count - 1].append(store)
            } else {
                runs.append([store])
            }
        }
        let words = runs.filter { !$0.isEmpty }.compactMap { run -> String? in
            guard let first = run.first, let last = run.last else { return nil }
            switch (first, last) {
            case (.android(let a), .android(let b)) where a != b:
                return "Android \(release(a)) to \(release(b)) (API \(a) to \(b))"
            case (.apple(let a), .apple(let b)) where a != b: return "iOS \(a) to \(b)"
            default: return first.name
            }
        }
        guard words.count > 1, let last = words.last else { return words.first ?? "no device" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    private func isSameKind(_ other: DeviceStore) -> Bool {
        switch (self, other) {
        case (.android, .android), (.apple, .apple): true
        default: false
        }
    }
}
