import Cosm
import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumWebSocket

@testable import TestSupport

/// A feed that is followed live while it is written to and the socket is cut again and again: in the end every value is
/// the last one written, and no update was told twice.
struct LiveSoak {
    let updates: Int
    let cuts: Int
    let seed: UInt64
    /// Whether over raw TCP, in place of a WebSocket.
    let isRaw: Bool

    private static let datastreams = ["humidity", "power", "temperature"]
    /// 2013, a second apart.
    private static let start: Int64 = 1_356_998_400_000_000

    /// The updates that were received.
    private struct Told {
        var values: [String: String] = [:]
        var instants: [String: Timestamp] = [:]
        var count = 0
        var repeated = 0
        var filled = 0
    }

    /// - Returns: What is wrong.
    func run() async throws -> [String] {
        try await withEmbeddedServer { server in
            let ready = server.ready.cosm
            guard let tcp = URL(string: "tcp://\(ready.tcp)") else { return ["\(ready.tcp) is no address"] }
            let cosm = try CosmClient(apiKey: Secret(ready.key), baseURL: ready.base)
            var socketOptions = CosmSocketOptions()
            // The cuts come sooner than a connection has lasted: with the default, each wait would be longer than the last.
            socketOptions.backoff.firstDelay = .milliseconds(20)
            socketOptions.backoff.maximumDelay = .milliseconds(200)
            let socket = CosmSocket(
                url: isRaw ? tcp : ready.webSocket,
                apiKey: Secret(ready.key),
                options: socketOptions
            )
            let feed = try await cosm.createFeed(
                Feed(title: "Soak", datastreams: Self.datastreams.map { Datastream(id: $0) })
            )
            var options = SubscriptionOptions()
            options.fillsGapsFromHistory = true
            options.maximumHistoryPoints = updates
            options.bufferLimit = updates + 10
            let subscription = try await cosm.subscribe(to: feed, options: options, on: socket)
            let (moments, moment) = AsyncStream.makeStream(of: Timestamp.self, bufferingPolicy: .bufferingNewest(1))
            let writing = Task {
                // Nothing more will be told if nothing more is written.
                do { return try await write(to: feed, of: cosm, told: moments, cutting: server.cosm) } catch {
                    await subscription.unsubscribe()
                    throw error
                }
            }
            let told = try await follow(subscription, telling: moment)
            let last = try await writing.value
            await subscription.unsubscribe()
            await socket.close()
            await cosm.close()
            say(
                "soak: live: \(isRaw ? "TCP" : "WebSocket"): \(updates) updates, \(cuts) cuts: \(told.count) told, "
                    + "\(told.filled) of them from history"
            )
            var wrong: [String] = []
            if told.repeated > 0 { wrong.append("\(told.repeated) updates were told twice or out of order") }
            for (id, value) in last where told.values[id] != value {
                wrong.append("\(id) is \(told.values[id] ?? "unknown"), not \(value)")
            }
            if told.filled == 0 { wrong.append("no gap was filled from history: were there cuts?") }
            return wrong
        }
    }

    /// Writes the updates one after the other, to a datastream by chance, and cuts the socket at random moments: mostly once
    /// its subscription has caught up, sometimes as soon as it is there. A connection that is cut before it has proved to work
    /// is waited for longer and longer.
    ///
    /// - Parameter moments: The newest instant that was told.
    /// - Returns: The last values.
    private func write(
        to feed: Feed.ID,
        of cosm: CosmClient,
        told moments: AsyncStream<Timestamp>,
        cutting control: CosmControl
    ) async throws -> [String: String] {
        var random = SeededRandom(seed: seed)
        var last: [String: String] = [:]
        var cutting: Set<Int> = []
        while cutting.count < cuts { cutting.insert(1 + random.below(updates - 1)) }
        for number in 1...updates {
            // The last update is the end for all subscribers, so its datastream is fixed.
            let id = number == updates ? Self.datastreams[0] : Self.datastreams[random.below(Self.datastreams.count)]
            let at = Timestamp(microseconds: Self.start + Int64(number) * 1_000_000)
            try await cosm.storeDatapoint(Datapoint(at: at, value: DatapointValue(number)), of: id, in: feed)
            last[id] = "\(number)"
            if cutting.contains(number) {
                if random.oneIn(4) {
                    try await eventually { control.liveConnectionCount > 0 }
                } else {
                    for await moment in moments where moment >= at { break }
                }
                control.dropSockets()
            }
        }
        return last
    }

    private func follow(
        _ subscription: LiveSubscription<Feed>,
        telling moment: AsyncStream<Timestamp>.Continuation
    ) async throws -> Told {
        defer { moment.finish() }
        var told = Told()
        for try await update in subscription {
            told.count += 1
            if update.origin == .history { told.filled += 1 }
            for datastream in update.value.datastreams ?? [] {
                guard let id = datastream.id, update.changedDatastreams.contains(id), let at = datastream.at else {
                    continue
                }
                if let before = told.instants[id], before >= at { told.repeated += 1 }
                told.instants[id] = at
                told.values[id] = datastream.currentValue?.text
            }
            if let newest = told.instants.values.max() { moment.yield(newest) }
            if told.values[Self.datastreams[0]] == "\(updates)" { break }
        }
        return told
    }
}
