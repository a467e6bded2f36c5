import TestSupport

@testable import Cosm

/// Many updates, and a socket that is cut at random moments: what a subscriber must see all the same.
struct LiveScenario: Sendable {
    var updates: Int
    var cuts: Int
    var isRaw = false
    var fillsGaps = false
    var seed: UInt64 = 1

    /// The updates that a subscriber received.
    struct Outcome: Sendable {
        /// The instants of each datastream, in the order they were told.
        var instants: [String: [Timestamp]] = [:]
        var values: [String: DatapointValue] = [:]
        var resynchronised = 0

        /// The instants that were told twice, or out of order.
        var faults: Int {
            instants.values.reduce(0) { sum, stamps in sum + zip(stamps, stamps.dropFirst()).count { $0 >= $1 } }
        }
    }

    static let datastreams = ["humidity", "power", "temp"]

    /// - Returns: What was written last, and what a subscriber saw by then.
    func run() async throws -> (written: [String: Datapoint], feed: Outcome) {
        try await TestStation.run(isRaw: isRaw) { station, socket in
            for id in Self.datastreams { station.write(id, Datapoint(at: Timestamp(microseconds: 0), value: 0)) }
            var options = SubscriptionOptions()
            options.startsWithCurrentState = true
            options.fillsGapsFromHistory = fillsGaps
            options.bufferLimit = updates + 10
            options.maximumHistoryPoints = updates
            let subscription: LiveSubscription<Feed> = try await socket.follow(
                .feed(TestStation.feedID),
                reader: station,
                options: options
            )
            var outcome = Outcome()
            var told = subscription.makeAsyncIterator()
            // What is written before the first state is read belongs to that state.
            if let first = try await told.next() { note(first, in: &outcome) }
            let writing = Task { await write(to: station) }
            // The last write is told by its own value.
            let last = DatapointValue(updates)
            while let update = try await told.next() {
                note(update, in: &outcome)
                if outcome.values.values.contains(last) { break }
            }
            return (await writing.value, outcome)
        }
    }

    private func note(_ update: LiveUpdate<Feed>, in outcome: inout Outcome) {
        if update.origin == .resynchronised { outcome.resynchronised += 1 }
        for stream in update.value.datastreams ?? [] {
            guard let id = stream.id, update.changedDatastreams.contains(id) else { continue }
            outcome.values[id] = stream.currentValue
            if let at = stream.at { outcome.instants[id, default: []].append(at) }
        }
    }

    private func write(to station: TestStation) async -> [String: Datapoint] {
        var random = SeededRandom(seed: seed)
        var written: [String: Datapoint] = [:]
        var moments: Set<Int> = []
        while moments.count < cuts { moments.insert(1 + random.below(updates - 1)) }
        for number in 1...updates {
            let id = random.pick(Self.datastreams)
            let point = Datapoint(at: Timestamp(microseconds: Int64(number)), value: DatapointValue(number))
            written[id] = point
            station.write(id, point)
            if moments.contains(number) {
                // Some cuts in the middle of a connection's beginning, some when all is well again.
                if random.oneIn(2) { await station.wait { station.subscriptionCount > 0 } }
                station.cut()
            }
            for _ in 0..<random.below(8) { await Task.yield() }
        }
        return written
    }
}
