import Cosm
import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumKit
import HeliumTesting
import Synchronization

/// An API over a transport without a network.
func makeAPI(
    _ transport: MockTransport,
    key: Secret? = "secret-key-1234",
    clock: any HeliumClock = SystemClock(),
    change: (inout ClientOptions) -> Void = { $0.retry = .never }
) throws -> CosmClient {
    var options = ClientOptions()
    change(&options)
    var environment = ClientEnvironment(transport: transport)
    environment.clock = clock
    return try CosmClient(
        apiKey: key,
        baseURL: URL(string: "http://cosm.test/v2") ?? URL(fileURLWithPath: "/"),
        options: options,
        environment: environment
    )
}

/// An answer of the service's to a creation.
func created(_ location: String) -> TransportResponse { .empty(status: 201, fields: [.location: location]) }

extension CosmError {
    /// Returns the error that an operation throws, or `nil`.
    static func thrown(by operation: () async throws -> Void) async -> CosmError? {
        do {
            try await operation()
            return nil
        } catch {
            return error as? CosmError
        }
    }
}
