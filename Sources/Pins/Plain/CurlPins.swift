import Facts

/// The value of curl's `--pinnedpubkey`.
///
/// Source: CURLOPT_PINNEDPUBLICKEY(3), and `Curl_pin_peer_pubkey` of curl's lib/vtls/vtls.c.
///
/// `sha256//` and base64, several with `;` between them, and the prefix before each; anything else is the name of a
/// file with a key. The base64 is compared as text, so that it has to be as curl would write it. It is the leaf's key alone.
struct CurlPins {
    private(set) var pins: [DeclaredPin] = []
    private(set) var notes: [PinNote] = []
    private(set) var isKnown = true

    private static let prefix = "sha256//"

    init(_ word: ShellWords.Word) {
        let text = word.text
        func note(_ id: PinNote.ID, _ text: String) -> PinNote { PinNote(id, line: word.line, text) }
        guard text.hasPrefix(Self.prefix) else {
            let shown = Printable.excerpt(text)
            if !word.isKnown {
                isKnown = false
                notes.append(note(.unresolved, "the pin is put together while the script runs"))
            } else if text.hasPrefix("sha256/") || text.hasPrefix("sha256:") || Self.looksLikePin(text) {
                pins.append(DeclaredPin(.spkiSHA256, part: .leaf, text: text, digest: nil, line: word.line))
                notes.append(
                    note(
                        .malformedPin,
                        "\(shown) does not begin with sha256//, so curl takes it for the name of a file: every connection "
                            + "fails (fails closed)"))
            } else {
                isKnown = false
                notes.append(note(.unresolved, "the pin is the key in the file \(shown), which is not read"))
            }
            return
        }
        for piece in text.dropFirst(Self.prefix.count).split(
            separator: ";\(Self.prefix)", omittingEmptySubsequences: false)
        {
            let value = String(piece)
            guard !value.contains(ShellWords.unknown) else {
                isKnown = false
                notes.append(note(.unresolved, "a pin is put together while the script runs"))
                continue
            }
            let pin = DeclaredPin(base64: value, part: .leaf, line: word.line)
            guard let digest = pin.digest, Base64.encode(digest) == value else {
                pins.append(DeclaredPin(.spkiSHA256, part: .leaf, text: value, digest: nil, line: word.line))
                notes.append(
                    note(
                        .malformedPin,
                        "\"\(Printable.excerpt(value))\" is no SHA-256 in base64 (44 letters): it matches nothing"))
                continue
            }
            pins.append(pin)
        }
    }

    private static func looksLikePin(_ text: String) -> Bool {
        text.utf8.count == 44 && text.hasSuffix("=") && DeclaredPin(base64: text, line: 1).digest != nil
    }
}
