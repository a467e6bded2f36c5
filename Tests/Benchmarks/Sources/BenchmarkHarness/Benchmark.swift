#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One run of one client: idle streams, warm-up, measurement, and a line of JSON on stdout.
///
/// The harness does without Foundation, so that a client which needs none is not charged with its memory.
public enum Benchmark {
    /// Runs `Client` as the command line says and ends the process: 0, or 1 with the reason on stderr.
    public static func main<Client: BenchmarkClient>(_ type: Client.Type) async -> Never {
        do {
            let options = try RunOptions(arguments: Array(CommandLine.arguments.dropFirst()))
            if let transfer = options.transfer {
                print(try await BulkTransfer.run(type, options, transfer).json)
            } else {
                print(try await run(type, options).json)
            }
            exit(0)
        } catch {
            let text = "benchmark: \(error)\n"
            _ = write(STDERR_FILENO, text, text.utf8.count)
            exit(1)
        }
    }

    private static func run<Client: BenchmarkClient>(_: Client.Type, _ options: RunOptions) async throws -> Measurement
    {
        let client = try Client(options: options)
        if options.usesExecutor, client.executor == nil { throw UsageError("the client has no executor") }
        let measurement = try await withHeldStreams(client, options) {
            try await withTaskExecutorPreference(options.usesExecutor ? client.executor : nil) {
                let loop = ClosedLoop(client: client, options: options)
                _ = try await loop.run(requests: max(options.warmUp, options.concurrency * 4))
                return try await measure(loop)
            }
        }
        try await client.close()
        return measurement
    }

    private static func measure<Client: BenchmarkClient>(_ loop: ClosedLoop<Client>) async throws -> Measurement {
        let before = ProcessUsage()
        let start = ContinuousClock.now
        let latencies = try await loop.run(requests: loop.options.requests)
        let elapsed = ContinuousClock.now - start
        return Measurement(latencies: latencies, elapsed: elapsed, before: before, after: ProcessUsage())
    }

    /// Opens the idle streams, waits until each has its head, runs `body` and cancels them.
    private static func withHeldStreams<Client: BenchmarkClient, Result: Sendable>(
        _ client: Client,
        _ options: RunOptions,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard options.idleStreams > 0 else { return try await body() }
        let (heads, continuation) = AsyncStream.makeStream(of: Void.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<options.idleStreams {
                group.addTask {
                    do {
                        try await client.hold(options.idleURL) { continuation.yield() }
                    } catch {
                        // Cancelled at the end of the run; before it, the missing head says so below.
                        if !Task.isCancelled { continuation.finish() }
                    }
                }
            }
            var open = 0
            for await _ in heads.prefix(options.idleStreams) { open += 1 }
            guard open == options.idleStreams else {
                throw UsageError("only \(open) of \(options.idleStreams) idle streams opened")
            }
            let result = try await body()
            group.cancelAll()
            return result
        }
    }
}
