import Foundation
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport
import Testing

/// Other events before the end of a registration: saves that fail, other processes, closing, cancelling, forgetting.
@Suite("Registrations and other events", .timeLimit(.minutes(5)))
struct RegistrationOrderTests {
    private let clock = TestClock()

    private func key() throws -> TokenStoreKey {
        TokenStoreKey(
            devicesURL: try #require(URL(string: "https://api.example.com/devices")),
            secretID: secretID
        )
    }

    private static let stored = DeviceRegistration(token: String(repeating: "c", count: 32))

    // MARK: Saving

    @Test("with the policy fail, a token is not used before it is saved")
    func unsaved() async throws {
        let fake = FakeMiddleware(clock: clock)
        let (store, saves, letSavesPass) = StagedStore.holdingSaves()
        store.failing.withLock { $0 = [.save] }
        let helium = try makeHelium(fake, store: store)
        let first = Task { try await failure(of: { try await helium.get("/a").value() }) }
        for await _ in saves { break }
        let second = Task { try await failure(of: { try await helium.get("/b").timeout(.milliseconds(200)).value() }) }
        await clock.waitForDeadlines(2)
        letSavesPass()
        #expect(try await first.value.kind == .tokenStoreFailed)
        #expect(try await second.value.kind == .tokenStoreFailed)
        #expect(fake[\.posts] == 1 && fake[\.seenTokens].isEmpty)
        // The same device is saved and used later.
        store.failing.withLock { $0 = [] }
        clock.advance(by: .seconds(31))
        try await helium.get("/a").value()
        #expect(fake[\.posts] == 1 && Set(fake[\.seenTokens]) == store.saved.withLock { $0 })
    }

