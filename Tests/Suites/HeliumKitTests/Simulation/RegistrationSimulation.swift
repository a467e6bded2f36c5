import Foundation
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport
import Testing

/// One run of two clients that share a token store, as two processes do, and that register, update, forget, cancel and
/// close in any order.
final class RegistrationSimulation {
    /// A call as its caller sees it.
    final class Operation: Sendable {
        struct State {
            var isCancelled = false
            var isOver = false
            var error: (any Error)?
        }

        let name: String
        let client: Int
        let state = Guarded(State())
        let task = Guarded<Task<Void, Never>?>(nil)

        init(_ name: String, _ client: Int) {
            self.name = name
            self.client = client
        }

        var isOver: Bool { state.withLock { $0.isOver } }
        var error: (any Error)? { state.withLock { $0.error } }
    }

    private let seed: UInt64
    private var random: SeededRandom
    private let clock: TestClock
    private let service: SimulatedMiddleware
    private let stores: [StagedStore]
    private let clients: [Helium]
    private var isClosed = [false, false]
    private var operations: [Operation] = []
    private var log: [String] = []

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        let (clock, memory) = (TestClock(), MemoryTokenStore())
        self.clock = clock
        let policy: StoreFailurePolicy = random.oneIn(3) ? .startAfresh : .fail
        let stores = Guarded<[StagedStore]>([])
        let mustSave = policy == .fail
        let service = SimulatedMiddleware(seed: seed &+ 1, clock: clock) { token in
            !mustSave || stores.withLock { $0.contains { $0.saved.withLock { $0.contains(token) } } }
        }
        let delays = Guarded(SeededRandom(seed: seed &+ 2))
        let made = (0..<2).map { client in
            StagedStore(failurePolicy: policy, memory: memory) { operation in
                for _ in 0..<delays.withLock({ $0.below(6) }) {
                    await Task.yield()
                    // As a store does that waits for a lock.
                    try Task.checkCancellation()
                }
            } loaded: { token in
                service.didLoad(token, by: client)
            }
        }
        stores.withLock { $0 = made }
        let jitter = Guarded(SeededRandom(seed: seed &+ 3))
        clients = try (0..<2).map { client in
            try makeHelium(FakeMiddleware(clock: clock), store: made[client]) { configuration in
                configuration.environment.transport = service.transport(client)
                configuration.environment.random = RandomSource { jitter.withLock { $0.next() } }
                configuration.options.retry = .never
                // So long that a jump of the clock does not end a request in progress.
                configuration.device.timeout = .seconds(86_400)
            }
        }
        self.stores = made
        self.service = service
    }

    /// Runs the events, and returns the promises that were not kept.
    func run() async throws -> [String] {
        for _ in 0..<(5 + random.below(30)) {
            await step()
            for _ in 0..<random.below(25) { await Task.yield() }
        }
        var faults: [String] = []
        do {
            try await settle()
            faults += try await promises()
        } catch {
            faults.append("\(error)")
        }
        faults += operations.compactMap(fault(of:)) + service[\.faults]
        return faults.isEmpty ? [] : ["seed \(seed): \(log.joined(separator: " "))"] + faults
    }

    // MARK: Events

    private func step() async {
        let client = random.below(2)
        switch random.below(24) {
        case 0...7:
            let limit: Duration? = random.oneIn(3) ? nil : .seconds(1 + random.below(60))
            start("request", client) { try await $0.get("/a").timeout(limit).value() }
        case 8, 9:
            let limit = Duration.seconds(1 + random.below(60))
            start("register", client) { _ = try await $0.device?.register(within: limit) }
        case 10:
            let limit = Duration.seconds(1 + random.below(60))
            start("update", client) { _ = try await $0.device?.update(within: limit) }
        case 11: start("registration", client) { _ = try await $0.device?.registration() }
        case 12, 13: forget(client)
        case 14, 15: cancel()
        case 16, 17:
            log.append("drop")
            service[\.devices] = []
        case 18: toggleStore(client)
        case 19 where random.oneIn(3): await close(client)
        case 20, 21:
            log.append("next")
            clock.advanceToNextSleeper()
        default:
            let seconds = Double(1 + random.below(80)) / 20
            log.append("time:\(seconds)")
            clock.advance(by: .seconds(seconds))
        }
    }

    @discardableResult
    private func start(
        _ name: String,
        _ client: Int,
        _ body: @escaping @Sendable (Helium) async throws -> Void
    ) -> Operation {
        log.append("\(name):\(client)")
        let operation = Operation(name, client)
        let helium = clients[client]
        operations.append(operation)
        operation.task.withLock { task in
            task = Task {
                var failure: (any Error)?
                do { try await body(helium) } catch { failure = error }
                operation.state.withLock { [failure] state in
                    state.error = failure
                    state.isOver = true
                }
            }
        }
        return operation
    }

    private func forget(_ client: Int) {
        let service = service
        service.state.withLock { state in
            state.sides[client].forgets += 1
            state.sides[client].forgetting += 1
            state.sides[client].turns += 1
            state.sides[client].hasReadNothing = false
        }
        start("forget", client) { helium in
            defer {
                service.state.withLock { state in
                    state.sides[client].forgetting -= 1
                    state.sides[client].turns += 1
                }
            }
            try await helium.device?.forget()
        }
    }

    private func cancel() {
        guard let operation = operations.last(where: { !$0.isOver }) else { return }
        log.append("cancel:\(operation.name):\(operation.client)")
        operation.state.withLock { $0.isCancelled = true }
        operation.task.withLock { $0 }?.cancel()
    }

    private func toggleStore(_ client: Int) {
        let some: Set<StagedStore.Operation> = random.oneIn(2) ? [.save] : [.load, .clear]
        let isOn = stores[client].failing.withLock { failing in
            failing = failing.isEmpty ? some : []
            return !failing.isEmpty
        }
        log.append("store:\(client):\(isOn)")
    }

    private func close(_ client: Int) async {
        log.append("close:\(client)")
        isClosed[client] = true
        await clients[client].close()
    }

    // MARK: Promises

    /// Lets everything that was started come to its end.
    private func settle() async throws {
        service[\.isFaulty] = false
        for store in stores { store.failing.withLock { $0 = [] } }
        let (clock, operations) = (clock, operations)
        var looks = 0
        try await eventually {
            looks += 1
            if looks.isMultiple(of: 10) { clock.advance(by: .seconds(5)) }
            return operations.allSatisfy(\.isOver)
        }
    }

    /// Waits for registrations and updates that no call waits for any more.
    private func quiesce() async throws {
        let (clock, service) = (clock, service)
        var quietLooks = 0
        try await eventually {
            let isQuiet =
                clock.advanceToNextSleeper() == nil && clock.deadlineCount == 0
                && service[\.sides].allSatisfy(\.running.isEmpty)
            // Between two steps, and in the store, a registration shows neither a delay nor a limit.
            quietLooks = isQuiet ? quietLooks + 1 : 0
            return quietLooks == 300
        }
    }

    private func finished(_ operation: Operation) async throws -> Operation {
        try await settle()
        return operation
    }

    /// Returns what is wrong with the clients when nothing disturbs them any more.
    private func promises() async throws -> [String] {
        var faults: [String] = []
        try await quiesce()
        let open = (0..<2).filter { !isClosed[$0] }
        // The system may hold a thread up in the middle of a registration from before. What fails each time is a fault.
        faults += try await attempts { try await self.requests(open) }
        faults += try await attempts { try await self.replacements(open) }
        faults += try await attempts { try await self.successors(open) }
        if let client = open.last { faults += try await haste(client) }
        for client in 0..<2 {
            await close(client)
            let late = try await finished(start("request", client) { try await $0.get("/a").value() })
            if (late.error as? HeliumError)?.kind != .clientClosed { faults.append("a closed client goes on") }
        }
        let clock = clock
        do {
            try await eventually { clock.sleeperCount == 0 && clock.deadlineCount == 0 }
        } catch is NeverSo {
            faults.append("\(clock.sleeperCount) delays and \(clock.deadlineCount) limits are left")
        }
        return faults
    }

    /// Returns what is wrong with the last of three attempts, if all of them have faults.
    private func attempts(_ attempt: () async throws -> [String]) async throws -> [String] {
        var faults: [String] = []
        for _ in 0..<3 {
            faults = try await attempt()
            if faults.isEmpty { break }
        }
        return faults
    }

    /// Every client can send requests.
    private func requests(_ open: [Int]) async throws -> [String] {
        var faults: [String] = []
        for client in open {
            let request = try await finished(start("request", client) { try await $0.get("/a").timeout(nil).value() })
            if let error = request.error { faults.append("a request fails in the end: \(error)") }
        }
        return faults
    }

    /// The service drops all devices: the clients share one new device, one after the other.
    private func replacements(_ open: [Int]) async throws -> [String] {
        try await quiesce()
        service[\.devices] = []
        let before = service[\.posts]
        for client in open {
            let request = try await finished(start("replace", client) { try await $0.get("/a").timeout(nil).value() })
            if let error = request.error { return ["a rejected token is not replaced: \(error)"] }
        }
        let posts = service[\.posts] - before
        return open.isEmpty || posts == 1 ? [] : ["\(posts) devices were registered for one store"]
    }

    /// The service drops the device of each client: calls at the same time get past both rejected tokens.
    private func successors(_ open: [Int]) async throws -> [String] {
        guard open.count == 2 else { return [] }
        try await quiesce()
        service[\.devices] = []
        let first = try await finished(start("replace", open[0]) { try await $0.get("/a").timeout(nil).value() })
        if let error = first.error { return ["a rejected token is not replaced: \(error)"] }
        service[\.devices] = []
        let calls = (0..<3).map { _ in start("follow", open[1]) { try await $0.get("/a").timeout(nil).value() } }
        try await settle()
        return calls.compactMap(\.error).map { "the token of another process is not replaced: \($0)" }
    }

    /// While a registration waits for its next try, a call without time for that fails at once.
    private func haste(_ client: Int) async throws -> [String] {
        let busy = TransportResponse.json("{}", status: 503, fields: [.retryAfter: "100"])
        let forgotten = forgetAndWait(client)
        try await settle()
        if let error = forgotten.error { return ["a device is not forgotten: \(error)"] }
        // A delay that the service has requested before is kept, also after the device was forgotten.
        clock.advance(by: .seconds(100))
        service[\.nextRegistration] = busy
        let first = start("first", client) { try await $0.get("/a").timeout(.seconds(50)).value() }
        let clock = clock
        try await eventually { first.isOver }
        // Before and while another call waits for the end of the delay.
        let early = start("early", client) { try await $0.get("/a").timeout(.seconds(50)).value() }
        try await eventually { early.isOver || clock.sleeperCount > 0 }
        guard early.isOver else { return ["a call without time for the delay waits"] }
        let patient = start("patient", client) { try await $0.get("/a").timeout(nil).value() }
        try await eventually { clock.sleeperCount > 0 || patient.isOver }
        if patient.isOver { return ["a call does not wait for the delay: \(String(describing: patient.error))"] }
        let before = clock.uptime
        let hasty = start("hasty", client) { try await $0.get("/a").timeout(.seconds(50)).value() }
        var faults: [String] = []
        do {
            try await eventually { hasty.isOver }
            if (hasty.error as? HeliumError)?.kind != .registrationFailed || clock.uptime != before {
                faults.append("a call without time ends with \(String(describing: hasty.error))")
            }
        } catch is NeverSo {
            faults.append("a call without time for the delay waits")
        }
        try await settle()
        if let error = patient.error { faults.append("a call with time fails: \(error)") }
        return faults
    }

    private func forgetAndWait(_ client: Int) -> Operation {
        forget(client)
        return operations[operations.count - 1]
    }

    /// Returns whether the failure was caused by a cancelled request, which is no failure of a registration.
    private func wasCancelled(_ error: HeliumError) -> Bool {
        error.kind == .cancelled || (error.underlying as? HeliumError).map(wasCancelled) == true
    }

    /// Returns what is wrong with the end of an operation.
    private func fault(of operation: Operation) -> String? {
        let state = operation.state.withLock { $0 }
        let name = "\(operation.name):\(operation.client)"
        guard state.isOver else { return "\(name) never ends" }
        switch state.error {
        case nil: return nil
        case is CancellationError: return state.isCancelled ? nil : "\(name) was not cancelled"
        case let error as HeliumError:
            switch error.kind {
            case .registrationFailed where !wasCancelled(error): return nil
            case .tokenStoreFailed, .timedOut, .unacceptableStatus: return nil
            case .connectionFailed, .connectionLost:
                return ["register", "update"].contains(operation.name) ? nil : "\(name) failed: \(error)"
            case .clientClosed where isClosed[operation.client]: return nil
            case .cancelled where state.isCancelled: return nil
            default: return "\(name) failed: \(error)"
            }
        case let error?: return "\(name) failed: \(error)"
        }
    }
}

@Suite("Registrations in any order", .timeLimit(.minutes(5)))
struct RegistrationSimulationTests {
    @Test(
        "in any order of events, a device is registered once, kept as promised, and every call ends",
        .tags(.random),
        arguments: SimulationSeeds.cases
    )
    func anyOrder(number: Int) async throws {
        let faults = try await SimulationSeeds.faults(of: number) { try await RegistrationSimulation(seed: $0).run() }
        #expect(faults.isEmpty)
    }
}
