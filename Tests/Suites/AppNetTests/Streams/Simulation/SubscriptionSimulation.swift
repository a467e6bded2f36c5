import Foundation
import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@testable import AppNet

/// One run of a user stream whose subscriptions begin, are renewed under their ids, end, and are cut in any order.
final class SubscriptionSimulation {
    /// A subscription as its user sees it.
    final class Record: Sendable {
        struct State {
            /// Whether this side ended the subscription, or gave its id to another.
            var mayEnd = false
            var isSubscribed = false
            var isOver = false
            var error: (any Error)?
            var initial: [Int] = []
            var added: [Int] = []
        }

        let id: String
        let channel: String
        /// Whether its updates are not taken.
        let isIdle: Bool
        let state = Guarded(State())

        init(id: String, channel: String, isIdle: Bool) {
            self.id = id
            self.channel = channel
            self.isIdle = isIdle
        }

        /// Whether the subscription must go on.
        var isLive: Bool {
            state.withLock { state in
                // The service refuses a list for a stream that it has just forgotten.
                let isRefused = !state.isSubscribed && (state.error as? AppNetError)?.kind == .badRequest
                return !state.mayEnd && !isRefused
            }
        }

        func mayEnd() { state.withLock { $0.mayEnd = true } }
    }

    private let seed: UInt64
    private var random: SeededRandom
    private let service: SimulatedStreamService
    private let client: AppNetClient
    private let stream: UserStream
    private var running: [Box] = []
    private(set) var log: [String] = []

    /// A subscription with its task.
    private final class Box: Sendable {
        let record: Record
        let subscription = Guarded<StreamSubscription<Message>?>(nil)
        let task = Guarded<Task<Void, Never>?>(nil)

