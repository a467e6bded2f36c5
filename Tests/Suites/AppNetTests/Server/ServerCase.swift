import AppNet
import Testing

/// A call of the page, made by its method against the embedded server.
struct ServerCase: Sendable, CustomTestStringConvertible {
    /// Its name in the table.
    let name: String
    let call: @Sendable (ServerWorld) async throws -> Void

    init(_ name: String, _ call: @escaping @Sendable (ServerWorld) async throws -> Void) {
        self.name = name
        self.call = call
    }

    var testDescription: String { name }

    static let all: [ServerCase] = channels + messages + files + users + posts + others + pnutOnly
}
