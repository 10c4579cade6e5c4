import Facts
import Loop

/// What a device is set up by: the CA's public side, and where it reaches the proxy.
package struct Onboarding: Sendable {
    /// The CA that clients are to trust; no key is in it.
    package struct Root: Hashable, Sendable {
        package var name: String
        package var sha256: String
        /// Unix seconds.
        package var notBefore: Int64
        package var notAfter: Int64
        package var pem: String
        package var der: [UInt8]
        package var mobileConfig: String
        /// Under which Android's system store looks for it.
        package var androidFileName: String
        /// The hosts that it may sign for; empty: all.
        package var scope: [String]

        package init(
            name: String, sha256: String, notBefore: Int64, notAfter: Int64, pem: String, der: [UInt8],
            mobileConfig: String, androidFileName: String, scope: [String]
        ) {
            self.name = name
            self.sha256 = sha256
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.pem = pem
            self.der = der
            self.mobileConfig = mobileConfig
            self.androidFileName = androidFileName
            self.scope = scope
        }
    }

    package var root: Root
    /// Where other devices reach the proxy, as seen by a client that reached it at `local`.
    package var devices: @Sendable (_ local: Endpoint) -> [Endpoint]

    package init(root: Root, devices: @escaping @Sendable (Endpoint) -> [Endpoint]) {
        self.root = root
        self.devices = devices
    }

    /// - Parameter listening: the address that the proxy listens on, an unspecified one included.
    package init(_ ca: ForgingCA, listening: IPAddress) {
        let certificate = ca.authority.root
        let export = CAExport(certificate, isNamesake: ca.authority.isNamesake)
        root = Root(
            name: certificate.commonName ?? certificate.subject, sha256: certificate.sha256,
            notBefore: certificate.notBefore, notAfter: certificate.notAfter, pem: export.pem, der: export.der,
            mobileConfig: export.mobileConfig, androidFileName: export.androidFileName, scope: ca.authority.scope)
        devices = { local in
            // What one of them has reached, others reach as well.
            if local.host.address?.isLoopback == false { return [local] }
            return DeviceAddresses(
                listening: Endpoint(HostName(listening), local.port), machine: LocalAddresses.current()
            ).endpoints
        }
    }
}
