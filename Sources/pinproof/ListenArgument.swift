import ArgumentParser
import Facts

/// `HOST:PORT` of `--listen`.
enum ListenArgument {
    static func endpoint(_ text: String) throws -> Endpoint {
        guard let endpoint = Endpoint(text) else {
            throw ValidationError("--listen: \"\(text)\" is not HOST:PORT, such as 127.0.0.1:8080 or [::1]:0")
        }
        return endpoint
    }
}
