import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting

/// A pipeline over a mock transport, with a clock that stands still.
func makePipeline(
    _ transport: MockTransport,
    baseURL: String = "https://api.example.com",
    authorizer: any Authorizer = NoAuthorizer(),
    clock: any HeliumClock = TestClock(),
    retry: RetryPolicy = .never,
    configure: (inout ClientOptions) -> Void = { _ in }
) throws -> Pipeline {
    var options = ClientOptions()
    // A pause on a clock that stands still would never end.
    options.retry = retry
    configure(&options)
    // Its errors, envelope and selection stand for those of any server.
    options.adoptMiddlewareVocabulary()
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

extension RetryPolicy {
    /// The default policy without pauses.
    static let quick: Self = {
        var policy = Self.standard
        policy.baseDelay = .zero
        return policy
    }()
}
