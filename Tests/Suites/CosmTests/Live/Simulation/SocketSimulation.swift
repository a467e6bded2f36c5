import Foundation
import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@testable import Cosm

/// One run of a live socket whose subscriptions begin, join each other, end, are refused and are cut in any order, while
/// requests are sent.
final class SocketSimulation {
    /// A subscription as its user sees it.
    final class Record: Sendable {
        struct State {
            /// Whether this side ended the subscription.
            var mayEnd = false
            var isSubscribed = false
            var isOver = false
            var values: [Int] = []
            var error: (any Error)?
        }

        let id: String
        /// Whether its updates are not taken.
        let isIdle: Bool
        let state = Guarded(State())
        let subscription = Guarded<LiveSubscription<Datastream>?>(nil)
        let task = Guarded<Task<Void, Never>?>(nil)

        init(id: String, isIdle: Bool) {
            self.id = id
            self.isIdle = isIdle
        }

        /// Whether the subscription must go on.
        var isLive: Bool { state.withLock { !$0.mayEnd } }

        func mayEnd() { state.withLock { $0.mayEnd = true } }
    }

    private let seed: UInt64
    private var random: SeededRandom
    private let service: SimulatedSocketService
    private let socket: CosmSocket
    private var records: [Record] = []
    private var ends: [Task<Void, Never>] = []
    /// The subscriptions whose unsubscribing has returned.
    private let ended = Collected<String>()
    private var requestCount = 0
    /// The outcomes of requests; `nil` for those that a lost connection or the end of the socket explains.
    private let outcomes = Collected<String?>()
    private var cutCount = 0
    private var log: [String] = []

