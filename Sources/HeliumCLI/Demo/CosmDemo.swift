import Cosm
import Foundation
import HeliumServer

/// The steps of the demonstration with feeds.
struct CosmDemo {
    private let api: CosmClient
    private let key: Secret
    /// The feed of a weather station on a roof.
    private let feed: FeedModel
    private let temperature: DatastreamModel

    init(_ server: ReadyInformation.Cosm) throws {
        key = Secret(server.key)
        api = try CosmClient(apiKey: key, baseURL: server.base, socketURL: server.webSocket)
        feed = FeedModel(
            Feed(title: "Weather on the roof", tags: ["demo"], location: Location(exposure: .outdoor)),
            api: api
        )
        temperature = feed.datastreams.add(
            Datastream(id: "temperature", unit: Datastream.Unit(label: "Celsius", symbol: "°C", type: .derivedSI))
        )
    }

    func run(_ stage: inout DemoStage) async {
        await stage.step("create a feed with a datastream") {
            try await feed.save()
            return
                "feed \(feed.id?.text ?? "-"), \(feed.datastreams.datastreams.compactMap(\.id).joined(separator: ", "))"
        }
        await stage.step("push a day of temperatures, one a minute") {
            for point in Self.day(endingAt: .now) { temperature.datapoints.add(point) }
            try await temperature.datapoints.save()
            return "\(temperature.datapoints.datapoints.count) points in batches of 500"
        }
        await stage.step("read the hourly history") {
            temperature.useParameter("duration", withValue: "1day")
            temperature.useParameter("interval", withValue: 3600)
            temperature.useParameter("function", withValue: "average")
            try await temperature.fetch()
            let values = temperature.datapoints.datapoints.compactMap { $0.value?.double }
            try expect(24...25 ~= values.count, "\(values.count) hours")
            return Self.chart(values)
        }
        await stage.step("subscribe, and receive what others write") {
            let events = feed.events
            try await feed.subscribe()
            let other = try CosmClient(apiKey: key, baseURL: api.baseURL)
            var told: [String] = []
            for degrees in ["20.5", "20.8", "21.1"] {
                try await other.updateDatastream(
                    "temperature",
                    in: feed.id ?? 0,
                    Datastream(currentValue: DatapointValue(degrees))
                )
                // The model already has the value when it reports the event.
                for await event in events where event.kind == .updated { break }
                told.append(temperature.currentValue?.text ?? "-")
            }
            await other.close()
            await feed.unsubscribe()
            try expect(told == ["20.5", "20.8", "21.1"], "it received \(told)")
            return told.joined(separator: " → ")
        }
        await stage.step("change one member, and send no other") {
            feed.description = "beside the chimney"
            let unsaved = feed.unsavedMembers.joined(separator: ", ")
            try await feed.save()
            return unsaved
        }
        await stage.step("delete the feed") {
            try await feed.delete()
            return "with \(temperature.datapoints.datapoints.count) hours and all points"
        }
        try? await api.socket.close()
        await api.close()
    }

    /// Returns the points of a warm day: 1,440 values, coldest near the beginning and warmest ten hours later.
    private static func day(endingAt end: Timestamp) -> [Datapoint] {
        (0..<1440).map { minute in
            let phase = Double(minute) / 1440 * 2 * Double.pi
            let degrees = 14 - 6 * cos(phase - 0.26) + 0.3 * sin(phase * 37)
            let text = String(format: "%.1f", degrees)
            return Datapoint(at: end.adding(.minutes(minute - 1439)), value: DatapointValue(text))
        }
    }

    /// Returns a chart such as `8.2 ▁▂▅▇█▇▅▂ 20.1`.
    private static func chart(_ values: [Double]) -> String {
        guard let low = values.min(), let high = values.max(), high > low else { return "no values" }
        let bars = Array("▁▂▃▄▅▆▇█")
        let line = values.map { bars[Int(($0 - low) / (high - low) * Double(bars.count - 1))] }
        return String(format: "%.1f ", low) + String(line) + String(format: " %.1f", high)
    }
}
