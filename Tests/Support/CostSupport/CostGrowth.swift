import FuzzSupport

/// The costs of inputs of n, 2n and 4n bytes, and of 8n bytes where these look like more than their length.
struct CostGrowth: CustomStringConvertible {
    /// The most that twice the length may cost. It leaves room for sorting and for buffers that grow by doubling; a cost
    /// that grows with the square comes to 4.
    static let maximumRatio = 2.5

    private var costs: [UInt64]
    private let unit: String
    /// Costs below this one are made of constants and of steps in the growth of buffers.
    private let smallest: UInt64
    private let isExact: Bool

    init(_ costCase: CostCase, _ pattern: CostPattern, bytes: Int, _ meter: inout any CostMeter) {
        // What is made once and kept is made now.
        let first = pattern.input(bytes: bytes)
        runToEnd { await costCase.work(first) }
        var costs: [UInt64] = []
        for factor in [1, 2, 4] {
            let input = pattern.input(bytes: bytes * factor)
            costs.append(meter.cost { await costCase.work(input) })
        }
        // An input that is refused for its length may cost less than a shorter one. Growth is measured from the dearer.
        costs[1] = max(costs[0], costs[1])
        self.costs = costs
        (unit, smallest, isExact) = (meter.unit, meter.smallest, meter.isExact)
        guard isTooFast else { return }
        // A step in the growth of a buffer, or a way that only some lengths take, is not repeated by the next doubling. An
        // input that is refused for its length shows nothing.
        let input = pattern.input(bytes: bytes * 8)
        let cost = meter.cost { await costCase.work(input) }
        if cost > costs[2] { self.costs.append(cost) }
    }

    /// Whether twice the length costs more than 2.5 times as much.
    ///
    /// Where most of the cost comes from the input, what the second half of an input adds is looked at too: what every input
    /// costs hides the growth.
    var isTooFast: Bool {
        if costs.count > 3 { return isTooFast(costs[2], costs[3]) || addsTooMuch(costs[1], costs[2], costs[3]) }
        if isTooFast(costs[0], costs[1]) || isTooFast(costs[1], costs[2]) { return true }
        return costs[1] > costs[0] + costs[0] / 2 && addsTooMuch(costs[0], costs[1], costs[2])
    }

    private func addsTooMuch(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> Bool {
        isExact && second > first && third > second && isTooFast(second - first, third - second)
    }

    private func isTooFast(_ cost: UInt64, _ twice: UInt64) -> Bool {
        twice > smallest && Double(twice) > Self.maximumRatio * Double(cost)
    }

    var description: String {
        let steps = zip(costs, costs.dropFirst()).map { "→ \($1) (×\(Double($1 * 100 / max($0, 1)) / 100))" }
        return "\(costs[0]) \(steps.joined(separator: " ")) \(unit)"
    }
}
