import Facts

extension ProfileError {
    /// What can be wrong with an entry of `clients`. No password is ever among the facts.
    package enum ClientFault: Hashable, Sendable {
        /// What tells a client from the others.
        package enum Means: Hashable, Sendable {
            case user(String)
            case listen(Endpoint)
            case address(IPAddress)
        }

        case name(String)
        case noMeans(String)
        case passwordAlone(String)
        case user(String, of: String)
        case password(of: String)
        case listen(String, of: String)
        case address(String, of: String)
        case taken(Means, by: String, line: Int)
    }
}

extension ProfileError.ClientFault {
    var message: String {
        switch self {
        case .name(let text): "\(quoted(text)) cannot be a client's name"
        case .noMeans(let client): "nothing tells client \(printable(client)) from the others"
        case .passwordAlone(let client): "client \(printable(client)) has a password, and no user"
        case .user(let text, let client): "\(quoted(text)) cannot be the user of client \(printable(client))"
        case .password(let client): "the password of client \(printable(client)) cannot be sent to a proxy"
        case .listen(let text, let client):
            "\(quoted(text)) is no address for client \(printable(client)) to be listened for at"
        case .address(let text, let client): "\(quoted(text)) is no IP address of client \(printable(client))"
        case .taken(let means, let client, let line):
            "\(means.words) is that of client \(printable(client)) already, given in line \(line)"
        }
    }

    var hints: [String] {
        switch self {
        case .name: ["up to 64 letters, digits, spaces and . _ - +, beginning with a letter or digit"]
        case .noMeans:
            [
                "give it proxy credentials (user: pixel-8), a port of its own (listen: 127.0.0.1:0), "
                    + "or its address (address: 192.0.2.7)"
            ]
        case .passwordAlone: ["the user is what names it; a password is optional"]
        case .user: ["up to 255 printable ASCII characters, without a colon"]
        case .password: ["up to 255 printable ASCII characters"]
        case .listen(let text, _):
            [
                text.contains("://")
                    ? "write the address alone, for instance 127.0.0.1:0"
                    : "an address of this machine and a port, for instance 127.0.0.1:0; port 0 picks a free one"
            ]
        case .address(let text, _):
            [
                text.contains("/")
                    ? "one address a client: ranges are not known here"
                    : "the address that its connections come from, for instance 192.0.2.7; names are not looked up"
            ]
        case .taken: ["nobody could tell the two apart: each client needs its own"]
        }
    }
}

extension ProfileError.ClientFault.Means {
    fileprivate var words: String {
        switch self {
        case .user(let user): "user \(quoted(user))"
        case .listen(let endpoint): "\(endpoint)"
        case .address(let address): "address \(address)"
        }
    }
}