    @Test("with the policy fail, a token that replaces a rejected one during an update is not used before it is saved")
    func unsavedAfterUpdate() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = StagedStore()
        try await store.save(Self.stored, for: key())
        store.failing.withLock { $0 = [.save] }
        let helium = try makeHelium(fake, store: store)
        let error = try await failure(of: { try await helium.get("/a").value() })
        #expect(error.kind == .tokenStoreFailed && fake[\.posts] == 1)
        #expect(fake[\.seenTokens] == [Self.stored.token])  // of the update
        store.failing.withLock { $0 = [] }
        clock.advance(by: .seconds(31))
        try await helium.get("/a").value()
        try await makeHelium(fake, store: store).get("/a").value()
        #expect(fake[\.posts] == 1)
    }

    @Test("a description that the server has and the store has not is saved later, and not sent again")
    func unsavedDescription() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = StagedStore()
        try await makeHelium(fake, store: store).get("/a").value()
        store.failing.withLock { $0 = [.save] }
        let info = DeviceInfo(culture: "en-GB")
        let changed = try makeHelium(fake, store: store, info: info)
        try await changed.get("/a").value()
        #expect(fake[\.puts] == 1)
        store.failing.withLock { $0 = [] }
        clock.advance(by: .seconds(31))
        try await changed.device?.register()
        try await makeHelium(fake, store: store, info: info).device?.register()
        #expect(fake[\.puts] == 1 && fake[\.posts] == 1)
    }

    // MARK: Other processes

    @Test(
        "a process whose token is rejected takes the token that another process has stored",
        arguments: [true, false]
    )
    func otherProcess(isFile: Bool) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("tokens.json").path
            let memory = MemoryTokenStore()
            let fake = FakeMiddleware(clock: clock)
            // Each process has a store of its own in the same file.
            let clients = try (0..<2).map { _ in
                try makeHelium(fake, store: isFile ? FileTokenStore(at: file) : memory)
            }
            for client in clients { try await client.get("/a").value() }
            #expect(fake[\.posts] == 1)
            fake[\.devices] = []
            for client in clients {
                let response = try await client.get("/a").response()
                #expect(response.attempts.map(\.retryReason) == [.credentialReplaced, nil])
            }
            #expect(fake[\.posts] == 2 && fake[\.devices].count == 1)
            let tokens = [
                try await clients[0].device?.registration()?.token, try await clients[1].device?.registration()?.token,
            ]
            #expect(tokens[0] != nil && tokens[0] == tokens[1])
        }
    }

    @Test("a token of another process that the server does not know either is replaced in the same call")
    func otherRejectedToken() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = MemoryTokenStore()
        let clients = [try makeHelium(fake, store: store), try makeHelium(fake, store: store)]
        for client in clients { try await client.get("/a").value() }
        fake[\.devices] = []
        try await clients[0].get("/a").value()
        fake[\.devices] = []
        let response = try await clients[1].get("/a").response()
        #expect(response.attempts.map(\.retryReason) == [.credentialReplaced, .credentialReplaced, nil])
        #expect(fake[\.posts] == 3 && fake[\.devices].count == 1)
    }

    @Test("calls at the same time replace a token of another process that the server does not know either")
    func otherRejectedTokenTwice() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = MemoryTokenStore()
        let inner = fake.transport
        let sent = Guarded<Set<String>>([])
        let isFirstOver = Signal<Void>()
        let other = try makeHelium(fake, store: store)
        let helium = try makeHelium(fake, store: store) { configuration in
            configuration.environment.transport = MockTransport { request async throws(TransportFailure) in
                let (path, key) = (request.url.target, request.fields[HTTPField.Name("key") ?? .accept] ?? "")
                guard ["/first", "/second"].contains(path) else { return try await inner.execute(request) }
                let number = sent.withLock { sent in
                    sent.insert(path + key.prefix(32))
                    return sent.count { $0.hasPrefix(path) }
                }
                // Both calls send each rejected token. The second response to the second call is late.
                if number <= 2 { try? await eventually { sent.withLock { $0.count >= 2 * number } } }
                if path == "/second", number == 2 { try? await isFirstOver.value() }
                return try await inner.execute(request)
            }
        }
        for client in [other, helium] { try await client.get("/a").value() }
        fake[\.devices] = []
        try await other.get("/a").value()
        fake[\.devices] = []
        let second = Task { try await helium.get("/second").response() }
        let first = try await helium.get("/first").response()
        isFirstOver.settle()
        for response in [first, try await second.value] {
            #expect(response.attempts.map(\.retryReason) == [.credentialReplaced, .credentialReplaced, nil])
        }
        #expect(fake[\.posts] == 3 && fake[\.devices].count == 1)
    }

    @Test("a corrected clock does not save a rejected token over that of another process")
    func otherTokenAndClock() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = MemoryTokenStore()
        let clients = [try makeHelium(fake, store: store), try makeHelium(fake, store: store)]
        for client in clients { try await client.get("/a").value() }
        fake[\.devices] = []
        try await clients[1].get("/a").value()
        // The server looks at the time first.
        fake[\.clockOffset] = .seconds(1000)
        let response = try await clients[0].get("/a").response()
        #expect(response.attempts.map(\.retryReason) == [.clockCorrected, .credentialReplaced, nil])
        #expect(fake[\.posts] == 2)
        let stored = try #require(await store.load(key()))
        #expect(stored.token.map { fake[\.devices] == [$0] } == true)
    }

    @Test("a client that is released does not wait for its next registration", arguments: [true, false])
    func released(isUpdate: Bool) async throws {
        let fake = FakeMiddleware(clock: clock)
        let busy = FakeMiddleware.failure(503, "Busy", [.retryAfter: "600"])
        weak var store: StagedStore?
        do {
            let own = StagedStore()
            store = own
            let helium = try makeHelium(fake, store: own)
            let device = try #require(helium.device)
            if isUpdate {
                try await device.register()
                fake[\.updateFaults] = [busy]
            } else {
                fake[\.registrationFaults] = [busy]
            }
            _ = try await failure(of: { try await device.update() })
            let waits = [
                Task { try await device.update(within: .seconds(700)) },
                Task { try await device.register(within: .seconds(700)) },
            ]
            await clock.waitForSleepers()
            for wait in waits {
                wait.cancel()
                await #expect(throws: CancellationError.self) { try await wait.value }
            }
        }
        try await eventually { store == nil && clock.sleeperCount == 0 }
        #expect(fake[\.posts] + fake[\.puts] == (isUpdate ? 2 : 1))
    }

    @Test("the failed save of a token that was rejected since does not save the token of another process again")
    func unsavedBeforeRejection() async throws {
        let fake = FakeMiddleware(clock: clock)
        let memory = MemoryTokenStore()
        let saves = Guarded(0)
        let store = StagedStore(memory: memory) { operation in
            if operation == .save { saves.withLock { $0 += 1 } }
        }
        try await makeHelium(fake, store: memory).get("/a").value()
        // The description is sent, and its hash is not saved.
        store.failing.withLock { $0 = [.save] }
        let info = DeviceInfo(culture: "en-GB")
        let helium = try makeHelium(fake, store: store, info: info)
        try await helium.get("/a").value()
        #expect(fake[\.puts] == 1 && saves.withLock { $0 } == 1)
        store.failing.withLock { $0 = [] }
        fake[\.devices] = []
        try await makeHelium(fake, store: memory, info: info).get("/a").value()
        try await helium.get("/a").value()
        #expect(fake[\.posts] == 2 && saves.withLock { $0 } == 1)
    }

    @Test("a device that another process has registered in the meantime is not registered again")
    func meantime() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = MemoryTokenStore()
        let (first, second) = (try makeHelium(fake, store: store), try makeHelium(fake, store: store))
        fake[\.registrationFaults] = [FakeMiddleware.failure(503, "Busy")]
        _ = try await failure(of: { try await second.get("/a").value() })
        try await first.get("/a").value()
        clock.advance(by: .seconds(31))
        try await second.get("/a").value()
        #expect(fake[\.posts] == 2 && fake[\.devices].count == 1)
    }

    @Test("a rejected token that a store still contains is not used again")
    func stubbornStore() async throws {
        let fake = FakeMiddleware(clock: clock)
        let store = StagedStore(failurePolicy: .startAfresh)
        try await store.save(Self.stored, for: key())
        store.failing.withLock { $0 = [.clear, .save] }
        let helium = try makeHelium(fake, store: store)
        try await helium.get("/a").value()
        fake[\.devices] = []
        try await helium.get("/a").value()
        #expect(fake[\.posts] == 2 && fake[\.seenTokens].count { $0 == Self.stored.token } == 1)
    }

    // MARK: Closing, cancelling, forgetting

    @Test("closing the client during a registration fails everything that waits for it with clientClosed")
    func closing() async throws {
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let fake = FakeMiddleware(clock: clock) {
            arrive.yield()
            try? await Task.sleep(for: .seconds(3600))
        }
        let helium = try makeHelium(fake)
        let device = try #require(helium.device)
        let waiting = [
            Task { try await failure(of: { try await device.register() }) },
            Task { try await failure(of: { try await device.update() }) },
            Task { try await failure(of: { try await helium.get("/a").value() }) },
        ]
        for await _ in arrivals { break }
        await clock.waitForDeadlines(4)  // of these and the registration
        await helium.close()
        for task in waiting { #expect(try await task.value.kind == .clientClosed) }
        #expect(try await failure(of: { try await device.register() }).kind == .clientClosed)
    }

    @Test("closing the client during an update of the device fails it with clientClosed")
    func closingDuringUpdate() async throws {
        let fake = FakeMiddleware(clock: clock)
        let gate = MockTransport.Gate()
        let updates = fake.transport
        let helium = try makeHelium(fake) { configuration in
            configuration.environment.transport = MockTransport { request async throws(TransportFailure) in
                if request.method == .put { try await gate.pass() }
                return try await updates.execute(request)
            }
        }
        let device = try #require(helium.device)
        try await device.register()
        let update = Task { try await failure(of: { try await device.update() }) }
        await gate.waitForArrivals()
        await helium.close()
        #expect(try await update.value.kind == .clientClosed)
    }

    @Test("a cancelled read of the store is not an empty store", arguments: [StoreFailurePolicy.fail, .startAfresh])
    func cancelledRead(policy: StoreFailurePolicy) async throws {
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let isOpen = Atomic<Bool>(false)
        let store = StagedStore(failurePolicy: policy) { operation in
            guard operation == .load, !isOpen.load(ordering: .sequentiallyConsistent) else { return }
            arrive.yield()
            try await Task.sleep(for: .seconds(3600))
        }
        let fake = FakeMiddleware(clock: clock)
        var stored = Self.stored
        stored.deviceInfoHash = try DeviceInfo(culture: "de-DE").sha256()
        await store.memory.save(stored, for: try key())
        fake[\.devices] = Set([stored.token].compactMap(\.self))
        let helium = try makeHelium(fake, store: store)
        let device = try #require(helium.device)
        let reading = Task { try await device.registration() }
        for await _ in arrivals { break }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        isOpen.store(true, ordering: .sequentiallyConsistent)
        try await helium.get("/a").value()
        #expect(fake[\.posts] == 0 && Set(fake[\.seenTokens]) == [stored.token])
    }

    @Test("forgetting a device ends its registration, and the calls that wait make another one")
    func forgetting() async throws {
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let isFirst = Atomic<Bool>(true)
        let fake = FakeMiddleware(clock: clock) {
            guard isFirst.exchange(false, ordering: .sequentiallyConsistent) else { return }
            arrive.yield()
            try? await Task.sleep(for: .seconds(3600))
        }
        let store = StagedStore()
        let helium = try makeHelium(fake, store: store)
        let device = try #require(helium.device)
        let call = Task { try await helium.get("/a").value() }
        for await _ in arrivals { break }
        try await device.forget()
        try await call.value
        let token = try #require(try await device.registration()?.token)
        #expect(Set(fake[\.seenTokens]) == [token] && store.saved.withLock { $0 } == [token])
        #expect(try await store.memory.load(key())?.token == token)
    }

    @Test("a registration that is forgotten while its store is checked is not sent")
    func forgettingDuringCheck() async throws {
        let (checks, check) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let isFirst = Atomic<Bool>(true)
        let fake = FakeMiddleware(clock: clock)
        let store = StagedStore(checking: {
            guard isFirst.exchange(false, ordering: .sequentiallyConsistent) else { return }
            check.yield()
            // Not ended by a cancellation, as a lock on a file.
            await Task { for await _ in gate { break } }.value
        })
        let helium = try makeHelium(fake, store: store)
        let device = try #require(helium.device)
        let forgotten = Task { try await device.register() }
        for await _ in checks { break }
        try await device.forget()
        let token = try await device.register().token
        #expect(fake[\.posts] == 1)
        open.finish()
        #expect(try await forgotten.value.token == token)
        #expect(fake[\.posts] == 1 && fake[\.devices].count == 1)
    }

    @Test("a registration that ends while the device is forgotten is not used")
    func forgettingAtTheEnd() async throws {
        let hooked = HookedClock(clock)
        let isRemoving = Atomic<Bool>(false)
        let isArmed = Atomic<Bool>(false)
        let isInTime = Atomic<Bool>(false)
        let store = StagedStore { operation in
            if operation == .remove { isRemoving.store(true, ordering: .sequentiallyConsistent) }
        }
        let forgetting = Guarded<Task<Void, any Error>?>(nil)
        let known = Guarded<Device?>(nil)
        let fake = FakeMiddleware(clock: clock) {
            guard !isArmed.exchange(true, ordering: .sequentiallyConsistent) else { return }
            // The client reads its clock when it has the response, and cannot cancel the registration any more.
            hooked.hook.withLock { hook in
                hook = {
                    let device = known.withLock { $0 }
                    forgetting.withLock { $0 = Task { try await device?.forget() } }
                    let end = ContinuousClock.now + .seconds(1)
                    while !isRemoving.load(ordering: .sequentiallyConsistent), .now < end { sched_yield() }
                    isInTime.store(
                        isRemoving.load(ordering: .sequentiallyConsistent),
                        ordering: .sequentiallyConsistent
                    )
                }
            }
        }
        let helium = try makeHelium(fake, store: store) { $0.environment.clock = hooked }
        known.withLock { $0 = helium.device }
        try await helium.get("/a").value()
        try await forgetting.withLock { $0 }?.value
        // On a single thread, the device is forgotten after the registration.
        guard isInTime.load(ordering: .sequentiallyConsistent) else { return }
        let token = try #require(try await helium.device?.registration()?.token)
        #expect(fake[\.posts] == 2 && Set(fake[\.seenTokens]) == [token])
        #expect(try await store.memory.load(key())?.token == token)
    }

    @Test("forgetting a device does not wait for the delay before its next registration")
    func forgettingInPause() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        fake[\.registrationFaults] = [FakeMiddleware.failure(503, "Busy", [.retryAfter: "30"])]
        _ = try await failure(of: { try await helium.get("/a").value() })
        let patient = Task { try await helium.get("/a").value() }
        await clock.waitForSleepers()
        try await helium.device?.forget()
        #expect(clock.uptime == .zero)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        try await patient.value
        #expect(fake[\.posts] == 2)
    }

    @Test("forgetting a device removes what a save in progress has written, even if the caller is cancelled")
    func forgettingDuringSave() async throws {
        let fake = FakeMiddleware(clock: clock)
        let (store, saves, letSavesPass) = StagedStore.holdingSaves()
        let helium = try makeHelium(fake, store: store)
        let device = try #require(helium.device)
        let call = Task { try await failure(of: { try await device.register() }) }
        for await _ in saves { break }
        call.cancel()
        let forgetting = Task { try await device.forget() }
        forgetting.cancel()
        letSavesPass()
        try await forgetting.value
        #expect(try await store.memory.load(key()) == nil)
        _ = await call.result
    }
}

/// A clock that calls a hook once when its wall-clock time is read.
private final class HookedClock: HeliumClock {
    let hook = Guarded<(@Sendable () -> Void)?>(nil)
    private let base: TestClock

    init(_ base: TestClock) { self.base = base }

    var wallTime: Duration {
        hook.withLock { hook in
            defer { hook = nil }
            return hook
        }?()
        return base.wallTime
    }

    var uptime: Duration { base.uptime }

    func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }

    func waitForDeadline(at uptime: Duration) async throws { try await base.waitForDeadline(at: uptime) }
}
