import AppNet
import Foundation
import GRDB
import HeliumConcurrency
import HeliumCore
import HeliumDatabase
import HeliumServer
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

/// Work that becomes due is done without being asked: after each call here, only the clock moves.
@Suite("Work that becomes due", .timeLimit(.minutes(5)))
struct WakingTests {
    private func live(_ channel: AppNetChannel.ID, in world: BeastWorld) async throws -> [String] {
        try await world.client.messages.list(in: channel).page(PageBounds(count: 200)).elements.reversed()
            .filter { $0.isDeleted != true }.compactMap(\.text)
    }

    /// Whether these texts are live. A pause of an engine, which the clock skips, can be longer than the time limit of this call.
    private func isLive(_ texts: [String], in channel: AppNetChannel.ID, _ world: BeastWorld) async -> Bool {
        (try? await live(channel, in: world)) == texts
    }

    /// An engine that has sent "Tea" twice, and knows the copy with the lower id alone.
    private func doubled(_ world: BeastWorld) async throws -> (MessageManager, AppNetChannel.ID, copy: Message.ID) {
        let manager = try world.manager { $0.fetchPolicy = .fetchAnyway }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        let id = try #require(created.message.id)
        #expect(try await manager.outcome(of: id) != .deleted)
        let copy = try await world.client.messages.create(UnsentMessage.posted(created.message), in: channel)
        return (manager, channel, try #require(copy.id))
    }

    /// The calls that store a copy.
    enum CopyReader: String, CaseIterable, Sendable {
        case fetchNewest
        case filteredFetch
        case refresh
        case refreshList
    }

    @Test("the deletion of a copy is sent, whichever call has found the copy", arguments: CopyReader.allCases)
    func copy(_ reader: CopyReader) async throws {
        let world = try await BeastWorld()
        let (manager, channel, copy) = try await doubled(world)
        #expect(try await live(channel, in: world) == ["Tea", "Tea"])
        switch reader {
        case .fetchNewest: _ = try await manager.fetchNewest(in: channel)
        case .filteredFetch: _ = try await manager.fetchNewest(in: channel, excluding: { _ in true })
        case .refresh: _ = try await manager.refresh(copy, in: channel)
        case .refreshList: _ = try await manager.refresh([copy], in: channel)
        }
        try await eventually { await isLive(["Tea"], in: channel, world) }
        await manager.stop()
    }

    @Test(
        "a reply is sent after the parked message that it waits for is discarded or deleted",
        arguments: [false, true]
    )
    func reply(_ isDeleted: Bool) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        world.wire.set { FileWorld.isPost($0) ? .respond(.failure(403)) : .pass }
        let first = try #require(try await manager.create(Message(text: "Tea"), in: channel).message.id)
        guard case .parked = try await manager.outcome(of: first) else { throw UnexpectedOutcome() }
        world.wire.set(nil)
        let reply = try await manager.create(Message(text: "Reply", replyTo: first), in: channel)
        if isDeleted { try await manager.delete(first) } else { try await manager.discard(first) }
        guard case .sent = try await manager.outcome(of: try #require(reply.message.id)) else {
            throw UnexpectedOutcome()
        }
        #expect(try await live(channel, in: world) == ["Reply"])
        await manager.stop()
    }

    private struct UnexpectedOutcome: Error {}

