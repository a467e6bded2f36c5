import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

/// Runs `body` with a transport over real sockets, and closes it.
func withCurlTransport<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (CurlTransport) async throws -> Result
) async throws -> Result {
    let transport = CurlTransport()
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
    /// The whole body as text, a stream's too.
    var text: String {
        get async throws {
            switch body {
            case .collected(let data): String(decoding: data, as: UTF8.self)
            case .stream(let stream): String(decoding: try await stream.collect(upTo: 64 << 20), as: UTF8.self)
            }
        }
    }
}

extension HTTPTransport {
    /// The failure of a request that must fail, in its head or in its body.
    func failure(
        _ request: TransportRequest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TransportFailure {
        try await #require(throws: TransportFailure.self, sourceLocation: sourceLocation) {
            _ = try await execute(request).text
        }
    }
}
