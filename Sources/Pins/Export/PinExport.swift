import Facts

/// Writes one list of pins in another format: `pinproof pins export --for FORMAT`.
///
///     let export = PinExport(file, as: .nsc)
///     export.text         // the file
///     export.losses       // what it cannot say, for standard error; the same stands in its comments
///
/// The entries are fitted to the format, and what came of it is held against the list by the platform's own rules: no
/// difference goes unsaid.
package struct PinExport: Sendable {
    /// Something that the format cannot say.
    package struct Loss: Hashable, Sendable, CustomStringConvertible {
        /// A host or pattern; nil: the file as a whole.
        package var pattern: String?
        package var text: String

        init(_ pattern: PinnedPattern?, _ text: String) {
            self.pattern = pattern?.description
            self.text = text
        }

        init(_ host: DeclaredHost, _ text: String) {
            pattern = host.patterns.joined(separator: ", ")
            self.text = text
        }

        package var description: String {
            Printable.excerpt(pattern.map { "\($0): \(text)" } ?? text, limit: 1_000)
        }
    }

    package let format: ExportFormat
    /// As the format has them, by its platform's rules.
    package let hosts: [DeclaredHost]
    package let losses: [Loss]
    /// Comments that stand before those of what is lost.
    private let remarks: [String]
    private let source: PinFile

    /// - Parameters:
    ///   - file: of any format.
    ///   - remarks: for comments, a line each.
    package init(_ file: PinFile, as format: ExportFormat, remarks: [String] = []) {
        let list = ExportList(file)
        var fitting = ExportFitting(format)
        for host in list.hosts { fitting.add(host) }
        self.format = format
        source = file
        self.remarks = remarks
        hosts = fitting.result
        losses =
            (list.losses + fitting.losses
            + ExportComparison(wanted: fitting.wanted, made: hosts, as: format).losses).uniqued()
    }

    /// With a line break at its end.
    package var text: String {
        let notes = remarks + losses.map(\.description)
        return switch format {
        case .okHttp: OkHttpWriter.text(hosts, notes)
        case .nsc: AndroidConfigWriter.text(hosts, notes, withTrustKit: false)
        case .trustKitAndroid: AndroidConfigWriter.text(hosts, notes, withTrustKit: true)
        case .apple, .appleLeaf, .appleCA: AppleConfigWriter.text(hosts, notes)
        case .trustKit: TrustKitWriter.text(hosts, notes)
        case .alamofire: AlamofireWriter.text(hosts, notes)
        case .cronet: CronetWriter.text(hosts, notes)
        case .curl: CurlWriter.text(hosts, notes)
        case .python: PythonWriter.text(hosts, notes)
        case .node: NodeWriter.text(hosts, notes)
        case .go: GoWriter.text(hosts, notes)
        case .flutter: FlutterWriter.text(hosts, notes)
        case .reactNative: ReactNativeWriter.text(hosts, notes)
        case .hpkp: HPKPWriter.text(hosts, notes)
        case .profile: ProfileWriter([source]).text
        case .pins: PinListWriter.text(hosts, losses)
        }
    }
}
