import Cosm
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Testing

/// The samples of the article "Models", run.
@Suite("Samples: models", .timeLimit(.minutes(5)))
struct ModelSamples {
    @Test("sample of models: saving, members, history, points, events")
    func run() async throws {
        let transport = MockTransport(cosm: { request in
            guard request.method == .get else { return nil }
            return request.path.contains("datastreams")
                ? .json(#"{"id":"temp","datapoints":[{"at":"2013-02-01T09:00:00.000000Z","value":"20.5"}]}"#)
                : .json(#"{"id":504,"title":"Barn","datastreams":[{"id":"temp"}]}"#)
        })
        let cosm = try makeAPI(transport)

        // sample
        let shed = FeedModel(Feed(title: "Shed", tags: ["garden"]), api: cosm)
        let temperature = shed.datastreams.add(Datastream(id: "temp", currentValue: 20.5))
        try await shed.save()  // creates both

        temperature.currentValue = 21
        try await temperature.save()  // sends the one member that was changed
        // end of sample
        #expect(shed.id == 504 && transport.requests.count == 2)

        // sample
        shed.location = Location(name: "Garden", domain: .physical, latitude: 51.2, longitude: -0.4)
        shed.info["altitude_reference"] = "sea level"
        shed.update { feed in
            feed.title = "Garden shed"
            feed.tags = ["garden", "wood"]
        }
        print(shed.unsavedMembers.sorted())  // ["altitude_reference", "location", "tags", "title"]
        try await shed.save()
        // end of sample
        let sent: [String: JSONValue] = try #require(transport.requests.last).bodyJSON()
        #expect(sent.keys.sorted() == ["altitude_reference", "location", "tags", "title"])

        // sample
        temperature.useParameter("duration", withValue: "1day")
        temperature.useParameter("interval", withValue: 3600)
        try await temperature.fetch()
        for point in temperature.datapoints.datapoints {
            print(point.at?.description ?? "", point.value?.double ?? 0)
        }
        temperature.resetParameters()
        // end of sample
        #expect(temperature.datapoints.datapoints.count == 1)

        // sample
        let points = DatapointCollection(feedID: 504, datastreamID: "temp", api: cosm)
        for degrees in [20.5, 20.7, 20.6] { points.add(Datapoint(value: DatapointValue(degrees))) }
        try await points.save()
        // end of sample
        #expect(points.datapoints.allSatisfy { !$0.isNew })

        // sample
        let events = shed.events
        try await shed.fetch()
        for await event in events {
            print(event.kind, event.changes.members.sorted(), event.error.map(String.init(describing:)) ?? "")
            if event.kind == .fetched { break }
        }
        // end of sample
        #expect(shed.title == "Barn")
    }

    @Test("sample of models: live updates")
    func live() async throws {
        try await withEmbeddedServer { server in
            let ready = server.ready.cosm
            let cosm = try CosmClient(apiKey: Secret(ready.key), baseURL: ready.base, socketURL: ready.webSocket)
            let socket = try cosm.socket
            let shed = FeedModel(Feed(title: "Shed"), api: cosm)
            try await shed.save()
            let id = try #require(shed.id)
            let subscribed = shed.events
            let writing = Task {
                for await event in subscribed where event.kind == .subscribed { break }
                // Until the loop of the sample has begun.
                while !Task.isCancelled {
                    try await cosm.updateFeed(id, Feed(datastreams: [Datastream(id: "temp", currentValue: 1)]))
                }
            }
            // sample
            try await shed.subscribe()
            for await event in shed.events where event.kind == .updated {
                print(event.changes.updatedChildren, event.changes.origin?.description ?? "")
                break
            }
            await shed.unsubscribe()
            // end of sample
            writing.cancel()
            _ = await writing.result
            #expect(!shed.isSubscribed && shed.datastreams["temp"]?.currentValue == 1)
            await socket.close()
            await cosm.close()
        }
    }

    // sample
    final class ShedController: FeedModelDelegate {
        func modelDidFetch(_ feed: FeedModel) { print(feed.title ?? "") }
        func modelFailedToFetch(_ feed: FeedModel, error: any Error) { print(error) }
    }
    // end of sample
}