    init(seed: UInt64, fault: SimulatedSocketService.Fault? = nil) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        service = SimulatedSocketService(seed: seed &+ 1, fault: fault)
        socket = try service.makeSocket()
    }

    private static let ids = ["a", "b.csv", "c"]

    /// Runs the events, and returns the promises that were not kept.
    ///
    /// - Parameter limit: The time after which something is held never to happen.
    func run(within limit: Duration = .seconds(60)) async throws -> [String] {
        for _ in 0..<(5 + random.below(25)) {
            step()
            for _ in 0..<random.below(30) { await Task.yield() }
        }
        var faults = random.oneIn(4) ? [] : try await settled(within: limit)
        if faults.isEmpty { faults = try await closed(within: limit) }
        return faults.isEmpty ? [] : ["seed \(seed): \(log.joined(separator: " "))"] + faults
    }

    // MARK: Events

    private func step() {
        switch random.below(20) {
        case 0...4: subscribe()
        case 5...9:
            let id = random.pick(Self.ids)
            log.append("write:\(id)")
            service.write(id)
        case 10, 11: unsubscribe()
        case 12: release()
        case 13: cancel()
        case 14, 15:
            log.append("cut")
            cutCount += 1
            service.cut()
        case 16:
            log.append("garble")
            service.garble()
        case 17, 18:
            let (id, statuses) = (
                random.pick(Self.ids), (0...random.below(3)).map { _ in random.pick([500, 503, 520]) }
            )
            log.append("refuse:\(id):\(statuses)")
            service.refuse(id, statuses)
        default: request()
        }
    }

    private func subscribe() {
        let record = Record(id: random.pick(Self.ids), isIdle: random.oneIn(4))
        log.append("subscribe:\(record.id)\(record.isIdle ? ":idle" : "")")
        records.append(record)
        record.task.withLock { $0 = Task { [socket, service] in await Self.follow(record, socket, service) } }
    }

    private static func follow(_ record: Record, _ socket: CosmSocket, _ service: SimulatedSocketService) async {
        var options = SubscriptionOptions()
        options.startsWithCurrentState = true
        do {
            let resource = LiveResource.datastream(record.id, in: SimulatedSocketService.feedID)
            let subscription: LiveSubscription<Datastream> = try await socket.follow(
                resource,
                reader: service,
                options: options
            )
            // Under the lock, so that a release between the look and the keeping waits, and finds the subscription.
            record.subscription.withLock { kept in
                let isWanted = record.state.withLock { state in
                    state.isSubscribed = true
                    return !state.mayEnd
                }
                if isWanted { kept = subscription }
            }
            if record.isIdle { return }
            for try await update in subscription {
                guard let value = update.value.currentValue?.double else { continue }
                record.state.withLock { $0.values.append(Int(value)) }
            }
        } catch {
            record.state.withLock { $0.error = error }
        }
        record.subscription.withLock { $0 = nil }
        record.state.withLock { $0.isOver = true }
    }

    private func request() {
        log.append("request")
        requestCount += 1
        Task { [socket, outcomes] in
            do {
                try await socket.request(.get, "/feeds/91")
                outcomes.add(nil)
            } catch {
                let failure = (error as? CosmError)?.underlying
                // A request that was not sent goes to the next connection.
                let isExplained = failure?.delivery == .maybeSent || failure?.kind == .clientClosed
                outcomes.add(isExplained ? nil : "a request failed: \(error)")
            }
        }
    }

    private func unsubscribe() {
        guard let record = records.isEmpty ? nil : random.pick(records),
            let subscription = record.subscription.withLock({ $0 })
        else { return }
        log.append("unsubscribe:\(record.id)")
        record.mayEnd()
        ends.append(
            Task { [ended] in
                await subscription.unsubscribe()
                ended.add(record.id)
            }
        )
        if record.isIdle { _ = record.subscription.withLock { $0.take() } }
    }

    private func release() {
        guard let record = records.last(where: { $0.isIdle && $0.isLive }) else { return }
        log.append("release:\(record.id)")
        record.mayEnd()
        _ = record.subscription.withLock { $0.take() }
    }

    private func cancel() {
        guard let record = records.isEmpty ? nil : random.pick(records), !record.isIdle else { return }
        log.append("cancel:\(record.id)")
        record.mayEnd()
        record.task.withLock { $0 }?.cancel()
    }

    // MARK: Promises

    /// Waits until all subscriptions that must go on have the last value of their datastream, and the service has them
    /// and no others.
    private func settled(within limit: Duration) async throws -> [String] {
        service.calm()
        let live = records.filter(\.isLive)
        let wanted = Set(live.map { SimulatedSocketService.path($0.id) }).sorted()
        var faults: [String] = []
        do {
            try await eventually(within: limit) { [service] in
                live.allSatisfy { $0.state.withLock { $0.isSubscribed || $0.isOver } }
                    && service.subscriptions == wanted
            }
            for id in Self.ids { service.write(id) }
            try await eventually(within: limit) { [service] in
                live.allSatisfy { record in
                    record.isIdle
                        || record.state.withLock { $0.isOver || $0.values.last == service.value(of: record.id) }
                }
            }
        } catch is NeverSo {
            faults.append("the service has \(service.subscriptions), wanted \(wanted)")
            faults += live.map { record in "\(record.id): \(record.state.withLock { $0 })" }
        }
        for record in live where record.state.withLock({ $0.isOver }) { faults.append("\(record.id) ended by itself") }
        // Without live subscriptions the wait above does not include the requests that are under way.
        for end in ends where faults.isEmpty { await end.value }
        if service.connectionCount > cutCount + 1 {
            faults.append("\(service.connectionCount) connections after \(cutCount) cuts")
        }
        return faults + orderFaults
    }

    private var orderFaults: [String] {
        records.compactMap { record in
            let values = record.state.withLock { $0.values }
            let isAscending = zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
            return isAscending ? nil : "\(record.id) got \(values)"
        }
    }

    /// Closes the socket, after which nothing is left of it.
    private func closed(within limit: Duration) async throws -> [String] {
        log.append("close")
        for record in records { record.mayEnd() }
        await socket.close()
        var faults: [String] = []
        do {
            let (all, count, requests) = (records, ends.count, requestCount)
            try await eventually(within: limit) { [ended, outcomes] in
                ended.all.count == count && outcomes.all.count == requests
                    && all.allSatisfy { record in
                        record.state.withLock { $0.isOver || record.isIdle && ($0.isSubscribed || $0.error != nil) }
                    }
            }
        } catch is NeverSo {
            faults.append("a subscription, its end or a request goes on after the socket was closed")
        }
        for record in records {
            switch record.state.withLock({ $0.error }) {
            case nil, is CancellationError: break
            case let error as CosmError where error.underlying?.kind == .clientClosed: break
            case let error?: faults.append("\(record.id) failed: \(error)")
            }
        }
        let (registrations, pending) = socket.state.withLock { ($0.registrations.count, $0.pending.count) }
        if registrations + pending > 0 { faults.append("\(registrations) registrations, \(pending) requests are left") }
        for record in records { record.task.withLock { $0 }?.cancel() }
        return faults + outcomes.all.compactMap(\.self) + orderFaults
    }
}

@Suite("Live sockets in any order", .timeLimit(.minutes(5)))
struct SocketSimulationTests {
    @Test(
        "in any order of events, each subscription gets the newest value, and only its own end ends it",
        .tags(.random),
        arguments: SimulationSeeds.cases
    )
    func anyOrder(number: Int) async throws {
        let faults = try await SimulationSeeds.faults(of: number) { try await SocketSimulation(seed: $0).run() }
        #expect(faults.isEmpty)
    }

    @Test("a service that breaks a promise is noticed", arguments: SimulatedSocketService.Fault.allCases)
    func plantedFaults(fault: SimulatedSocketService.Fault) async throws {
        for seed in 0..<100 {
            let simulation = try SocketSimulation(seed: UInt64(seed), fault: fault)
            if !(try await simulation.run(within: .milliseconds(300))).isEmpty { return }
        }
        Issue.record("\(fault) was not noticed")
    }
}
