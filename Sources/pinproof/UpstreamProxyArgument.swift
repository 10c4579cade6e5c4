import ArgumentParser
import Facts
import Proxy

/// The URL of `--upstream-proxy`.
enum UpstreamProxyArgument {
    /// What is wrong is told without the URL, which may hold a password.
    static func proxy(_ url: String) throws -> UpstreamProxy {
        do throws(UpstreamProxy.Fault) {
            return try UpstreamProxy(url: url)
        } catch {
            let reason =
                switch error {
                case .scheme(let name): "\(Printable.escaped(name)) proxies are not supported"
                case .credentials: "its user or password cannot be read (write %25 for %, %3A for : in the user)"
                case .noPort: "it has no port"
                case .notAnEndpoint: "it has no host and port"
                }
            throw ValidationError(
                "--upstream-proxy: \(reason); write http://HOST:PORT or http://USER:PASSWORD@HOST:PORT")
        }
    }
}
