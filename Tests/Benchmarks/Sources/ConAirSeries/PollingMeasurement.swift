import BenchmarkHarness
import ConAir
import Foundation
import HeliumCurl
import HeliumKit
import HeliumServer

/// Measures the cost of polling 1,000 series every 10 seconds: the CPU time of this process alone. The server runs in a
/// separate process.
struct PollingMeasurement {
    private static let count = 1_000
    private static let round = Duration.seconds(10)

    func run(rounds: Int) async throws -> [OperationResult] {
        let server = try ServerProcess()
        defer { server.end() }
        // One transport, as in a program that has many sources: it has one thread, and shares its connections.
        let transport = CurlTransport(CurlTransport.Configuration())
        var stores: [TimeSeriesStore] = []
        for number in 0..<Self.count {
            let environment = ClientEnvironment(transport: transport)
            let source = try ConAirHTTPSource(url: server.url, id: "series \(number)", environment: environment)
            // The last 24 hours, every 10 seconds.
            stores.append(try TimeSeriesStore(source: source, step: .seconds(120)))
        }
        // What the first replies cost is not polling: they have 720 points.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                if index >= 16 { try await group.next() }
                group.addTask { try await store.collect() }
            }
            try await group.waitForAll()
        }
        for store in stores {
            store.startPolling()
            // Programs do not start all their series at once.
            try await Task.sleep(for: Self.round / Self.count)
        }
        let begin = stores.map { $0.state.lastSuccess }
        var shares: [Double] = []
        for _ in 0..<rounds {
            let (before, start) = (ProcessUsage(), ContinuousClock.now)
            try await Task.sleep(for: Self.round)
            let (after, time) = (ProcessUsage(), ContinuousClock.now - start)
            let user = after.userMicroseconds - before.userMicroseconds
            let used = user + after.systemMicroseconds - before.systemMicroseconds
            shares.append(100 * used / (time / .microseconds(1)))
        }
        for (store, begin) in zip(stores, begin) {
            let state = store.state
            guard state.failureCount == 0, !state.isStale, let last = state.lastSuccess, let begin, begin < last,
                store.points.count > 700
            else { throw NotPolled(description: "\(store): \(state)") }
            store.stopPolling()
        }
        await transport.shutdown()
        return [
            OperationResult(
                group: "conair-polling",
                operation: "1,000 series",
                bytes: 0,
                rounds: shares,
                unit: "percent"
            )
        ]
    }

    /// Serves a series of the simulated sensor until the standard input ends, and prints its URL.
    static func serve() async throws {
        let server = try EmbeddedServer(EmbeddedServerConfiguration())
        let serving = Task { try await server.run() }
        print(try await server.ready().conAir.data.absoluteString)
        fflush(nil)
        Thread.detachNewThread {
            _ = FileHandle.standardInput.readDataToEndOfFile()
            serving.cancel()
        }
        try await serving.value
    }
}

/// The server, in a process that ends when this one does.
private struct ServerProcess {
    let url: URL
    private let process = Process()
    private let input = Pipe()

    init() throws {
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while line.last != 10 {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            line += part
        }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard let url = URL(string: text), url.scheme != nil else { throw NotPolled(description: "no URL: \(text)") }
        self.url = url
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// A series was not polled as it should.
struct NotPolled: Error, CustomStringConvertible {
    let description: String
}
