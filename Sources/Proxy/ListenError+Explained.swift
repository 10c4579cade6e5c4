import Facts

extension ListenError: ExplainedError {
    package var cause: ErrorCause { .environment }

    package var explanations: [Explanation] {
        let whose = client.map { " for client \($0)" } ?? ""
        return [Explanation("cannot listen on \(address)\(whose): \(reason.reason)", hints: [hint])]
    }

    private var hint: String {
        let option = client == nil ? "--listen" : "listen:"
        if reason.isAddressInUse {
            return "another program listens there; \(option) \(Endpoint(address.endpoint.host, 0)) picks a free port"
        }
        return reason.isPermissionDenied
            ? "ports below 1024 need root; choose another with \(option)"
            : "\(option) takes an address of this machine, and a port"
    }
}

/// A name where an IP address is needed to listen on.
package struct NotAnAddress: ExplainedError, Hashable {
    package let name: String

    package var cause: ErrorCause { .commandLine }

    package var explanations: [Explanation] {
        [
            Explanation(
                "cannot listen on \(name): not an IP address",
                hints: ["--listen 127.0.0.1:0 for this machine, 0.0.0.0:8080 for a device on the network"])
        ]
    }
}
