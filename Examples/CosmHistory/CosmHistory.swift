// Pushes an hour of measurements to a feed and reads them back in intervals of five minutes.
//
//     swift run CosmHistory                    against an embedded server
//     COSM_BASE_URL=… COSM_API_KEY=… swift run CosmHistory
import Cosm
import Foundation
import HeliumServer
import HeliumServerTesting

@main
struct CosmHistory {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["COSM_BASE_URL"].flatMap({ URL(string: $0) }), let key = environment["COSM_API_KEY"] {
            try await run(CosmClient(apiKey: Secret(key), baseURL: base))
        } else {
            try await withEmbeddedServer { server in
                try await run(CosmClient(apiKey: Secret(server.ready.cosm.key), baseURL: server.ready.cosm.base))
            }
        }
    }

    static func run(_ cosm: CosmClient) async throws {
        let shed = FeedModel(Feed(title: "Shed", location: Location(exposure: .indoor)), api: cosm)
        let temperature = shed.datastreams.add(Datastream(id: "temperature", unit: Datastream.Unit(symbol: "°C")))
        try await shed.save()
        guard let feed = shed.id else { fatalError("a saved feed has an id") }

        let now = Timestamp.now
        for minute in 0..<60 {
            let value = DatapointValue(20 + Double(minute) / 10)
            temperature.datapoints.add(Datapoint(at: now.adding(.minutes(minute - 59)), value: value))
        }
        try await temperature.datapoints.save()

        var count = 0
        let hourAgo = now.adding(.minutes(-60))
        for try await point in cosm.history(of: "temperature", in: feed, from: hourAgo, every: .fiveMinutes) {
            print(point.at?.description ?? "-", point.value?.text ?? "-")
            count += 1
        }
        print("\(count) values of feed \(feed)")
        try await shed.delete()
        await cosm.close()
    }
}
