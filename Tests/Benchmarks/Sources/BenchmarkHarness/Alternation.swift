/// Times operations in turn, the order reversed in every other round, in CPU time of this process.
public struct Alternation {
    /// An operation: runs `count` times and returns something that depends on each result.
    public typealias Operation = (_ count: Int) throws -> UInt64

    /// The operations, each with its name.
    public var candidates: [(name: String, run: Operation)]

    private var sink: UInt64 = 0

    /// Operations to be compared.
    public init(_ candidates: [(name: String, run: Operation)]) { self.candidates = candidates }

    /// Runs each candidate `rounds` times for 100 to 200 ms, after as much warm-up.
    public mutating func run(group: String, bytes: Int, rounds: Int) throws -> [OperationResult] {
        let counts = try candidates.map { try count(for: $0.run) }
        var times = [[Double]](repeating: [], count: candidates.count)
        for round in 0..<rounds {
            let order = round.isMultiple(of: 2) ? Array(candidates.indices) : Array(candidates.indices.reversed())
            for index in order {
                let before = ProcessUsage()
                sink &+= try candidates[index].run(counts[index])
                let after = ProcessUsage()
                let microseconds =
                    after.userMicroseconds + after.systemMicroseconds - before.userMicroseconds
                    - before.systemMicroseconds
                times[index].append(microseconds * 1000 / Double(counts[index]))
            }
        }
        return zip(candidates, times).map {
            OperationResult(group: group, operation: $0.name, bytes: bytes, rounds: $1)
        }
    }

    /// Returns the number of runs of `operation` that take 100 ms. It is found by doubling, which also warms up the
    /// operation.
    private mutating func count(for operation: Operation) throws -> Int {
        var count = 1
        while true {
            let start = ContinuousClock.now
            sink &+= try operation(count)
            if ContinuousClock.now - start >= .milliseconds(100) || count >= 1 << 26 { return count }
            count *= 2
        }
    }
}
