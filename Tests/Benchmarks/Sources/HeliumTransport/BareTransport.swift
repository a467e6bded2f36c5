import BenchmarkHarness
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumSettings

/// `CurlTransport` alone: what the SDK's other layers are measured against.
struct BareTransport: BenchmarkClient {
    private let transport: CurlTransport
    private let request: TransportRequest
    private let lookedUp: HTTPField.Name

    init(options: RunOptions) throws {
        transport = CurlTransport(CurlTransport.Configuration(options))
        request = try Self.request(options.url)
        guard let name = HTTPField.Name(BenchmarkRequest.lookedUpHeader) else { throw UsageError("no header name") }
        lookedUp = name
    }

    func send() async throws -> Answer {
        let response = try await transport.execute(request)
        guard case .collected(let body) = response.body else { throw UsageError("the body came as a stream") }
        return Answer(status: response.head.status, bodyBytes: body.count, header: response.head[lookedUp])
    }

    func hold(_ url: String, opened: @Sendable () -> Void) async throws {
        var request = try Self.request(url)
        request.responseBody = .stream
        request.timeouts.idle = nil
        let response = try await transport.execute(request)
        opened()
        guard case .stream(let body) = response.body else { throw UsageError("the body did not come as a stream") }
        for try await _ in body {}
    }

    var executor: (any TaskExecutor)? { transport.taskExecutor }

    func close() async throws { await transport.shutdown() }

    private static func request(_ url: String) throws -> TransportRequest {
        var fields = HTTPFields()
        for (name, value) in BenchmarkRequest.headers {
            guard let name = HTTPField.Name(name) else { throw UsageError("\(name) is no header name") }
            fields[name] = value
        }
        return TransportRequest(
            method: .get,
            url: try RequestURL(url),
            fields: fields,
            responseBody: .collect(upTo: BenchmarkRequest.bodyCeiling)
        )
    }
}
