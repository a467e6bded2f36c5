import BenchmarkHarness
import HeliumKit
import HeliumSettings

// As a service on Linux would: all of Foundation is ten megabytes more.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The whole path of a user's call: builder, pipeline, a registered device's signature, transport; the body as `Data`.
struct WholeSDK: BenchmarkClient {
    private let helium: Helium
    private let path: String
    private let lookedUp: HTTPField.Name

    init(options: RunOptions) throws {
        // Split as text: a service has its addresses as they are, and resolves none.
        let parts = options.url.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 2).map { String(Substring($0)) }
        guard parts.count == 3, let base = URL(string: "\(parts[0])//\(parts[1])"),
            let devices = URL(string: "\(parts[0])//\(parts[1])/devices"),
            let name = HTTPField.Name(BenchmarkRequest.lookedUpHeader)
        else { throw UsageError("--url is no URL") }
        var configuration = HeliumConfiguration(
            secret: Secret(String(repeating: "fedcba9876543210", count: 2)),
            secretID: String(repeating: "00112233445566ff", count: 2),
            baseURL: base,
            device: DeviceConfiguration(url: devices, info: .current())
        )
        configuration.options.userAgent = "benchmark/1"
        configuration.connection = CurlTransport.Configuration(options)
        helium = try Helium(configuration)
        path = "/" + parts[2]
        lookedUp = name
    }

    func send() async throws -> Answer {
        let response = try await helium.get(path, returning: Data.self).field(.accept, "application/json").response()
        return Answer(status: response.status, bodyBytes: response.value.count, header: response[lookedUp])
    }

    func hold(_ url: String, opened: @Sendable () -> Void) async throws {
        var timeouts = PhaseTimeouts()
        timeouts.idle = nil
        let path = URL(string: url)?.path ?? "/"
        let stream = try await helium.get(path, returning: Data.self).timeouts(timeouts).stream()
        opened()
        for try await _ in stream.body {}
    }

    func download(_ url: String) async throws -> Answer {
        let path = URL(string: url)?.path ?? "/"
        let stream = try await helium.get(path, returning: Data.self).stream()
        var count = 0
        for try await chunk in stream.body { count += chunk.count }
        return Answer(status: stream.status, bodyBytes: count, header: nil)
    }

    func upload(_ file: String, to url: String) async throws -> Answer {
        let path = URL(string: url)?.path ?? "/"
        let content = RequestContent.file(atPath: file)
        let response = try await helium.put(path, body: content, returning: String.self).response()
        return Answer(status: response.status, bodyBytes: Int(response.value) ?? -1, header: nil)
    }

    var executor: (any TaskExecutor)? { helium.executor }

    func close() async throws { await helium.close() }
}
