import ArgumentParser
import Facts
import Proxy

/// The URL of `--upstream-proxy`.
enum UpstreamProxyArgument {
    /// Takes the option's place where that is not given: what is typed can be read in a list of processes.
    static let variable = "PINPROOF_UPSTREAM_PROXY"

    /// - Parameter option: what was typed.
    static func chosen(_ option: String?, environment: [String: String]) throws -> UpstreamProxy? {
        if let option { return try proxy(option) }
        guard let url = environment[variable], !url.isEmpty else { return nil }
        return try proxy(url, of: variable)
    }

    /// What is wrong is told without the URL, which may hold a password.
    static func proxy(_ url: String, of source: String = "--upstream-proxy") throws -> UpstreamProxy {
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
                "\(source): \(reason); write http://HOST:PORT or http://USER:PASSWORD@HOST:PORT")
        }
    }
}