        init(_ record: Record) { self.record = record }
    }

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        service = SimulatedStreamService(seed: seed &+ 1)
        client = try service.makeClient()
        var options = UserStreamOptions.brisk
        options.isAutoDeleted = false
        stream = client.userStream(options)
    }

    private static let channels = ["12", "13"]

    /// Runs the events, and returns the promises that were not kept.
    func run() async throws -> [String] {
        for _ in 0..<(5 + random.below(25)) {
            try await step()
            for _ in 0..<random.below(30) { await Task.yield() }
        }
        let faults: [String]
        if random.oneIn(4) { faults = try await closed() } else { faults = try await settled() }
        return faults.isEmpty ? [] : ["seed \(seed): \(log.joined(separator: " "))"] + faults
    }

    // MARK: Events

    private func step() async throws {
        switch random.below(20) {
        case 0...5: try await subscribe()
        case 6...11:
            let channel = random.pick(Self.channels)
            let count = random.oneIn(5) ? 2 + random.below(30) : 1
            log.append("write\(count):\(channel)")
            service.write(in: channel, count: count)
        case 12: unsubscribe()
        case 13: release()
        case 14: cancel()
        case 15, 16:
            let forgets = random.oneIn(2)
            log.append(forgets ? "forget" : "cut")
            service.cut(forgets: forgets)
        case 17:
            log.append("garble")
            service.garble()
        default: break
        }
    }

    /// Subscribes, often under an id that is in use or was just released.
    private func subscribe() async throws {
        let record = Record(
            id: random.pick(["a", "b", "c"]),
            channel: random.pick(Self.channels),
            isIdle: random.oneIn(4)
        )
        log.append("subscribe:\(record.id):\(record.channel)\(record.isIdle ? ":idle" : "")")
        for box in running where box.record.id == record.id { box.record.mayEnd() }
        let box = Box(record)
        running.append(box)
        let keeper = stream.keeper
        let before = keeper.state.withLock { $0.followers[record.id].map { ObjectIdentifier($0) } }
        box.task.withLock { $0 = Task { [stream] in await Self.follow(box, on: stream) } }
        // The next event comes after it has taken the id.
        try await eventually {
            let now = keeper.state.withLock { $0.followers[record.id].map { ObjectIdentifier($0) } }
            return now != nil && now != before || record.state.withLock { $0.isSubscribed || $0.isOver }
        }
    }

    private static func follow(_ box: Box, on stream: UserStream) async {
        let record = box.record
        var options = StreamSubscriptionOptions()
        options.subscriptionID = record.id
        do {
            let subscription = try await stream.subscribe(
                to: .messages(in: AppNetChannel.ID(record.channel)),
                options: options
            )
            let initial = subscription.initial.elements.reversed().compactMap { $0.id.flatMap { Int($0.text) } }
            // Under the lock, so that a release between the look and the keeping waits, and finds the subscription.
            box.subscription.withLock { kept in
                let isReleased = record.state.withLock { state in
                    state.isSubscribed = true
                    state.initial = initial
                    return state.mayEnd
                }
                if !isReleased { kept = subscription }
            }
            if record.isIdle { return }
            for try await update in subscription {
                if case .added(let message) = update.change, let id = message.id.flatMap({ Int($0.text) }) {
                    record.state.withLock { $0.added.append(id) }
                    if message.channelID?.text != record.channel { record.state.withLock { $0.added.append(-1) } }
                }
            }
        } catch {
            record.state.withLock { $0.error = error }
        }
        box.subscription.withLock { $0 = nil }
        record.state.withLock { $0.isOver = true }
    }

    private var someBox: Box? { running.isEmpty ? nil : random.pick(running) }

    private func unsubscribe() {
        guard let box = someBox, let subscription = box.subscription.withLock({ $0 }) else { return }
        log.append("unsubscribe:\(box.record.id)")
        box.record.mayEnd()
        Task { await subscription.unsubscribe() }
    }

    /// Releases a subscription whose updates are not taken.
    private func release() {
        guard let box = running.filter(\.record.isIdle).last else { return }
        log.append("release:\(box.record.id)")
        box.record.mayEnd()
        _ = box.subscription.withLock { $0.take() }
    }

    /// Cancels a subscription that is being made, or the consumer of one.
    private func cancel() {
        guard let box = someBox, !box.record.isIdle else { return }
        log.append("cancel:\(box.record.id)")
        box.record.mayEnd()
        box.task.withLock { $0 }?.cancel()
    }

    // MARK: Promises

    /// Waits until all subscriptions that must go on have everything.
    private func settled() async throws -> [String] {
        // The next connection begins with the deletions that were lost.
        if service.calm() { service.cut(forgets: false) }
        let all = running.map(\.record)
        for channel in Self.channels { service.write(in: channel) }
        var faults: [String] = []
        var wanted: [String: String] = [:]
        do {
            try await eventually { [service] in
                let live = all.filter(\.isLive)
                wanted = Dictionary(live.map { ($0.id, $0.channel) }) { $1 }
                return live.allSatisfy { record in
                    if record.isIdle { return record.state.withLock { $0.isOver || $0.isSubscribed } }
                    let last = service.messages(in: record.channel).last
                    return record.state.withLock {
                        $0.isOver || $0.isSubscribed && ($0.added.last ?? $0.initial.last) == last
                    }
                } && service.subscriptions == wanted
            }
        } catch is NeverSo {
            faults.append("subscriptions on the service: \(service.subscriptions), wanted: \(wanted)")
        }
        for record in all where record.isLive { faults += self.faults(of: record) }
        for box in running where !box.record.isLive {
            box.task.withLock { $0 }?.cancel()
            await box.task.withLock { $0 }?.value
            if let fault = endFault(of: box.record) { faults.append(fault) }
        }
        return faults + (try await closed())
    }

    /// Returns what a subscription has wrong that must go on.
    private func faults(of record: Record) -> [String] {
        let state = record.state.withLock { $0 }
        let name = "\(record.id):\(record.channel)"
        if state.isOver { return ["\(name) ended: \(String(describing: state.error))"] }
        let all = service.messages(in: record.channel)
        let expected = all.filter { $0 > state.initial.last ?? 0 }
        return record.isIdle || state.added == expected
            ? [] : ["\(name) got \(state.added) after \(state.initial), not \(expected)"]
    }

    /// Returns what is wrong with the end of a subscription that may end.
    private func endFault(of record: Record) -> String? {
        let state = record.state.withLock { $0 }
        switch state.error {
        case nil, is CancellationError: return nil
        case let error as AppNetError where !state.isSubscribed && [.invalidRequest, .badRequest].contains(error.kind):
            return nil
        case let error?: return "\(record.id):\(record.channel) failed: \(error)"
        }
    }

    /// Closes the stream, after which nothing is left of it.
    private func closed() async throws -> [String] {
        log.append("close")
        service.calm()
        for box in running { box.record.mayEnd() }
        await stream.close()
        var faults: [String] = []
        do {
            let records = running.map(\.record)
            try await eventually {
                records.allSatisfy { record in record.isIdle || record.state.withLock { $0.isOver } }
            }
        } catch is NeverSo {
            faults.append("a subscription goes on after the stream was closed")
            for box in running { box.task.withLock { $0 }?.cancel() }
        }
        for box in running {
            await box.task.withLock { $0 }?.value
            if let fault = endFault(of: box.record) { faults.append(fault) }
        }
        // Without a connection, the stream does not wait for its deletion.
        do { try await eventually { [service] in service.streamCount == 0 } } catch is NeverSo {
            faults.append("\(service.streamCount) streams are left on the service")
        }
        await client.close()
        return faults
    }
}

@Suite("Subscriptions in any order", .timeLimit(.minutes(5)))
struct SubscriptionSimulationTests {
    @Test(
        "in any order of events, each subscription has each message of its list once, and only its own end ends it",
        .tags(.random),
        arguments: SimulationSeeds.cases
    )
    func anyOrder(number: Int) async throws {
        let faults = try await SimulationSeeds.faults(of: number) { try await SubscriptionSimulation(seed: $0).run() }
        #expect(faults.isEmpty)
    }
}
