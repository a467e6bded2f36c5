// A logger of measurements: takes a value on an interval, stores the values in batches, and keeps them while the server fails.
//
//     swift run CosmLogger                     two hours on a test clock, against an embedded server that fails at first
//     COSM_BASE_URL=… COSM_API_KEY=… swift run CosmLogger     24 seconds, to a new feed
import Cosm
import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumTesting

@main
struct CosmLogger {
    static func main() async {
        do {
            let environment = ProcessInfo.processInfo.environment
            let base = environment["COSM_BASE_URL"].flatMap { URL(string: $0) }
            if let base, let key = environment["COSM_API_KEY"] {
                try await record(to: CosmClient(apiKey: Secret(key), baseURL: base), every: .seconds(1), SystemClock())
            } else {
                try await demonstrate()
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("CosmLogger: \(message)\n".utf8))
        exit(1)
    }

    private static func demonstrate() async throws {
        // The clock skips the sleeps between two samples, and ends up at the present.
        let clock = TestClock(wallTime: SystemClock().wallTime - .seconds(7200), skippingSleepsUpTo: .seconds(300))
        try await withEmbeddedServer { server in
            server.faults.inject(.status(500), .path("/v2/feeds/", method: "POST", next: 2))
            let cosm = try CosmClient(apiKey: Secret(server.ready.cosm.key), baseURL: server.ready.cosm.base)
            try await record(to: cosm, every: .seconds(300), clock)
        }
    }

    /// Takes 24 samples and prints the history of the feed.
    private static func record(to cosm: CosmClient, every interval: Duration, _ clock: any HeliumClock) async throws {
        let temperature = Datastream(id: "temperature", unit: Datastream.Unit(symbol: "°C"))
        let feed = try await cosm.createFeed(Feed(title: "Shed", datastreams: [temperature]))
        var log = TemperatureLog(cosm: cosm, feed: feed, clock: clock)
        let start = log.now
        for number in 0..<24 {
            log.add(20 + Double(number) / 4)
            if log.unsent.count >= 6 { try await log.send() }
            try await clock.sleep(for: interval)
        }
        try await log.send()
        guard log.unsent.isEmpty else { fail("\(log.unsent.count) points could not be stored") }

        var count = 0
        for try await point in cosm.history(of: "temperature", in: feed, from: start, to: log.now) {
            print(point.at?.description ?? "-", point.value?.text ?? "-")
            count += 1
        }
        await cosm.close()
        guard count == 24 else { fail("the history of feed \(feed) has \(count) points instead of 24") }
        print("\(count) points in feed \(feed)")
    }
}

/// The samples of one datastream. They stay in memory until the server has stored them.
private struct TemperatureLog {
    let cosm: CosmClient
    let feed: Feed.ID
    let clock: any HeliumClock
    var unsent: [Datapoint] = []

    var now: Timestamp { Timestamp(microseconds: 0).advanced(by: clock.wallTime) }

    mutating func add(_ value: Double) { unsent.append(Datapoint(at: now, value: DatapointValue(value))) }

    /// Stores the points. After a temporary failure they stay for the next call. Sending a point again does no harm, because
    /// the server has one value for each instant.
    mutating func send() async throws {
        guard !unsent.isEmpty else { return }
        do {
            try await cosm.storeDatapoints(unsent, of: "temperature", in: feed)
            print("stored \(unsent.count) points")
            unsent = []
        } catch let error as CosmError where error.underlying?.isTransient == true {
            unsent.removeFirst(error.storedCount ?? 0)
            print("kept \(unsent.count) points: \(error)")
        }
    }
}
