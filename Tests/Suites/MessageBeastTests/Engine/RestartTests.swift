import AppNet
import Foundation
import GRDB
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumDatabase
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Recovery after failures, wipes, sign-ins and pauses")
struct RestartTests {
    private func posts(_ world: BeastWorld) -> Int {
        world.wire.requests.count { $0.hasPrefix("POST ") && $0.contains("/messages") }
    }

    @Test("an engine whose start has failed can be started again")
    func startedAgain() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let created = try await manager.create(Message(text: "Tea"), in: channel, sendsImmediately: false)
        try await manager.writer.write { database in
            let trigger = "CREATE TRIGGER broken BEFORE INSERT ON meta BEGIN SELECT RAISE(ABORT, 'no room'); END"
            try database.execute(sql: trigger)
        }
        let error = await #expect(throws: MessageBeastError.self) { try await manager.start() }
        #expect(error?.kind == .databaseFailed)
        try await manager.writer.write { try $0.execute(sql: "DROP TRIGGER broken") }
        // Two at a time begin the work once.
        async let first: Void = manager.start()
        async let second: Void = manager.start()
        _ = try await (first, second)
        let id = try #require(created.message.id)
        try await eventually { try await manager.message(id: id)?.state == .sent }
        #expect(posts(world) == 1)
        await manager.stop()
    }

    @Test("a message that is created after a wipe is sent during a request from before it")
    func createdAfterWipe() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let gate = Signal<Void>()
        world.wire.holdResponses(until: gate)
        _ = try await manager.create(Message(text: "Tea"), in: channel)
        try await eventually { world.wire.heldResponses == 1 }
        try await manager.wipe()
        world.wire.set(nil)
        #expect(try await manager.privateChannel(ofType: BeastWorld.journal).id == channel)
        let created = try await manager.create(Message(text: "Coffee"), in: channel)
        gate.settle()
        let id = try #require(created.message.id)
        try await eventually { try await manager.message(id: id)?.state == .sent }
        await manager.stop()
    }

    /// A geocoder whose first request waits for a test.
    private final class SlowTown: Geocoder {
        let gate = Signal<Void>()
        private let count = Guarded(0)

        var requests: Int { count.withLock { $0 } }

        func places(latitude: Double, longitude: Double) async throws -> [GeocodedLocation] {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { try await gate.value() }
            return [GeocodedLocation(locality: "Town")]
        }
    }

    /// Without skipped pauses: a worker that sleeps is seen.
    @Test("places are geocoded after a wipe, and when the database works again", .timeLimit(.minutes(5)))
    func geocodingAfterWipe() async throws {
        let world = try await BeastWorld(skippingSleepsUpTo: nil)
        let town = SlowTown()
        let manager = try world.manager(geocoder: town)
        try await manager.start()
        var message = Message(text: "Tea")
        message.addGeolocation(latitude: 37.7, longitude: -122.4)
        var channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        _ = try await manager.create(message, in: channel, sendsImmediately: false)
        try await eventually { town.requests == 1 }
        try await manager.wipe()
        town.gate.settle()
        channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let second = try await manager.create(message, in: channel, sendsImmediately: false)
        try await eventually { town.requests == 2 }
        try await eventually { try await manager.message(id: second.message.id ?? "")?.displayLocation?.name == "Town" }
        // A pause follows each request.
        try await eventually { world.clock.sleeperCount > 0 }
        try await manager.writer.write { try $0.execute(sql: "ALTER TABLE geocode_queue RENAME TO away") }
        world.clock.advance(by: .seconds(1))
        try await eventually { world.clock.sleeperCount > 0 }
        try await manager.writer.write { try $0.execute(sql: "ALTER TABLE away RENAME TO geocode_queue") }
        message.addGeolocation(latitude: 40, longitude: 40)
        message.annotations?.removeFirst()
        let third = try await manager.create(message, in: channel, sendsImmediately: false)
        try await eventually { try await manager.message(id: third.message.id ?? "")?.displayLocation?.name == "Town" }
        await manager.stop()
    }

    @Test(
        "an explicit call for one channel after a sign-in lets all channels send again",
        arguments: ["sendAll", "retry"]
    )
    func signedIn(call: String) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let journal = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let other = try await manager.privateChannel(ofType: "com.example.other").id
        world.wire.set { $0.method == .post ? .respond(.json(#"{"meta": {"code": 400}}"#, status: 400)) : .pass }
        let parked = try await manager.create(Message(text: "Tea"), in: journal, sendsImmediately: false)
        try await manager.sendAll(in: journal)
        #expect(try await manager.parkedMessages().count == 1)
        world.wire.set { _ in .respond(.json(#"{"meta": {"code": 401}}"#, status: 401)) }
        let events = manager.events
        let waiting = try await manager.create(Message(text: "Coffee"), in: other)
        for await event in events where event == .authenticationRequired { break }
        try await eventually { try await manager.outbox(of: other).map(\.state) == [.queued] }
        world.wire.set(nil)
        switch call {
        case "retry": try await manager.retry(try #require(parked.message.id))
        default: try await manager.sendAll(in: journal)
        }
        let id = try #require(waiting.message.id)
        try await eventually { try await manager.message(id: id)?.state == .sent }
        await manager.stop()
    }

    @Test("a delay that the service asks for outlives the engine, and setting the clock back does not prolong it")
    func pauseOutlivesEngine() async throws {
        let world = try await BeastWorld()
        let folder = try TemporaryFolder()
        let file = MessageManager.Store.file(folder.path("journal.sqlite"))
        let first = try world.manager(file) { $0.sendsAutomatically = false }
        let journal = try await first.privateChannel(ofType: BeastWorld.journal).id
        let other = try await first.privateChannel(ofType: "com.example.other").id
        for channel in [journal, other] { _ = try await first.create(Message(text: "Tea"), in: channel) }
        world.wire.set { request in
            request.method == .post
                ? .respond(.json(#"{"meta": {"code": 429}}"#, status: 429, fields: [.retryAfter: "7200"])) : .pass
        }
        try await first.sendAll(in: journal)
        await first.stop()
        world.wire.set(nil)
        world.wire.forget()
        let second = try world.manager(file) { $0.sendsAutomatically = false }
        try await second.start()
        let delay = try #require(try await second.outbox.drain(other, isExplicit: true))
        #expect(delay > .seconds(7190) && delay <= .seconds(7200))
        await second.stop()
        #expect(posts(world) == 0)
        world.clock.setWallTime(world.clock.wallTime - .seconds(43_200))
        let third = try world.manager(file) { $0.sendsAutomatically = false }
        try await third.start()
        let limited = try #require(try await third.outbox.drain(other, isExplicit: true))
        #expect(limited <= .seconds(7200))
        world.clock.advance(by: .seconds(7200))
        try await third.sendAll()
        #expect(posts(world) == 2)
        #expect(try await third.pendingSummary().isEmpty)
        await third.stop()
    }

    @Test("a deletion that uses the last call of the rate limit delays the next request")
    func limitOfDeletion() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let ids = try await world.fill(channel, 2)
        _ = try await manager.fetchNewest(in: channel)
        for id in ids { try await manager.delete(id) }
        let fields: HTTPFields = [
            try #require(HTTPField.Name("X-RateLimit-Limit")): "20",
            try #require(HTTPField.Name("X-RateLimit-Remaining")): "0",
            try #require(HTTPField.Name("X-RateLimit-Reset")): "40",
        ]
        world.wire.set { request in
            request.method == .delete ? .respond(.json(#"{"meta": {"code": 200}, "data": {}}"#, fields: fields)) : .pass
        }
        world.wire.forget()
        let delay = try #require(try await manager.outbox.drain(channel, isExplicit: true))
        #expect(delay > .seconds(39) && delay <= .seconds(40))
        #expect(world.wire.requests.count == 1)
        await manager.stop()
    }

    @Test("a failure has its reason, in which the service does not quote the message")
    func reasons() async throws {
        let world = try await BeastWorld()
        let manager = try world.manager { $0.sendsAutomatically = false }
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let ids = try await world.fill(channel, 1)
        _ = try await manager.fetchNewest(in: channel)
        let events = manager.events
        world.wire.set { request in
            guard [.post, .delete].contains(request.method) else { return .pass }
            let meta = #"{"meta": {"code": 403, "error_message": "no secret tea", "error_slug": "secret-tea"}}"#
            return .respond(.json(meta, status: 403))
        }
        let created = try await manager.create(Message(text: "secret tea"), in: channel)
        try await manager.delete(ids[0])
        try await manager.sendAll()
        let reason = try #require(try await manager.parkedMessages().first?.reason)
        #expect(reason.code == "forbidden")
        #expect(reason.message.contains("403") && !reason.message.contains("tea"))
        await manager.stop()
        var failures: [MessageManager.Event] = []
        var deletions: [String] = []
        for await event in events {
            switch event {
            case .sendFailed: failures.append(event)
            case .deletionParked(_, _, let reason): deletions.append(reason)
            default: break
            }
        }
        let id = try #require(created.message.id)
        #expect(failures == [.sendFailed(channel, id, reason: reason, attempts: 1)])
        #expect(deletions.count == 1 && deletions.allSatisfy { $0.contains("403") && !$0.contains("tea") })
        let sql = "SELECT count(*) FROM pending_message_deletion WHERE last_error LIKE '%tea%'"
        #expect(try await manager.writer.read { try Int.fetchOne($0, sql: sql) } == 0)
    }
}
