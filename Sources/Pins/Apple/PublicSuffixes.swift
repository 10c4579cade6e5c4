/// The commonest names under which anybody may register one, as far as a linter needs them.
///
/// Not the Public Suffix List, which changes by the day: what is not here may be one all the same.
enum PublicSuffixes {
    /// Single labels are suffixes, and the second levels that registries of countries share.
    static func contains(_ domain: String) -> Bool {
        let labels = domain.split(separator: ".")
        guard labels.count >= 2 else { return true }
        return shared.contains(domain)
            || labels.count == 2 && secondLevels[String(labels[1])]?.contains(labels[0]) == true
    }

    /// By country; those that share none, or of which it is not known, are not here.
    private static let secondLevels: [String: Set<Substring>] = [
        "ar": ["com"], "au": ["com", "edu", "gov", "net", "org"], "bd": ["com"], "br": ["com", "gov", "net", "org"],
        "cn": ["com", "gov", "net", "org"], "co": ["com"], "eg": ["com"], "hk": ["com"], "id": ["co", "or"],
        "il": ["co", "org"], "in": ["ac", "co", "gov", "net", "org"], "jp": ["ac", "co", "go", "ne", "or"],
        "ke": ["co"],
        "kr": ["co", "go", "or"], "mx": ["com", "gob", "org"], "my": ["com"], "ng": ["com"],
        "nz": ["ac", "co", "govt", "net", "org"],
        "pe": ["com"], "ph": ["com"], "pk": ["com"], "pl": ["com", "net", "org"], "sa": ["com"], "sg": ["com", "gov"],
        "th": ["ac", "co", "go"], "tr": ["com", "gov", "org"], "tw": ["com", "org"], "ua": ["com"],
        "uk": ["ac", "co", "gov", "ltd", "me", "net", "nhs", "org", "plc", "sch"], "vn": ["com"],
        "za": ["ac", "co", "gov", "org"],
    ]

    /// Of hosting, where each customer has a name (the private part of the list).
    private static let shared: Set<String> = [
        "appspot.com", "azurewebsites.net", "blogspot.com", "cloudfront.net", "firebaseapp.com", "fly.dev", "github.io",
        "gitlab.io", "herokuapp.com", "netlify.app", "ngrok.io", "onrender.com", "pages.dev", "run.app",
        "s3.amazonaws.com",
        "vercel.app", "web.app", "workers.dev",
    ]

    /// Last labels that no registry has (RFC 2606, RFC 6762, and what home networks use).
    static let reserved: Set<String> = [
        "test", "example", "invalid", "localhost", "localdomain", "local", "internal", "intranet", "private", "lan",
        "home", "corp",
    ]
}