    @Test("a message is sent after the call that was sending it was cancelled")
    func cancelled() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let id = try await cancelSending(by: manager, in: channel, world)
        #expect(try await manager.outcome(of: id) != .deleted)
        #expect(try await live(channel, in: world) == ["Tea"])
        await manager.stop()
    }

    @Test("another engine sends a message after the call of a living engine that was sending it was cancelled")
    func cancelledElsewhere() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let manager = try world.manager(file) { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let id = try await cancelSending(by: manager, in: channel, world)
        let other = try world.manager(file)
        try await other.start()
        guard case .sent = try await other.outcome(of: id) else { throw UnexpectedOutcome() }
        #expect(try await live(channel, in: world) == ["Tea"])
        await other.stop()
        await manager.stop()
    }

    /// Cancels `sendAll(in:)` during its request.
    private func cancelSending(by manager: MessageManager, in channel: AppNetChannel.ID, _ world: BeastWorld)
        async throws
        -> Message.ID
    {
        let gate = Signal<Void>()
        world.wire.set { FileWorld.isPost($0) ? .hold(gate) : .pass }
        world.wire.forget()
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        let sending = Task { try await manager.sendAll(in: channel) }
        try await eventually { world.wire.requests.contains(where: FileWorld.isPost(line:)) }
        world.wire.set(nil)
        sending.cancel()
        await #expect(throws: (any Error).self) { try await sending.value }
        return try #require(created.message.id)
    }

    @Test("the gate counts how often a sign-in or the network has opened it, so that a loop notices it")
    func openings() {
        let gate = SendGate()
        #expect(!gate.reset() && gate.openings == 0)
        gate.isUnreachable = false
        #expect(gate.openings == 0)
        #expect(gate.waitForSignIn() && gate.isShut && gate.openings == 0)
        #expect(gate.reset() && !gate.isShut && gate.openings == 1)
        gate.isUnreachable = true
        #expect(gate.isShut && gate.openings == 1)
        gate.isUnreachable = false
        #expect(!gate.isShut && gate.openings == 2)
    }

    /// The events after which everything is sent again.
    enum Opening: String, CaseIterable, Sendable {
        case signIn
        case network
    }

    @Test(
        "work that waits for a sign-in or for the network is sent after it, also if the database fails then",
        arguments: Opening.allCases
    )
    func opening(_ opening: Opening) async throws {
        let world = try await BeastWorld()
        let isFailing = Guarded(false)
        let manager = try Self.manager(world) {
            if isFailing.withLock({ $0 }) { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        switch opening {
        case .signIn:
            let log = EventLog(manager)
            world.wire.set { FileWorld.isPost($0) ? .respond(.failure(401)) : .pass }
            _ = try await manager.create(Message(text: "Tea"), in: channel)
            try await eventually { log.events.contains(.authenticationRequired) }
        case .network:
            try await manager.outbox.setReachable(false)
            _ = try await manager.create(Message(text: "Tea"), in: channel)
        }
        world.wire.set(nil)
        isFailing.withLock { $0 = true }
        await #expect(throws: MessageBeastError.self) {
            switch opening {
            case .signIn: try await manager.sendAll()
            case .network: try await manager.outbox.setReachable(true)
            }
        }
        isFailing.withLock { $0 = false }
        try await eventually { await isLive(["Tea"], in: channel, world) }
        await manager.stop()
    }

    /// An engine in memory whose database fails as `pass` says.
    private static func manager(_ world: BeastWorld, passing pass: @escaping @Sendable () throws -> Void) throws
        -> MessageManager
    {
        let access = DatabaseAccess(try DatabaseQueue(), passing: { _ in try pass() })
        return try MessageManager(
            client: world.client,
            account: world.account,
            database: try BeastDatabase(access, account: world.account.text),
            owners: SoleOwner(own: "00000000-0000-4000-8000-000000000001"),
            configuration: .everything,
            options: MessageManager.Options(),
            geocoder: nil
        )
    }

    @Test("a channel is sent after an upload, also if the database fails when the upload ends")
    func upload() async throws {
        let world = try await BeastWorld()
        let failures = Guarded(0)
        let manager = try Self.manager(world) {
            let fails = failures.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if fails { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let file = try await manager.stage(Data("bytes".utf8), name: "a.txt", type: FileWorld.type)
        // The outcome of the upload cannot be stored, nor can the end of it be looked up.
        world.wire.set { request in
            if FileWorld.isPut(request) { failures.withLock { $0 = 3 } }
            return .pass
        }
        let attachment = PendingFileAttachment(pendingFileID: file.id, isOEmbed: false)
        _ = try await manager.create(Message(text: "Tea"), in: channel, attachments: [attachment])
        try await eventually {
            world.wire.requests.count(where: FileWorld.isPost(line:)) == 1
        }
        await manager.stop()
    }

    // MARK: Geocoding

    /// The calls that queue coordinates.
    enum Locator: String, CaseIterable, Sendable {
        case filteredFetch
        case refresh
        case rebuild
        case cancelDeletion
    }

    @Test("a geocoder is asked for coordinates, whichever call has queued them", arguments: Locator.allCases)
    func geocoder(_ locator: Locator) async throws {
        let world = try await BeastWorld()
        let town = GeocodingTests.Town(.success([GeocodedLocation(locality: "Town", subLocality: "Docks")]))
        let manager = try world.manager(geocoder: town)
        let channel = try await world.filledJournal(1, of: manager) { _ in
            var message = Message(text: "Here")
            message.addGeolocation(latitude: 1, longitude: 2)
            return .init(text: message.text, annotations: (message.annotations ?? []).map(\.document))
        }
        let id = try #require(try await world.client.messages.list(in: channel).page().elements.first?.id)
        if [.rebuild, .cancelDeletion].contains(locator) {
            // Before the start, so that the worker finds nothing.
            _ = try await manager.fetchNewest(in: channel)
            try await manager.writer.write { try $0.execute(sql: "DELETE FROM geocode_queue") }
            if locator == .cancelDeletion {
                world.wire.fail("DELETE ")
                try await manager.outbox.setReachable(false)
                try await manager.delete(id)
            }
        }
        try await manager.start()
        switch locator {
        case .filteredFetch: _ = try await manager.fetchNewest(in: channel, excluding: { _ in false })
        case .refresh: _ = try await manager.refresh(id, in: channel)
        case .rebuild: try await manager.rebuild()
        case .cancelDeletion: #expect(try await manager.cancelDeletion(of: id))
        }
        try await eventually { try await manager.message(id: id)?.displayLocation?.name == "Docks, Town" }
        await manager.stop()
    }
}
