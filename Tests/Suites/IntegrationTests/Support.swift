import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting

/// A todo of the demo project.
struct Todo: Codable, Sendable, Equatable {
    var id: String
    var name: String
    var status: String

    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, status
    }
}

struct TodoDraft: Encodable, Sendable {
    var name: String?
    var status: String?
}

struct Created: Decodable, Sendable { let id: String }

extension RunningServer {
    /// A client's configuration for this server.
    func configuration(store: any TokenStore = MemoryTokenStore()) -> HeliumConfiguration {
        HeliumConfiguration(
            secret: Secret(ready.middleware.secret),
            secretID: ready.middleware.secretID,
            baseURL: ready.middleware.base,
            device: DeviceConfiguration(url: ready.middleware.devices, info: DeviceInfo(culture: "en-GB"), store: store)
        )
    }

    /// Runs `body` with a client of this server.
    func withHelium<Value: Sendable>(
        _ configure: (inout HeliumConfiguration) -> Void = { _ in },
        _ body: (Helium) async throws -> Value
    ) async throws -> Value {
        var configuration = configuration()
        configure(&configuration)
        return try await HeliumKit.withHelium(configuration, body)
    }
}

/// The failure of an operation that must fail with a ``HeliumError``.
func failure(of operation: () async throws -> some Any) async throws -> HeliumError {
    do {
        _ = try await operation()
    } catch let error as HeliumError {
        return error
    }
    throw UnexpectedSuccess()
}

struct UnexpectedSuccess: Error {}
