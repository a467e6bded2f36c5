import AppNet
import HTTPTypes
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Waiting for the outcome of a message", .timeLimit(.minutes(5)))
struct OutcomeTests {
    private static func world() async throws -> (BeastWorld, MessageManager, AppNetChannel.ID) {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let manager = try world.manager()
        return (world, manager, try await manager.privateChannel(ofType: BeastWorld.journal).id)
    }

    @Test("a message that is sent later has the outcome sent")
    func sent() async throws {
        let (_, manager, journal) = try await Self.world()
        // sample
        let message = try await manager.create(Message(text: "Tea"), in: journal)  // stored
        if let id = message.message.id, case .parked(let reason) = try await manager.outcome(of: id) {
            print("not sent: \(reason.message)")
        }
        // end of sample
        let id = try #require(message.message.id)
        let stored = try #require(try await manager.message(id: id))
        #expect(stored.state == .sent)
        #expect(try await manager.outcome(of: id) == .sent(try #require(stored.message.id)))
        await manager.stop()
    }

    @Test("a parked or deleted message has an outcome too")
    func parkedOrDeleted() async throws {
        let (world, manager, journal) = try await Self.world()
        let refusal = #"{"meta": {"code": 400, "error_message": "Not that one"}}"#
        world.wire.set { $0.method == .post ? .respond(.json(refusal, status: 400)) : .pass }
        let bad = try await manager.create(Message(text: "Bad"), in: journal)
        let id = try #require(bad.message.id)
        guard case .parked(let reason) = try await manager.outcome(of: id) else {
            Issue.record("it is not parked")
            return
        }
        #expect(reason.code == "badRequest")
        world.wire.set(nil)
        let other = try await manager.create(Message(text: "Other"), in: journal, sendsImmediately: false)
        let otherID = try #require(other.message.id)
        let waiting = Task { try await manager.outcome(of: otherID) }
        try await manager.delete(otherID)
        // The deletion may come before the wait.
        switch await waiting.result {
        case .success(let outcome): #expect(outcome == .deleted)
        case .failure(let error): #expect((error as? MessageBeastError)?.kind == .notFound)
        }
        await manager.stop()
    }

    @Test("waiting for an outcome ends with its time limit, its task and the engine, and the message stays")
    func ends() async throws {
        let (world, manager, journal) = try await Self.world()
        let message = try await manager.create(Message(text: "Tea"), in: journal, sendsImmediately: false)
        let id = try #require(message.message.id)
        let limited = Task { try await manager.outcome(of: id, timeout: .seconds(10)) }
        await world.clock.waitForDeadlines()
        world.clock.advance(by: .seconds(10))
        let timedOut = await #expect(throws: MessageBeastError.self) { try await limited.value }
        #expect(timedOut?.kind == .timedOut)
        let cancelled = Task { try await manager.outcome(of: id) }
        cancelled.cancel()
        await #expect(throws: (any Error).self) { try await cancelled.value }
        let stopped = Task { try await manager.outcome(of: id) }
        await manager.stop()
        let error = await #expect(throws: MessageBeastError.self) { try await stopped.value }
        #expect(error?.kind == .stopped)
        await #expect(throws: MessageBeastError.self) { try await manager.outcome(of: Message.ID("99")) }
    }
}
