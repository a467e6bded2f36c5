/// The output of one run. The C client prints the same members.
struct Measurement: Sendable {
    var requests: Int
    var requestsPerSecond: Double
    var cpuMicroseconds: Double
    var userMicroseconds: Double
    var systemMicroseconds: Double
    var p50Microseconds: Double
    var p99Microseconds: Double
    var peakResidentKibibytes: Int
    var switchesPerRequest: Double

    init(latencies: LatencyLog, elapsed: Duration, before: ProcessUsage, after: ProcessUsage) {
        // Read first: sorting takes memory of its own.
        peakResidentKibibytes = ProcessUsage.peakResidentKibibytes()
        let sorted = latencies.sorted()
        let count = Double(max(sorted.count, 1))
        let (seconds, attoseconds) = elapsed.components
        requests = sorted.count
        requestsPerSecond = count / max(Double(seconds) + Double(attoseconds) / 1e18, 1e-9)
        userMicroseconds = (after.userMicroseconds - before.userMicroseconds) / count
        systemMicroseconds = (after.systemMicroseconds - before.systemMicroseconds) / count
        cpuMicroseconds = userMicroseconds + systemMicroseconds
        p50Microseconds = Self.percentile(50, of: sorted)
        p99Microseconds = Self.percentile(99, of: sorted)
        switchesPerRequest = Double(after.voluntarySwitches - before.voluntarySwitches) / count
    }

    /// The members as one line of JSON; all of them are numbers.
    var json: String {
        let members: [(name: String, value: Double)] = [
            ("requests", Double(requests)),
            ("requestsPerSecond", requestsPerSecond),
            ("cpuMicroseconds", cpuMicroseconds),
            ("userMicroseconds", userMicroseconds),
            ("systemMicroseconds", systemMicroseconds),
            ("p50Microseconds", p50Microseconds),
            ("p99Microseconds", p99Microseconds),
            ("peakResidentKibibytes", Double(peakResidentKibibytes)),
            ("switchesPerRequest", switchesPerRequest),
        ]
        return "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private static func percentile(_ percent: Int, of sorted: [UInt32]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        return Double(sorted[min(sorted.count * percent / 100, sorted.count - 1)]) / 1000
    }
}
