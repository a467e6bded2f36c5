import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting

/// A pipeline over a mock transport, with a clock that stands still.
func makePipeline(
    _ transport: MockTransport,
    baseURL: String = "https://api.example.com",
    authorizer: any Authorizer = NoAuthorizer(),
    clock: any HeliumClock = TestClock(),
    configure: (inout ClientOptions) -> Void = { _ in }
) throws -> Pipeline {
    var options = ClientOptions()
    configure(&options)
    guard let url = URL(string: baseURL) else { throw HeliumError(configuration: "no URL: \(baseURL)") }
    return try Pipeline(
        baseURL: url,
        options: options,
        transport: transport,
        authorizer: authorizer,
        clock: clock
    )
}

extension Pipeline {
    func get<Value: Decodable & Sendable>(_ path: String, as type: Value.Type = Value.self) -> RequestBuilder<Value> {
        RequestBuilder(.get, path, reader: .decoded, pipeline: self)
    }

    func call(_ method: HTTPRequest.Method, _ path: String, _ content: RequestContent? = nil) -> RequestBuilder<Void> {
        RequestBuilder(method, path, content: content, reader: PlainReaders.nothing, pipeline: self)
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
