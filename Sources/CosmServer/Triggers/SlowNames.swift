/// The accounts or receivers whose notifications lately took long. A transfer that succeeds, or fails at once, does not
/// remove a name from them: with time alone they are forgotten.
struct SlowNames {
    /// The duration from which a transfer counts as slow. Receivers that respond faster delay others by less than this.
    static let threshold: Duration = .seconds(1)
    /// The time for which a name is remembered after its last slow transfer.
    static let memory: Duration = .seconds(300)
    /// The maximum number of names. Beyond it, the one whose slow transfer is the longest ago is forgotten.
    static let maximumNames = 1_000

    /// The time of the last slow transfer of each name.
    private var times: [String: Duration] = [:]

    func contains(_ name: String, at now: Duration) -> Bool { times[name].map { now - $0 < Self.memory } ?? false }

    mutating func insert(_ name: String, at now: Duration) {
        times[name] = now
        guard times.count > Self.maximumNames else { return }
        times = times.filter { now - $0.value < Self.memory }
        guard times.count > Self.maximumNames, let oldest = times.min(by: { $0.value < $1.value })?.key else { return }
        times[oldest] = nil
    }
}
