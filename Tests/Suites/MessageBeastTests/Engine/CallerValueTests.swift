import AppNet
import Foundation
import GRDB
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Values of callers that are out of range", .timeLimit(.minutes(5)))
struct CallerValueTests {
    static let coordinates: [(Double, Double)] = [
        (.nan, 0), (0, .nan), (.nan, .nan), (.infinity, 0), (0, -.infinity), (90.1, 0), (-91, 0), (0, 361), (0, -1e300),
        (.greatestFiniteMagnitude, .greatestFiniteMagnitude),
    ]

    private func refuses<Value>(_ body: () async throws -> Value) async {
        let error = await #expect(throws: MessageBeastError.self) { _ = try await body() }
        #expect(error?.kind == .invalidArgument)
    }

    @Test("coordinates that no point on Earth has are refused", arguments: coordinates)
    func refused(latitude: Double, longitude: Double) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let location = DisplayLocation(name: "Home", latitude: latitude, longitude: longitude, source: .ohai)
        await refuses { try await manager.places(latitude: latitude, longitude: longitude) }
        await refuses {
            for try await _ in manager.observePlaces(latitude: latitude, longitude: longitude) { return }
        }
        await refuses { try await manager.messages(in: channel, at: location) }
        var filter = SearchFilter()
        filter.location = location
        await refuses { try await manager.search(text: "tea", in: channel, filter: filter) }
        await manager.stop()
    }

    @Test("longitudes are counted from -180 to 180 or from 0 to 360", arguments: [350.0, -10, 360, -350])
    func longitudes(longitude: Double) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        var message = Message(text: "Tea")
        try message.addLocation(
            CustomPlace(
                id: "home",
                place: Place(name: "Home", latitude: 1, longitude: longitude.remainder(dividingBy: 360))
            )
        )
        _ = try await manager.create(message, in: channel, sendsImmediately: false)
        #expect(try await manager.places(latitude: 1, longitude: longitude).map(\.id) == ["home"])
        let home = DisplayLocation(name: "Home", latitude: 1, longitude: longitude, source: .ohai)
        #expect(try await manager.messages(in: channel, at: home).count == 1)
        await manager.stop()
    }

    @Test("precisions that are no distance are refused", arguments: [Double.nan, 0, -1, 181, .infinity, -.infinity])
    func precision(degrees: Double) async throws {
        let manager = try await BeastWorld().manager()
        let precision = LocationPrecision(degrees: degrees)
        await refuses { try await manager.places(latitude: 1, longitude: 1, precision: precision) }
        await refuses { try await manager.displayLocations(in: "1", precision: precision) }
        await manager.stop()
    }

    static let durations: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.max) * 10, .milliseconds(Int64.max), .seconds(Int64.min), .nanoseconds(1),
        .zero,
    ]

    @Test("a retention of any age keeps what is younger", arguments: durations)
    func retention(age: Duration) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await world.filledJournal(3, of: manager)
        _ = try await manager.fetchNewest(in: channel)
        if age < .zero {
            await refuses { try await manager.apply(MessageRetention(maximumAge: age), to: channel) }
        } else {
            let removed = try await manager.apply(MessageRetention(maximumAge: age), to: channel)
            #expect(age > .seconds(1) ? removed == 0 : removed <= 3)
        }
        #expect(try await manager.apply(MessageRetention(maximumCount: .max), to: channel) == 0)
        await manager.stop()
    }

    @Test("an engine works with options of any value", arguments: [Int.min, -1, 0, .max], durations)
    func options(number: Int, duration: Duration) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager {
            $0.pageSize = number
            $0.maximumReadAttempts = number
            $0.maximumSendAttempts = number
            $0.maximumUnsent = number
            $0.maximumUploads = number
            $0.maximumStagedBytes = Int64(number)
            $0.eventLimit = number
            $0.actionReconciliationInterval = duration
            $0.geocoderInterval = duration
            $0.geocoderTimeout = duration
        }
        try await manager.start()
        let channel = try await world.filledJournal(2, of: manager)
        #expect(try await manager.fetchNewest(in: channel).summary?.inserted ?? 0 >= 1)
        let isFull = number <= 0
        do {
            let created = try await manager.create(Message(text: "Tea"), in: channel)
            #expect(!isFull)
            #expect(try await manager.outcome(of: created.message.id ?? "", timeout: .seconds(300)) != .deleted)
        } catch let error as MessageBeastError {
            #expect(isFull && error.kind == .queueFull)
        }
        do {
            _ = try await manager.stage(Data("tea".utf8), name: "tea.txt", type: FileWorld.type)
            #expect(!isFull)
        } catch let error as MessageBeastError {
            #expect(isFull && error.kind == .stagingFull)
        }
        await manager.stop()
    }

    @Test(
        "times far from now are stored and read",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e18]
    )
    func dates(seconds: Double) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        let date = Date(timeIntervalSince1970: seconds)
        var message = Message(text: "Tea")
        message.addDisplayDate(date)
        let created = try await manager.create(message, in: channel, sendsImmediately: false)
        #expect(try await manager.page(of: channel).messages.map(\.id) == [created.id])
        _ = try await manager.messages(in: channel, from: date, to: date)
        _ = try await manager.hashtags(in: channel, since: date, before: date)
        await manager.stop()
    }

    @Test("coordinates of no point on Earth are refused in a message, and not derived from one", arguments: coordinates)
    func geolocation(latitude: Double, longitude: Double) async throws {
        let world = try await BeastWorld()
        let manager = try world.manager()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        var message = Message(text: "Tea")
        message.addGeolocation(latitude: latitude, longitude: longitude)
        // JSON has no such number, or the rules of the service refuse it.
        if message.annotations == nil {
            _ = try await manager.create(message, in: channel, sendsImmediately: false)
        } else {
            await #expect(throws: AppNetError.self) {
                try await manager.create(message, in: channel, sendsImmediately: false)
            }
        }
        message.id = 7
        message.channelID = channel
        message.createdAt = Journal.start
        let refresh = MessageRefresh(context: manager.context, channel: channel)
        try await refresh.store([message], try manager.context.life.term())
        #expect(try await manager.message(id: 7) != nil)
        #expect(try await manager.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM geocode_queue") } == 0)
        await manager.stop()
    }

    @Test("sums and differences of stored times do not overflow", arguments: [Int64.min, -1, 0, 1, .max], durations)
    func milliseconds(value: Int64, duration: Duration) {
        let time = Milliseconds(value)
        for other in [time + duration, time - duration, Milliseconds(wallTime: duration)] {
            _ = other.delay(after: time)
            _ = time.delay(after: other)
            _ = abs(other.value - time.value)
        }
        #expect(Coordinates.key(.nan) == .min)
    }
}
