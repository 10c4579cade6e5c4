import Facts
import Policy

/// Certificates that the debugging proxy shows origins.
extension ProfileReader {
    mutating func clientCertificates(_ tree: Tree) -> [ClientCertificateRule] {
        var first: [HostPattern: Place] = [:]
        var rules: [ClientCertificateRule] = []
        for entry in entries(tree, of: .key("client_certificates", .upstream)) {
            guard
                let fields = fields(
                    entry, of: .entry(of: "client_certificates", .upstream), as: .clientCertificate,
                    in: .clientCertificate)
            else { continue }
            guard let host = fields["host"] else {
                if !fields.mistyped.contains("host") {
                    report(.missingKey("host", .clientCertificate), at: entry.place)
                }
                continue
            }
            guard let text = text(host, of: .key("host", .clientCertificate), as: .host),
                let pattern = pattern(text, at: host.place)
            else { continue }
            if let first = first[pattern] {
                report(
                    .repeatedHost(
                        text, in: "client_certificates", canonical: pattern.description, firstLine: first.line),
                    at: host.place)
                continue
            }
            first[pattern] = host.place
            guard let material = clientMaterial(fields, of: text, at: entry.place) else { continue }
            rules.append(ClientCertificateRule(pattern: pattern, material: material))
        }
        return rules
    }

    private mutating func clientMaterial(
        _ fields: Fields, of host: String, at place: Place
    ) -> ClientCertificateRule.Material? {
        func file(_ key: String) -> String? {
            fields[key].flatMap { self.file($0, of: .key(key, .clientCertificate)) }
        }
        let (pkcs12, certificate, key) = (file("pkcs12"), file("certificate"), file("key"))
        let before = errors.count
        let password = clientPassword(fields, of: host)
        let has = { (key: String) in fields[key] != nil || fields.mistyped.contains(key) }
        switch (has("pkcs12"), has("certificate"), has("key")) {
        case (true, false, false):
            guard errors.count == before else { return nil }
            return pkcs12.map { .pkcs12($0, password ?? .none) }
        case (false, true, true):
            if password != nil { report(.clientCertificate(.strayPassword, host: host), at: place) }
            guard let certificate, let key else { return nil }
            return .pair(certificate: certificate, key: key)
        case (false, true, false): report(.clientCertificate(.noKey, host: host), at: place)
        case (false, false, true): report(.clientCertificate(.noCertificate, host: host), at: place)
        case (false, false, false): report(.clientCertificate(.nothing, host: host), at: place)
        case (true, _, _): report(.clientCertificate(.both, host: host), at: place)
        }
        return nil
    }

    /// nil where none is given.
    private mutating func clientPassword(_ fields: Fields, of host: String) -> ClientCertificateRule.Password? {
        var passwords: [(ClientCertificateRule.Password, Place)] = []
        if let tree = fields["password"], let text = text(tree, of: .key("password", .clientCertificate)) {
            passwords.append((.text(text), tree.place))
        }
        if let tree = fields["password_file"], let path = file(tree, of: .key("password_file", .clientCertificate)) {
            passwords.append((.file(path), tree.place))
        }
        if let tree = fields["password_env"], let name = text(tree, of: .key("password_env", .clientCertificate)) {
            passwords.append((.variable(name), tree.place))
        }
        if passwords.count > 1 { report(.clientCertificate(.severalPasswords, host: host), at: passwords[1].1) }
        return passwords.first?.0
    }
}
