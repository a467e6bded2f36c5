import AsyncHTTPClient
import BenchmarkHarness
import NIOCore
import NIOHTTP1
import NIOSSL

/// AsyncHTTPClient through its async API, with its shared event loops and as many connections as requests in flight.
struct AsyncHTTPClientPeer: BenchmarkClient {
    private let client: HTTPClient
    private let url: String

    init(options: RunOptions) throws {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = options.http2 ? .automatic : .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            options.concurrency + options.idleStreams
        if let file = options.certificateAuthorityFile {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(file)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        url = options.url
    }

    func send() async throws -> Answer {
        let response = try await client.execute(request(url), timeout: .seconds(30))
        let body = try await response.body.collect(upTo: BenchmarkRequest.bodyCeiling)
        return Answer(
            status: Int(response.status.code),
            bodyBytes: body.readableBytes,
            header: response.headers.first(name: BenchmarkRequest.lookedUpHeader)
        )
    }

    func hold(_ url: String, opened: @Sendable () -> Void) async throws {
        let response = try await client.execute(request(url), timeout: .hours(1))
        opened()
        for try await _ in response.body {}
    }

    func download(_ url: String) async throws -> Answer {
        let response = try await client.execute(request(url), timeout: .minutes(5))
        var count = 0
        for try await chunk in response.body { count += chunk.readableBytes }
        return Answer(status: Int(response.status.code), bodyBytes: count, header: nil)
    }

    func upload(_ file: String, to url: String) async throws -> Answer {
        let chunks = try FileChunks(path: file)
        var request = request(url)
        request.method = .PUT
        request.body = .stream(chunks, length: .known(Int64(chunks.size)))
        let response = try await client.execute(request, timeout: .minutes(5))
        let body = try await response.body.collect(upTo: BenchmarkRequest.bodyCeiling)
        return Answer(status: Int(response.status.code), bodyBytes: Int(String(buffer: body)) ?? -1, header: nil)
    }

    func close() async throws { try await client.shutdown() }

    private func request(_ url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        for (name, value) in BenchmarkRequest.headers { request.headers.add(name: name, value: value) }
        return request
    }
}
