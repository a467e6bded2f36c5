import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

/// The ways the loop can wait, for suites that hold for each.
let drivers: [CurlTransport.Configuration.Driver] = [.automatic, .poll]

/// Runs `body` with a transport, and closes it.
func withTransport<Result>(
    _ driver: CurlTransport.Configuration.Driver = .automatic,
    times: ConnectionTimes = ConnectionTimes(),
    configure: (inout CurlTransport.Configuration) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation,
    _ body: (CurlTransport) async throws -> Result
) async throws -> Result {
    var configuration = CurlTransport.Configuration()
    configuration.driver = driver
    configure(&configuration)
    let transport = CurlTransport(configuration, times: times)
    do {
        let result = try await body(transport)
        await transport.shutdown()
        return result
    } catch {
        await transport.shutdown()
        throw error
    }
}

extension TransportRequest {
    init(_ method: HTTPRequest.Method = .get, to url: String, body: String? = nil) throws {
        self.init(method: method, url: try RequestURL(url), body: body.map { Data($0.utf8) })
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension TransportResponse {
    /// The collected body as text.
    var text: String {
        if case .collected(let data) = body { return String(decoding: data, as: UTF8.self) }
        return "(a stream)"
    }

    var stream: BodyStream {
        get throws {
            guard case .stream(let stream) = body else { throw NotAStream() }
            return stream
        }
    }
}

struct NotAStream: Error {}

extension CurlTransport {
    /// The failure of a request that must fail.
    func failure(
        _ request: TransportRequest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TransportFailure {
        try await #require(throws: TransportFailure.self, sourceLocation: sourceLocation) {
            _ = try await execute(request)
        }
    }
}
