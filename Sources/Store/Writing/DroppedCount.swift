/// What a store was told and did not keep, because it could not keep up or had stopped.
package struct DroppedCount: Hashable, Sendable {
    /// Of bodies and of raw bytes; a body says in its flow what is missing of it.
    package var bytes = 0
    /// Messages that are kept without their data.
    package var messages = 0
    /// Flows of which nothing, or no end, is kept.
    package var flows = 0

    package init(bytes: Int = 0, messages: Int = 0, flows: Int = 0) {
        self.bytes = bytes
        self.messages = messages
        self.flows = flows
    }

    package var isEmpty: Bool { self == DroppedCount() }
}
