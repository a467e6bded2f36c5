import AppNet
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("The delays after requests that did not leave the machine", .timeLimit(.minutes(5)))
struct BackOffTests {
    private static let ceilings = [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 300]

    /// Expects a delay that differs from a number of seconds by a fifth at most.
    private func expect(_ delay: Duration, around seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) {
        // Times are stored in milliseconds.
        let least = Duration.seconds(seconds * 0.8) - .milliseconds(1)
        #expect(delay >= least && delay <= .seconds(seconds * 1.2), sourceLocation: sourceLocation)
    }

    private func delay(_ manager: MessageManager, _ channel: AppNetChannel.ID, isExplicit: Bool = false) async throws
        -> Duration
    {
        try #require(try await manager.outbox.drain(channel, isExplicit: isExplicit))
    }

    @Test("double up to five minutes, count as no attempts, and begin again with an explicit call", .behaviour(54))
    func message() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let other = try await manager.privateChannel(ofType: "com.example.other").id
        world.wire.fail("POST ")
        world.wire.forget()
        for channel in [channel, other] { _ = try await manager.create(Message(text: "Tea"), in: channel) }
        for seconds in Self.ceilings {
            let delay = try await delay(manager, channel)
            expect(delay, around: seconds)
            world.clock.advance(by: delay)
        }
        #expect(world.wire.requests.count == Self.ceilings.count)
        #expect(try await manager.page(of: channel).messages.map(\.sendAttemptsCount) == [0])
        // Each message has its own delay.
        world.clock.advance(by: try await delay(manager, other))
        expect(try await delay(manager, channel, isExplicit: true), around: 1)
        let second = try await delay(manager, other)
        expect(second, around: 2)
        world.clock.advance(by: second)
        expect(try await delay(manager, channel), around: 2)
        try await manager.outbox.setReachable(true)
        for channel in [channel, other] { expect(try await delay(manager, channel), around: 1) }
        world.wire.set(nil)
        try await manager.sendAll()
        #expect(try await manager.pendingSummary().isEmpty)
        await manager.stop()
    }

    @Test(
        "are reported with the message and its attempts, whether the network or the service is the reason",
        arguments: [nil, 401, 429, 507]
    )
    func notice(status: Int?) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let events = manager.events
        if let status {
            world.wire.set { $0.method == .post ? .respond(.failure(status)) : .pass }
        } else {
            world.wire.fail("POST ")
        }
        let id = try #require(try await manager.create(Message(text: "secret tea"), in: channel).message.id)
        _ = try await manager.outbox.drain(channel, isExplicit: false)
        await manager.stop()
        var failures: [(Message.ID, Int)] = []
        for await event in events {
            guard case .sendFailed(channel, let message, let reason, let attempts) = event else { continue }
            failures.append((message, attempts))
            #expect(!reason.message.contains("tea"))
            if let status { #expect(reason.message.contains("\(status)")) }
        }
        #expect(failures.map(\.0) == [id] && failures.map(\.1) == [0])
    }

    @Test("are a day at most, however long the service asks for")
    func longest() {
        let (gate, clock) = (SendGate(), TestClock(wallTime: .seconds(1_700_000_000)))
        gate.close(for: .seconds(100 * 365 * 86_400), clock: clock)
        #expect(gate.delay(clock: clock) == .seconds(86_400))
    }

    @Test("double for files, too")
    func file() async throws {
        let files = try await FileWorld { $0.sendsAutomatically = false }
        let (manager, channel) = (files.manager, files.channel)
        files.wire.fail("POST ")
        let file = try await files.stage("a")
        try await files.create("Tea", [file])
        for seconds in Self.ceilings.prefix(6) {
            // This starts the upload and does not wait for it.
            _ = try await manager.outbox.drain(channel, isExplicit: false)
            _ = try await manager.outbox.files.finishUploads(for: channel)
            let delay = try await delay(manager, channel)
            expect(delay, around: seconds)
            files.world.clock.advance(by: delay)
        }
        #expect(try await manager.pendingFile(id: file.id)?.sendAttemptsCount == 0)
        expect(try await delay(manager, channel, isExplicit: true), around: 1)
        files.wire.set(nil)
        try await manager.sendAll(in: channel)
        #expect(try await files.attached() == [[files.sha1("a")]])
        await manager.stop()
    }
}
