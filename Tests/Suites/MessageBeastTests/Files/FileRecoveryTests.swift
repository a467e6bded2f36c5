import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Uploads after crashes and lost responses")
struct FileRecoveryTests {
    /// Sends with a new engine, and checks that there is one message with one file.
    private func expectOne(_ files: FileWorld, by manager: MessageManager, _ text: String = "a") async throws {
        try await manager.sendAll(in: files.channel)
        #expect(try await files.attached() == [[files.sha1(text)]])
        let all = try await files.files()
        #expect(all.count == 1)
        #expect(all.first?.isComplete == true)
        #expect(try await manager.pendingSummary().isEmpty)
        #expect(try await manager.check() == [])
        try await eventually { files.staged == [] }
        await manager.stop()
    }

    /// Kills the engine while the response to a request that took effect is on its way.
    private func kill(
        _ files: FileWorld,
        before isHeld: @escaping @Sendable (TransportRequest) -> Bool
    ) async throws -> MessageManager {
        let gate = Signal<Void>()
        files.wire.set { isHeld($0) ? .holdResponse(gate) : .pass }
        try await files.create("Tea", [try await files.stage("a")], sendsImmediately: true)
        try await eventually { files.wire.heldResponses == 1 }
        let second = try files.kill()
        gate.settle()
        return second
    }

    @Test("a file is found again if the engine is killed after the service created it (C7)", .behaviour(62))
    func created() async throws {
        let files = try await FileWorld()
        let second = try await kill(files, before: FileWorld.isCreation)
        #expect(try await second.pendingFiles().map(\.state) == [.waiting])
        try await expectOne(files, by: second)
        #expect(files.requests("POST", "/files") == 1)
    }

    @Test(
        "the content of a file is not sent again if the engine is killed after the service has it (C7)",
        .behaviour(62)
    )
    func content() async throws {
        let files = try await FileWorld()
        let second = try await kill(files, before: FileWorld.isPut)
        #expect(try await second.pendingFiles().map(\.state) == [.created])
        try await expectOne(files, by: second)
        #expect(files.requests("PUT", "/content") == 1)
    }

    @Test("an upload is not repeated if the engine is killed after it was recorded (C8)", .behaviour(62, 71))
    func uploaded() async throws {
        let files = try await FileWorld()
        let gate = Signal<Void>()
        files.wire.set { FileWorld.isPost($0) ? .hold(gate) : .pass }
        try await files.create("Tea", [try await files.stage("a")], sendsImmediately: true)
        try await eventually { files.requests("POST", "/messages") == 1 }
        let second = try files.kill()
        #expect(try await second.pendingFiles().map(\.state) == [.uploaded])
        try await expectOne(files, by: second)
        #expect(files.requests("PUT", "/content") == 1)
        #expect(files.requests("POST", "/files") == 1)
    }

    @Test("an upload starts again if the engine is killed before the content arrived")
    func cut() async throws {
        let files = try await FileWorld()
        let gate = Signal<Void>()
        files.wire.set { FileWorld.isPut($0) ? .hold(gate) : .pass }
        try await files.create("Tea", [try await files.stage("a")], sendsImmediately: true)
        try await eventually { files.requests("PUT", "/content") == 1 }
        let second = try files.kill()
        try await expectOne(files, by: second)
        #expect(files.requests("POST", "/files") == 1)
    }

    @Test("a lost response to the creation of a file makes no second file", arguments: [true, false])
    func lostCreation(hasArrived: Bool) async throws {
        let files = try await FileWorld()
        let isFirst = Once()
        files.wire.set { request in
            guard FileWorld.isCreation(request), isFirst.take() else { return .pass }
            let failure = TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost")
            return hasArrived ? .loseResponse : .fail(failure)
        }
        try await files.create("Tea", [try await files.stage("a")])
        try await files.manager.sendAll(in: files.channel)
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        #expect(files.requests("POST", "/files") == (hasArrived ? 1 : 2))
        try await expectOne(files, by: files.manager)
    }

    @Test("a lost response leaves at most an incomplete file if files cannot be listed")
    func withoutScope() async throws {
        let files = try await FileWorld()
        let isFirst = Once()
        files.wire.set { request in
            if FileWorld.isCreation(request), isFirst.take() { return .loseResponse }
            let isList = request.method == .get && Wire.line(request).contains("/users/me/files")
            return isList ? .respond(.failure(403)) : .pass
        }
        try await files.create("Tea", [try await files.stage("a")])
        try await files.manager.sendAll(in: files.channel)
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        files.wire.set(nil)
        #expect(try await files.attached() == [[files.sha1("a")]])
        #expect(try await files.files().map(\.isComplete) == [false, true])
        await files.manager.stop()
    }

