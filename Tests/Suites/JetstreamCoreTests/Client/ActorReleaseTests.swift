import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import HeliumWebSocket
import Synchronization
import TestSupport
import Testing

@testable import JetstreamCore

/// The forms of coalesced observers that are called on an actor.
enum ActorObserverForm: CaseIterable, Sendable {
    case change
    case keys
    case key
    case keyPath
    case originalKey
    case originalKeys
    case tree
}

/// The number of calls of an observer.
private final class CallCount: Sendable {
    private let count = Guarded(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

/// An actor that owns its models, as a server has one for each room.
private actor Room {
    private let model = TestModel()
    private let scope: Scope
    private let calls: CallCount

    init(calls: CallCount = CallCount()) {
        self.calls = calls
        scope = Scope(name: "Canvas", root: model)
    }

    func observe(_ form: ActorObserverForm) {
        let calls = calls
        switch form {
        case .change: model.observeChange(self) { calls.add() }
        case .keys: model.observeChange(self, keys: ["string", "integer"]) { calls.add() }
        case .key: model.observeChange(self, key: "string") { calls.add() }
        case .keyPath: model.observeChange(self, \.string) { calls.add() }
        case .originalKey: model.observePropertyChange(self, key: "string") { calls.add() }
        case .originalKeys: model.observePropertyChange(self, keys: ["string", "integer"]) { calls.add() }
        case .tree: model.observeTreeChange(self) { calls.add() }
        }
    }

    func change() { model.string = (model.string ?? "") + "a" }

    /// Fetches the scope, which retains `calls` until it has been given up.
    func fetch(by client: JetstreamClient) async throws {
        scope.onChanges(self) { [calls] _ in calls.add() }
        try await client.fetch(scope)
    }

    /// Changes a throttled value twice. The second one waits.
    func throttle(_ clock: TestClock) async throws {
        // The server's replies would revert the values.
        scope.pauseIncomingMessages()
        model.throttled = 1
        await clock.waitForSleepers(1)
        clock.advance(by: scope.changeInterval)
        try await eventually { scope.changed.isEmpty }
        model.throttled = 2
        await clock.waitForSleepers(1)
        clock.advance(by: scope.changeInterval)
        try await eventually { scope.nextDeadline != nil }
    }
}

@Suite("Actors that own models", .timeLimit(.minutes(5)))
struct ActorReleaseTests {
    @Test("an actor with an observer of its models is released", arguments: ActorObserverForm.allCases)
    func observers(form: ActorObserverForm) async throws {
        var room: Room? = Room()
        await room?.observe(form)
        weak let held = room
        room = nil
        // The thread that ran the actor may still have it.
        try await eventually { held == nil }
    }

    @Test("an observer is called on an actor, which is released afterwards", arguments: ActorObserverForm.allCases)
    func calledObservers(form: ActorObserverForm) async throws {
        let calls = CallCount()
        var room: Room? = Room(calls: calls)
        await room?.observe(form)
        await room?.change()
        await room?.change()
        try await eventually { calls.value > 0 }
        weak let held = room
        room = nil
        try await eventually { held == nil }
    }

    @Test("an actor that fetched its scope is released, and the client fetches the scope again")
    func fetched() async throws {
        let (server, client) = connected()
        for _ in 0..<2 {
            var calls: CallCount? = CallCount()
            weak let released = calls
            var room: Room? = calls.map { Room(calls: $0) }
            calls = nil
            try await room?.fetch(by: client)
            room = nil
            // The actor's end may still be in progress when it cannot be reached any more.
            try await eventually { released == nil }
        }
        // The status follows the connection.
        try await eventually { client.status.isConnected }
        #expect(server.connections.count == 1)
        await client.close()
    }

    @Test("a throttled value that waits retains no actor, and its timer ends with the actor")
    func throttled() async throws {
        let clock = TestClock()
        let (_, client) = connected { $0.clock = clock }
        var room: Room? = Room()
        try await room?.fetch(by: client)
        try await room?.throttle(clock)
        await clock.waitForSleepers(1)
        weak let held = room
        room = nil
        try await eventually { held == nil && clock.sleeperCount == 0 }
        await client.close()
    }

    private func connected(
        _ change: (inout JetstreamClientOptions) -> Void = { _ in }
    ) -> (ServerInMemory, JetstreamClient) {
        let server = ServerInMemory()
        var options = JetstreamClientOptions()
        change(&options)
        let client = JetstreamClient(transport: server.transport, options: options)
        client.connect()
        return (server, client)
    }
}

@Suite("The timer of a fetched scope", .timeLimit(.minutes(5)))
struct FlushTimerTests {
    @Test("one timer waits while changes and throttled values go on")
    @MainActor
    func oneTimer() async throws {
        let (server, clock) = (ServerInMemory(), TestClock())
        var options = JetstreamClientOptions()
        options.clock = clock
        let client = JetstreamClient(transport: server.transport, options: options)
        client.connect()
        let (root, child) = (TestModel(), TestModel())
        let scope = Scope(name: "Canvas", root: root)
        try await client.fetch(scope)
        // The server's replies would revert the values.
        scope.pauseIncomingMessages()
        root.childModel = child
        var counts: Set<Int> = []
        for round in 1...40 {
            // Their intervals end at different times, so that one of them always waits.
            if round.isMultiple(of: 2) { root.throttled = round } else { child.throttled = round }
            root.integer = round
            await clock.waitForSleepers(1)
            counts.insert(clock.sleeperCount)
            clock.advance(by: scope.changeInterval)
            try await eventually { !scope.isBatchOpen }
            counts.insert(clock.sleeperCount)
        }
        #expect(counts.isSubset(of: [0, 1]))
        // The last values are sent when they are due.
        let last = scope.changeSets.count
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(50))
        try await eventually { scope.nextDeadline == nil }
        #expect(scope.changeSets.count > last)
        await client.close()
    }
}
