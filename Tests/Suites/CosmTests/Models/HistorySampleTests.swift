import Cosm
import HeliumTesting
import Testing

/// The sample of models and a history in Cosm.md.
@Suite("Samples: models and a history of Cosm", .timeLimit(.minutes(5)))
struct HistorySampleTests {
    @Test("sample: models and a history of Cosm")
    func run() async throws {
        let transport = MockTransport(cosm: { request in
            guard request.method == .get else { return nil }
            return .json(
                #"{"id":"temp","datapoints":[{"at":"2013-02-01T09:00:00.000000Z","value":"20.5"}]}"#
            )
        })
        let cosm = try makeAPI(transport)
        // sample
        let shed = FeedModel(Feed(title: "Shed", location: Location(exposure: .indoor)), api: cosm)
        let temperature = shed.datastreams.add(Datastream(id: "temp", unit: Datastream.Unit(symbol: "°C")))
        try await shed.save()

        for degrees in [20.5, 20.7, 20.6] { temperature.datapoints.add(Datapoint(value: DatapointValue(degrees))) }
        try await temperature.datapoints.save()

        let yesterday = Timestamp.now.adding(.days(-1))
        if let id = shed.id {
            for try await point in cosm.history(of: "temp", in: id, from: yesterday, every: .everyPoint) {
                print(point.at?.description ?? "", point.value?.double ?? 0)
            }
        }
        // end of sample
        #expect(transport.lines.count > 2 && !shed.isNew)
    }
}
