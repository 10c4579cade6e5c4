/// L39: devices that build another chain, in which nothing is pinned.
enum RootNotOnDevices: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L39", "pin-not-seen-on-devices", .warning, "Some devices never meet a pinned key",
        why:
            "Which root a chain ends in depends on what the device knows. An old one goes on to an older root, a new one stops before it. Where the way that a device takes has no pinned key, that device is locked out, and yours is not.",
        fix: "Pin a key that lies on every way: the leaf's or the intermediate's, or both roots.",
        sources: ["TrustManagerImpl.java (Conscrypt)", "https://support.apple.com/en-us/103272"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.appFiles.flatMap { file in
            context.situation.chains.sorted { $0.key < $1.key }.flatMap { host, chain -> [LintFinding] in
                let paths = TrustPaths(chain, on: context.today)
                return file.effective(host, on: context.today).compactMap {
                    finding($0, host, chain, paths, file, context)
                }
            }
        }
    }

    private static func finding(
        _ pins: EffectivePins, _ host: String, _ chain: [GenuineCertificate], _ paths: TrustPaths, _ file: LintFile,
        _ context: LintContext
    ) -> LintFinding? {
        guard pins.refuses(on: context.today), pins.pinsKnown, let entry = pins.entries.first(where: \.isPinned) else {
            return nil
        }
        let stores = DeviceStore.all.filter { isOf(pins.format, $0) }
        let sights = stores.map { ($0, paths.sight(of: pins.pins, $0)) }
        // That locks out everybody, and is L4's.
        guard !PinNotServed.isRefused(pins, chain, context.today) else { return nil }
        let never = sights.filter { $0.1 == .never }.map(\.0)
        let unsure = sights.filter { $0.1 == .possible }.map(\.0)
        let line = entry.pins.first?.line ?? entry.line
        if let example = never.first, let way = paths.paths(example).first {
            return finding(
                .warning, in: file, line: line, host: host,
                "on \(DeviceStore.names(never)) the chain of \(host) is \(way.text), and none of its keys is pinned: such devices are locked out",
                fix:
                    "pin \(way.steps.last?.name ?? "that root") too, or a key below it; if you support no such device, leave it"
            )
        }
        guard let example = unsure.first, let way = paths.paths(example).first else { return nil }
        return finding(
            .note, in: file, line: line, host: host,
            "on \(DeviceStore.names(unsure)) the chain of \(host) mostly is \(way.text), and its pinned key lies on a longer way only",
            fix: "pin \(way.steps.last?.name ?? "that root") too, or a key below it")
    }

    private static func isOf(_ format: PinFormat, _ store: DeviceStore) -> Bool {
        switch format {
        case .androidNSC, .okHttp, .cronet: store.isAndroid
        case .appleATS, .alamofire, .afNetworking: !store.isAndroid && store != .mozilla
        case .curl, .hpkp: store == .mozilla
        default: store != .mozilla
        }
    }
}
