import Facts

extension Attack {
    /// `trusted-ca` by a server that reads and never answers. A client that looks at the certificate only when it has
    /// an answer in hand (`getServerCertificates` after `getResponseCode`) has sent its request by then, credentials
    /// included. A safe client closes without a byte; any byte of application data tells.
    package static let silentServer = Attack(
        id: "silent-server", set: .standard,
        presents: "trusted-ca, and what is sent is read and never answered",
        source: "CWE-367; CWE-696; HttpsURLConnection.getServerCertificates", weakness: .leak,
        standards: Standards(mastg: [Standards.pinningTest], maswe: [Standards.pinning], cwe: ["CWE-295", "CWE-696"]),
        variants: [Variant(name: nil, recipe: .likeTheGenuine, conduct: Conduct(answer: .never))])
}