    @Test("the file with the lower id is kept if two have one token")
    func twoFiles() async throws {
        let files = try await FileWorld()
        let second = try await kill(files, before: FileWorld.isCreation)
        let token = try await second.context.read { try PendingFileTable(database: $0).all().first?.token }
        let copy = Annotation(type: MessageBeastNames.token, value: ["token": .string(try #require(token))])
        let made = try await files.world.client.files.create(File(type: FileWorld.type, annotations: [copy]))
        try await expectOne(files, by: second)
        #expect(try await files.files().first?.id != made.id)
    }

    @Test("a complete file with other content is replaced")
    func otherContent() async throws {
        let files = try await FileWorld()
        let gate = Signal<Void>()
        files.wire.set { FileWorld.isPut($0) ? .hold(gate) : .pass }
        try await files.create("Tea", [try await files.stage("a")], sendsImmediately: true)
        try await eventually { files.requests("PUT", "/content") == 1 }
        let second = try files.kill()
        let made = try #require(try await files.files().first?.id)
        try await files.world.client.files.setContent(of: made, to: .data(Data("b".utf8), name: "b"))
        try await second.sendAll(in: files.channel)
        try await eventually { try await second.pendingSummary().isEmpty }
        try await expectOne(files, by: second)
        #expect(try await files.files().first?.id != made)
    }

    @Test("a file that was deleted on the service is created again")
    func deletedElsewhere() async throws {
        let files = try await FileWorld()
        let gate = Signal<Void>()
        files.wire.set { FileWorld.isPut($0) ? .hold(gate) : .pass }
        try await files.create("Tea", [try await files.stage("a")], sendsImmediately: true)
        try await eventually { files.requests("PUT", "/content") == 1 }
        let second = try files.kill()
        try await files.world.client.files.delete(try #require(try await files.files().first?.id))
        try await second.sendAll(in: files.channel)
        try await eventually { try await second.pendingSummary().isEmpty }
        try await expectOne(files, by: second)
    }

    @Test("the content of a file that the service already has is not an error")
    func completeAlready() async throws {
        let files = try await FileWorld()
        let isFirst = Once()
        // The service refuses the second request: the file is complete.
        files.wire.set { FileWorld.isPut($0) && isFirst.take() ? .twice : .pass }
        try await files.create("Tea", [try await files.stage("a")])
        try await files.manager.sendAll(in: files.channel)
        try await expectOne(files, by: files.manager)
    }

    @Test("a file that another running engine uploads is left alone", .behaviour(66))
    func twoEngines() async throws {
        let files = try await FileWorld()
        let gate = Signal<Void>()
        files.wire.set { FileWorld.isPut($0) ? .hold(gate) : .pass }
        try await files.create("Tea", [try await files.stage("a")], sendsImmediately: true)
        try await eventually { files.requests("PUT", "/content") == 1 }
        let other = try files.world.manager(.file(files.folder.path("journal.sqlite"))) {
            $0.sendsAutomatically = false
        }
        files.wire.forget()
        #expect(try await other.outbox.drain(files.channel, isExplicit: true) == .seconds(1))
        #expect(files.wire.requests == [])
        gate.settle()
        try await eventually { try await files.manager.pendingSummary().isEmpty }
        #expect(try await files.attached() == [[files.sha1("a")]])
        #expect(files.requests("PUT", "/content") == 0)
        await other.stop()
        await files.manager.stop()
    }

    @Test(
        "a file is parked with its message after too many unknown outcomes, and looked for after a retry",
        arguments: [true, false]
    )
    func tooMany(isUnreadable: Bool) async throws {
        let files = try await FileWorld { $0.maximumSendAttempts = 3 }
        let unreadable =
            #"{"meta": {"code": 200, "min_id": "8", "max_id": "8", "more": false}, "data": [{"id": "8", "name": {}}]}"#
        let isFirst = Once()
        files.wire.set { request in
            if FileWorld.isCreation(request) { return isFirst.take() ? .loseResponse : .pass }
            guard Wire.line(request).contains("/users/me/files") else { return .pass }
            return .respond(isUnreadable ? .json(unreadable) : .failure(500))
        }
        let file = try await files.stage("a")
        let id = try await files.create("Tea", [file])
        try await files.manager.sendAll(in: files.channel)
        try await eventually { try await files.manager.parkedMessages().map(\.message.message.id) == [id] }
        #expect(try await files.manager.pendingFile(id: file.id)?.lastFailure?.code == "outcomeUnknown")
        files.wire.set(nil)
        try await files.manager.retry(id)
        try await expectOne(files, by: files.manager)
        #expect(files.requests("POST", "/files") == 1)
    }

    @Test(
        "a message that is deleted while its file is created leaves no file on the service",
        arguments: [true, false]
    )
    func deletedMeanwhile(isKilled: Bool) async throws {
        let files = try await FileWorld()
        let gate = Signal<Void>()
        files.wire.set { FileWorld.isCreation($0) ? .holdResponse(gate) : .pass }
        let id = try await files.create("Tea", [try await files.stage("a")], sendsImmediately: true)
        try await eventually { files.wire.heldResponses == 1 }
        try await files.manager.delete(id)
        let last = isKilled ? try files.kill() : files.manager
        files.wire.set(nil)
        gate.settle()
        try await last.start()
        try await eventually {
            let isEmpty = try await last.pendingSummary().isEmpty
            let count = try await files.files().count
            return isEmpty && count == 0
        }
        #expect(try await last.pendingFiles() == [])
        #expect(files.requests("PUT", "/content") == 0)
        try await eventually { files.staged == [] }
        await last.stop()
    }
}

/// Something that is taken once.
private final class Once: Sendable {
    private let isTaken = Signal<Void>()

    func take() -> Bool { isTaken.settle() }
}
