/// Large bodies, one at a time: a small one first, then the measured ones, and what the process has grown by.
enum BulkTransfer {
    static func run<Client: BenchmarkClient>(
        _: Client.Type,
        _ options: RunOptions,
        _ transfer: RunOptions.Transfer
    ) async throws -> BulkMeasurement {
        let client = try Client(options: options)
        if options.usesExecutor, client.executor == nil { throw UsageError("the client has no executor") }
        let measurement = try await withTaskExecutorPreference(options.usesExecutor ? client.executor : nil) {
            try await measure(client, options, transfer)
        }
        try await client.close()
        return measurement
    }

    private static func measure<Client: BenchmarkClient>(
        _ client: Client,
        _ options: RunOptions,
        _ transfer: RunOptions.Transfer
    ) async throws -> BulkMeasurement {
        func send(_ file: String, _ url: String) async throws -> Answer {
            switch transfer {
            case .download: try await client.download(url)
            case .upload: try await client.upload(file, to: url)
            }
        }
        let first = try await send(options.warmUpFile, options.warmUpURL)
        guard first.status == 200 else { throw UsageError("status \(first.status)") }
        let resident = ProcessUsage.residentKibibytes()
        let before = ProcessUsage()
        let start = ContinuousClock.now
        for _ in 0..<options.requests {
            let answer = try await send(options.file, options.url)
            guard answer.status == 200, answer.bodyBytes == options.bodyBytes else {
                throw UsageError("status \(answer.status), \(answer.bodyBytes) bytes")
            }
        }
        let elapsed = ContinuousClock.now - start
        let after = ProcessUsage()
        let peak = ProcessUsage.peakResidentKibibytes()
        return BulkMeasurement(
            bytes: options.bodyBytes * options.requests,
            elapsed: elapsed,
            before: before,
            after: after,
            grownKibibytes: max(0, peak - resident),
            peakKibibytes: peak
        )
    }
}

/// The cost of large bodies.
struct BulkMeasurement: Sendable {
    let mebibytesPerSecond: Double
    let cpuMicrosecondsPerMebibyte: Double
    let switchesPerMebibyte: Double
    let grownKibibytes: Int
    let peakKibibytes: Int

    init(
        bytes: Int,
        elapsed: Duration,
        before: ProcessUsage,
        after: ProcessUsage,
        grownKibibytes: Int,
        peakKibibytes: Int
    ) {
        let mebibytes = max(Double(bytes) / 1_048_576, 1e-9)
        let (seconds, attoseconds) = elapsed.components
        mebibytesPerSecond = mebibytes / max(Double(seconds) + Double(attoseconds) / 1e18, 1e-9)
        let user = after.userMicroseconds - before.userMicroseconds
        let system = after.systemMicroseconds - before.systemMicroseconds
        cpuMicrosecondsPerMebibyte = (user + system) / mebibytes
        switchesPerMebibyte = Double(after.voluntarySwitches - before.voluntarySwitches) / mebibytes
        self.grownKibibytes = grownKibibytes
        self.peakKibibytes = peakKibibytes
    }

    /// The members as one line of JSON; all of them are numbers.
    var json: String {
        let members: [(name: String, value: Double)] = [
            ("mebibytesPerSecond", mebibytesPerSecond),
            ("cpuMicroseconds", cpuMicrosecondsPerMebibyte),
            ("switchesPerMebibyte", switchesPerMebibyte),
            ("grownKibibytes", Double(grownKibibytes)),
            ("peakResidentKibibytes", Double(peakKibibytes)),
        ]
        return "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}
