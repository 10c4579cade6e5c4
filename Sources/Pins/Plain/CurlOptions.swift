import Facts

/// What a row of curl's options says of pins, on a command line or in a config file.
///
///     var options = CurlOptions(line: 3)
///     options.read(words)
///     options.hosts       // one for each host of its URLs; the last --pinnedpubkey holds for all of them
struct CurlOptions {
    /// Where the command, or the operation behind `--next`, begins.
    let line: Int
    private var value: ShellWords.Word?
    private var urls: [ShellWords.Word] = []
    private var insecure: ShellWords.Word?
    private var defaultScheme = "http"
    private(set) var notes: [PinNote] = []
    /// What `--next` begins.
    private var rest: [CurlOptions] = []

    init(line: Int) { self.line = line }

    // MARK: Reading

    mutating func read(_ words: [ShellWords.Word]) {
        var current = CurlOptions(line: line)
        var done: [CurlOptions] = []
        var remaining = words[...]
        var areURLs = false
        while let word = remaining.popFirst() {
            let text = word.text
            if areURLs || !text.hasPrefix("-") || text == "-" {
                if text != "-", !text.isEmpty { current.urls.append(word) }
            } else if text == "--" {
                areURLs = true
            } else if text == "--next" || text == "-:" {
                done.append(current)
                current = CurlOptions(line: word.line)
            } else if text.hasPrefix("--") {
                let name = String(text.dropFirst(2))
                let hasValue = Self.takesValue(name)
                current.set(name, hasValue ? remaining.popFirst() : nil, from: word)
            } else {
                current.readLetters(word, &remaining)
            }
        }
        done.append(current)
        self = done.removeFirst()
        rest = done
    }

    /// `-sSk`, `-K FILE`, `-KFILE`.
    private mutating func readLetters(_ word: ShellWords.Word, _ remaining: inout ArraySlice<ShellWords.Word>) {
        var letters = word.text.dropFirst()
        while let letter = letters.popFirst() {
            guard Self.letters.contains(letter) else {
                if letter == "k" { set("insecure", nil, from: word) }
                continue
            }
            let value = letters.isEmpty ? remaining.popFirst() : ShellWords.Word(text: String(letters), line: word.line)
            if letter == "K" { set("config", value, from: word) }
            return
        }
    }

    /// One option by its long name.
    mutating func set(_ name: String, _ given: ShellWords.Word?, from word: ShellWords.Word) {
        switch name {
        case _ where Self.isPin(name):
            guard let given else { return }
            if let value {
                notes.append(
                    PinNote(
                        .shadows, line: value.line,
                        "this pin is replaced by the one of line \(given.line): curl takes the last"))
            }
            value = given
        case "insecure": insecure = word
        case "no-insecure": insecure = nil
        case "url": if let given { urls.append(given) }
        case "proto-default": if let given { defaultScheme = given.text.lowercased() }
        case "config":
            let file = given.map { Printable.excerpt($0.text) } ?? "a file"
            notes.append(PinNote(.unresolved, line: word.line, "more options stand in \(file), which is not read here"))
        default:
            guard name.hasPrefix("pinnedpubkey=") else { return }
            value = ShellWords.Word(text: String(name.dropFirst("pinnedpubkey=".count)), line: word.line)
            notes.append(
                PinNote(
                    .misplaced, line: word.line,
                    "curl does not run with this: --pinnedpubkey and its value are two words, without an = (fails closed)"
                ))
        }
    }

    /// Versions before 8 take any beginning of a name that only one has.
    static func isPin(_ name: String) -> Bool { name.hasPrefix("pinnedp") && "pinnedpubkey".hasPrefix(name) }

    // MARK: What it says

    var isPinned: Bool { value != nil || rest.contains(where: \.isPinned) }

    /// - Parameter isCommand: a config file may well leave the URL to the command.
    func add(to file: inout PinFile, isCommand: Bool = false) {
        file.notes += notes
        let hosts = urls.map { CurlURL($0, defaultScheme: defaultScheme) }
        if let value {
            let pins = CurlPins(value)
            file.notes += pins.notes
            var names: [String?] = []
            for host in hosts {
                file.notes += host.notes
                if !names.contains(host.name) { names.append(host.name) }
            }
            if names.isEmpty, isCommand {
                file.notes.append(
                    PinNote(.unresolved, line: line, "the command names no URL here: the host of its pins is not known")
                )
            }
            for name in names.isEmpty ? [nil] : names {
                file.hosts.append(
                    DeclaredHost(
                        name, pins: pins.pins, isPinned: true, pinsKnown: pins.isKnown, format: .curl, line: line))
            }
            for host in hosts where host.scheme == "http" {
                file.settings.append(PinSetting(.clearText, host: host.name, line: host.line, "http://"))
            }
        }
        if let insecure {
            var names: [String?] = []
            for host in hosts where !names.contains(host.name) { names.append(host.name) }
            for name in names.isEmpty ? [nil] : names {
                for kind in [PinSetting.Kind.nameCheckOff, .chainCheckOff] {
                    file.settings.append(
                        PinSetting(kind, host: name, line: insecure.line, Printable.excerpt(insecure.text, limit: 20)))
                }
            }
        }
        for other in rest { other.add(to: &file, isCommand: isCommand) }
    }

    // MARK: The options that have a value

    static func takesValue(_ name: String) -> Bool { isPin(name) || names.contains(Substring(name)) }

    private static let letters: Set<Character> = [
        "A", "C", "D", "E", "F", "H", "K", "P", "Q", "T", "U", "X", "Y", "b", "c", "d", "e", "h", "m", "o", "r", "t",
        "u",
        "w", "x", "y", "z",
    ]

    /// Of curl 8 (`curl --help all`): each of these takes the next word, which may look like a URL and is none.
    private static let names: Set<Substring> = Set(
        """
        abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout \
        connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary \
        data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url \
        dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string \
        ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms \
        haproxy-clientip header help hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json \
        keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth \
        mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output \
        output-dir parallel-max pass preproxy proto proto-default proto-redir proxy proxy-cacert \
        proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key \
        proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers \
        proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range \
        rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid \
        service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit \
        speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword \
        tlsuser trace trace-ascii trace-config unix-socket upload-file upload-flags url url-query user \
        user-agent variable vlan-priority write-out
        """.split { $0 == " " || $0 == "\n" })
}
