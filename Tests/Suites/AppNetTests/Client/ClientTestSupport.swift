import AppNet
import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting

/// A client over a transport without a network.
func makeClient(
    _ transport: MockTransport,
    dialect: AppNetDialect = .appNet,
    token: Secret? = "secret-token-1234",
    clock: any HeliumClock = SystemClock(),
    baseURL: URL? = nil,
    change: (inout AppNetConfiguration) -> Void = { $0.options.retry = .never }
) throws -> AppNetClient {
    let root = dialect == .appNet ? "http://adn.test/stream/0/" : "http://pnut.test/v1/"
    var configuration = AppNetConfiguration(token: token, dialect: dialect, baseURL: baseURL ?? URL(string: root))
    configuration.environment = ClientEnvironment(transport: transport)
    configuration.environment.clock = clock
    change(&configuration)
    return try AppNetClient(configuration: configuration)
}

/// An answer in the envelope.
func answer(
    _ data: String,
    meta: String = #""code":200"#,
    status: Int = 200,
    fields: HTTPFields = [:]
) -> TransportResponse {
    .json(#"{"meta":{\#(meta)},"data":\#(data)}"#, status: status, fields: fields)
}

/// A refusal in the envelope.
func refusal(
    _ status: Int,
    _ meta: String = #""error_message":"no""#,
    fields: HTTPFields = [:]
) -> TransportResponse {
    .json(#"{"meta":{"code":\#(status),\#(meta)}}"#, status: status, fields: fields)
}

extension AppNetError {
    /// Returns the error that an operation throws, or `nil`.
    static func thrown(by operation: () async throws -> Void) async -> AppNetError? {
        do {
            try await operation()
            return nil
        } catch {
            return error as? AppNetError
        }
    }
}

extension HTTPField.Name {
    static func named(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .accept }
}
