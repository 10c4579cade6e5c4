import Facts
import Wire

/// Whose a connection is, where the profile tells clients apart.
extension Connection {
    /// The client by where its connection came to or from; what it shows says more (`noteCredentials`).
    static func client(on listener: String?, from source: IPAddress?, _ worker: Worker) -> String? {
        // The self-test's plan knows no clients: to it, a device that is early is a stranger like any other.
        guard !worker.plan.profile.clients.isEmpty else { return nil }
        return listener ?? source.flatMap(worker.clients.client)
    }

    /// Called before it is decided what happens to the connection.
    func noteCredentials() {
        note.clientName = requestReader.client ?? note.clientName
        note.credentials = requestReader.fault
        machine.client = note.clientName
    }
}
