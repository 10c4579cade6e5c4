/// Swift for Alamofire's `ServerTrustManager`.
///
/// It pins the keys of certificates in the app's bundle.
enum AlamofireWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = "import Alamofire\nimport Foundation\nimport Security\n\n" + ExportComment.lines(notes, "//")
        out += """
            // Alamofire compares keys, not hashes: put a certificate of each pinned key into the app's bundle, as NAME.cer (DER).
            // A backup key can have one that it has signed itself. Where none is found, every connection is refused.
            func pinnedKeys(_ names: [String]) -> [SecKey] {
                names.compactMap { name in
                    guard let url = Bundle.main.url(forResource: name, withExtension: "cer"),
                        let data = try? Data(contentsOf: url),
                        let certificate = SecCertificateCreateWithData(nil, data as CFData)
                    else { return nil }
                    return SecCertificateCopyKey(certificate)
                }
            }

            let serverTrustManager = ServerTrustManager(
                allHostsMustBeEvaluated: false,
                evaluators: [

            """
        for host in hosts where host.isPinned {
            let domain = host.domain ?? ""
            let count = max(1, host.base64Pins.count)
            let names = (0..<count).map { "\"\(domain)-\($0 + 1)\"" }.joined(separator: ", ")
            out += ExportComment.lines(
                host.base64Pins.enumerated().map { "\(domain)-\($0.offset + 1).cer: sha256/\($0.element)" }, "//",
                indent: 8)
            out += "        \"\(domain)\": PublicKeysTrustEvaluator(keys: pinnedKeys([\(names)])),\n"
        }
        if !hosts.contains(where: \.isPinned) { out += "        :\n" }
        return out + "    ]\n)\n"
    }
}
