import ArgumentParser
import Facts

/// `HOST:PORT` of `--listen` and its like.
enum ListenArgument {
    static func endpoint(_ text: String, of option: String = "--listen") throws -> Endpoint {
        guard let endpoint = Endpoint(text) else {
            throw ValidationError("\(option): \"\(text)\" is not HOST:PORT, such as 127.0.0.1:8080 or [::1]:0")
        }
        return endpoint
    }
}
