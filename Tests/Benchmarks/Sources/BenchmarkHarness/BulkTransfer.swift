/// One large body: a small one first, then the measured one, and what the process has grown by.
enum BulkTransfer {
    static func run<Client: BenchmarkClient>(
        _: Client.Type,
        _ options: RunOptions,
        _ transfer: RunOptions.Transfer
    ) async throws -> BulkMeasurement {
        let client = try Client(options: options)
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
        let answer = try await send(options.file, options.url)
        let elapsed = ContinuousClock.now - start
        let after = ProcessUsage()
        guard answer.status == 200, answer.bodyBytes == options.bodyBytes else {
            throw UsageError("status \(answer.status), \(answer.bodyBytes) bytes")
        }
        let peak = ProcessUsage.peakResidentKibibytes()
        try await client.close()
        return BulkMeasurement(
            bytes: options.bodyBytes,
            elapsed: elapsed,
            before: before,
            after: after,
            grownKibibytes: max(0, peak - resident),
            peakKibibytes: peak
        )
    }
}

/// The cost of one large body.
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
