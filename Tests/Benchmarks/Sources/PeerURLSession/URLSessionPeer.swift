import BenchmarkHarness
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Foundation's URLSession: `data(for:)`, no cache, as many connections as requests in flight.
///
/// HTTP/1.1 in clear text only: on Linux it refuses a private CA and hangs afterwards (`performance.md` §2.2).
struct URLSessionPeer: BenchmarkClient {
    private let session: URLSession
    private let url: URL

    init(options: RunOptions) throws {
        guard let url = URL(string: options.url), !options.http2, options.idleStreams == 0 else {
            throw UsageError("URLSession is measured over HTTP/1.1 without idle streams only")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = options.concurrency
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = 30
        session = URLSession(configuration: configuration)
        self.url = url
    }

    func send() async throws -> Answer {
        var request = URLRequest(url: url)
        for (name, value) in BenchmarkRequest.headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw UsageError("no HTTP response") }
        return Answer(
            status: response.statusCode,
            bodyBytes: body.count,
            header: response.value(forHTTPHeaderField: BenchmarkRequest.lookedUpHeader)
        )
    }

    func hold(_ url: String, opened: @Sendable () -> Void) async throws {
        throw UsageError("URLSession is not measured with idle streams")
    }

    func close() async throws { session.invalidateAndCancel() }
}
