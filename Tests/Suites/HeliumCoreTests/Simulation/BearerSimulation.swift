import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import HeliumCore

/// One run of clients that share an authorizer, and that call, refresh, update, cancel, close and begin in any order.
final class BearerSimulation {
    /// A call as its caller sees it.
    final class Operation: Sendable {
        struct State {
            var isCancelled = false
            var isOver = false
            var error: (any Error)?
        }

        let client: Int
        let state = Guarded(State())
        let task = Guarded<Task<Void, Never>?>(nil)

        init(_ client: Int) { self.client = client }

        var isOver: Bool { state.withLock { $0.isOver } }
        var error: (any Error)? { state.withLock { $0.error } }
    }

    private let seed: UInt64
    private var random: SeededRandom
    private let service: SimulatedTokens
    private let authorizer: RefreshingBearerAuthorizer
    private var clients: [Pipeline] = []
    private var isClosed: [Bool] = []
    private var operations: [Operation] = []
    private var log: [String] = []

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        let service = SimulatedTokens(seed: seed &+ 1)
        let jitter = Guarded(SeededRandom(seed: seed &+ 2))
        self.service = service
        authorizer = try RefreshingBearerAuthorizer(
            timeout: .seconds(60),
            clock: service.clock,
            random: RandomSource { jitter.withLock { $0.next() } }
        ) { _ in try await service.refresh() }
        try begin()
        try begin()
    }

    /// Runs the events, and returns the promises that were not kept.
    func run() async throws -> [String] {
        for _ in 0..<(5 + random.below(30)) {
            try await step()
            for _ in 0..<random.below(25) { await Task.yield() }
        }
        var faults: [String] = []
        do {
            try await settle()
            faults += try await promises()
        } catch {
            faults.append("\(error)")
        }
        faults += operations.compactMap(fault(of:)) + service.state.withLock { $0.faults }
        return faults.isEmpty ? [] : ["seed \(seed): \(log.joined(separator: " "))"] + faults
    }

    // MARK: Events

    private func step() async throws {
        switch random.below(22) {
        case 0...9: call(random.below(clients.count), within: random.oneIn(3) ? nil : .seconds(1 + random.below(60)))
        case 10, 11: cancel()
        case 12, 13:
            log.append("reject")
            service.state.withLock { $0.valid += 1 }
        case 14: try update()
        case 15: await close(random.below(clients.count))
        case 16 where clients.count < 6: try begin()
        case 17, 18:
            log.append("next")
            service.clock.advanceToNextSleeper()
        default:
            let seconds = Double(1 + random.below(100)) / 20
            log.append("time:\(seconds)")
            service.clock.advance(by: .seconds(seconds))
        }
    }

    private func begin() throws {
        log.append("begin:\(clients.count)")
        service.state.withLock { $0.clients += 1 }
        let transport = MockTransport { [service] in await service.answer($0) }
        clients.append(try makePipeline(transport, authorizer: authorizer, clock: service.clock))
        isClosed.append(false)
    }

    @discardableResult
    private func call(_ client: Int, within limit: Duration?) -> Operation {
        log.append("call:\(client)")
        let operation = Operation(client)
        let pipeline = clients[client]
        operations.append(operation)
        operation.task.withLock { task in
            task = Task {
                var failure: (any Error)?
                do { try await pipeline.call(.get, "/a").timeout(limit).value() } catch { failure = error }
                operation.state.withLock { [failure] state in
                    state.error = failure
                    state.isOver = true
                }
            }
        }
        return operation
    }

    private func cancel() {
        guard let operation = operations.last(where: { !$0.isOver }) else { return }
        log.append("cancel:\(operation.client)")
        operation.state.withLock { $0.isCancelled = true }
        operation.task.withLock { $0 }?.cancel()
    }

    private func update() throws {
        log.append("update")
        let token = service.beginEnding()
        try authorizer.update(BearerCredential(token: Secret(token)))
        service.endEnding()
    }

    private func close(_ client: Int) async {
        guard !isClosed[client] else { return }
        log.append("close:\(client)")
        isClosed[client] = true
        _ = service.beginEnding()
        await clients[client].close()
        service.state.withLock { $0.clients -= 1 }
        service.endEnding()
    }

    // MARK: Promises

    /// Lets everything that was started come to its end.
    ///
    /// - Parameter isDisturbed: Whether a refresh may take longer than its time limit. Default: `true`.
    private func settle(isDisturbed: Bool = true) async throws {
        service.state.withLock { $0.isFaulty = false }
        let (clock, operations) = (service.clock, operations)
        var looks = 0
        try await eventually {
            looks += 1
            if looks.isMultiple(of: 10), clock.advanceToNextSleeper() == nil, isDisturbed, looks.isMultiple(of: 200) {
                clock.advance(by: .seconds(30))
            }
            return operations.allSatisfy(\.isOver)
        }
    }

    /// Returns what is wrong with the clients when nothing disturbs them any more.
    private func promises() async throws -> [String] {
        var faults: [String] = []
        if !isClosed.contains(false) { try begin() }
        // A permanent failure lasts until a credential is set.
        try update()
        for isRejected in [false, true] {
            if isRejected { service.state.withLock { $0.valid += 1 } }
            let before = service.state.withLock { $0.refreshes }
            for client in clients.indices where !isClosed[client] {
                let operation = call(client, within: nil)
                try await settle(isDisturbed: false)
                if let error = operation.error { faults.append("a call fails in the end: \(error)") }
            }
            let refreshes = service.state.withLock { $0.refreshes } - before
            if refreshes != (isRejected ? 1 : 0) { faults.append("\(refreshes) refreshes in the end") }
        }
        faults += try await takeover()
        for client in clients.indices {
            await close(client)
            let late = call(client, within: nil)
            try await settle(isDisturbed: false)
            if (late.error as? HeliumError)?.kind != .clientClosed { faults.append("a closed client goes on") }
        }
        let clock = service.clock
        do {
            try await eventually {
                // A refresh that ignores its end takes its time.
                clock.advance(by: .seconds(1))
                return clock.sleeperCount == 0 && clock.deadlineCount == 0
            }
        } catch is NeverSo {
            faults.append("\(clock.sleeperCount) delays and \(clock.deadlineCount) limits are left")
        }
        return faults
    }

    /// A client that takes the authorizer up again keeps the delay that was requested before the last one closed.
    private func takeover() async throws -> [String] {
        guard let last = isClosed.lastIndex(of: false) else { return [] }
        service.state.withLock { state in
            state.valid += 1
            state.nextDelay = 100
        }
        let refused = call(last, within: .seconds(50))
        try await eventually { refused.isOver }
        for client in clients.indices { await close(client) }
        try begin()
        let hasty = call(clients.count - 1, within: .seconds(50))
        let clock = service.clock
        try await eventually { hasty.isOver || clock.sleeperCount > 0 }
        var faults = hasty.isOver ? [] : ["a call without time for the delay waits"]
        let patient = call(clients.count - 1, within: nil)
        try await settle(isDisturbed: false)
        if let error = patient.error { faults.append("a call with time fails: \(error)") }
        return faults
    }

    /// Returns what is wrong with the end of a call.
    private func fault(of operation: Operation) -> String? {
        let state = operation.state.withLock { $0 }
        guard state.isOver else { return "call:\(operation.client) never ends" }
        switch state.error {
        case nil: return nil
        case is CancellationError: return state.isCancelled ? nil : "call:\(operation.client) was not cancelled"
        case let error as HeliumError:
            switch error.kind {
            case .authorizationFailed, .timedOut, .unacceptableStatus: return nil
            case .clientClosed where isClosed[operation.client]: return nil
            case .cancelled where state.isCancelled: return nil
            default: return "call:\(operation.client) failed: \(error)"
            }
        case let error?: return "call:\(operation.client) failed: \(error)"
        }
    }
}

@Suite("Bearer tokens in any order", .timeLimit(.minutes(5)))
struct BearerSimulationTests {
    @Test(
        "in any order of events, one refresh runs for all clients that share an authorizer, and only its own end ends a client",
        .tags(.random),
        arguments: SimulationSeeds.cases
    )
    func anyOrder(number: Int) async throws {
        let faults = try await SimulationSeeds.faults(of: number) { try await BearerSimulation(seed: $0).run() }
        #expect(faults.isEmpty)
    }
}
