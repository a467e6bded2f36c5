import Cosm
import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("Encoding and decoding again")
struct RoundTripTests {
    @Test("a value in JSON is equal after encoding and decoding, with either decoder", .tags(.random))
    func json() throws {
        var random = ProofLength.random(seed: 501)
        for _ in ProofLength.rounds(150) {
            let feed = random.feed()
            let document = try feed.encoded(as: .json)
            #expect(document.losses.isEmpty)
            #expect(try CosmFormat.json.decode(Feed.self, from: document.data) == feed)
            #expect(try HeliumJSONDecoder().decode(Feed.self, from: JSONEncoder().encode(feed)) == feed)
        }
        for _ in 0..<30 {
            let page = FeedPage(totalResults: random.below(9), results: [random.feed(), random.feed()])
            #expect(try CosmFormat.json.decode(FeedPage.self, from: page.encoded(as: .json).data) == page)
            let streams = [random.datastream(), random.datastream()]
            #expect(try CosmFormat.json.decode([Datastream].self, from: streams.encoded(as: .json).data) == streams)
            let points = [random.datapoint()]
            #expect(try CosmFormat.json.decode([Datapoint].self, from: points.encoded(as: .json).data) == points)
        }
    }

    @Test("Foundation's decoder decodes the same values from encoded JSON", .tags(.random))
    func foundation() throws {
        var random = ProofLength.random(seed: 502)
        for _ in ProofLength.rounds(60) {
            let feed = random.feed()
            #expect(try JSONDecoder().decode(Feed.self, from: feed.encoded(as: .json).data) == feed)
        }
    }

    @Test("a value in XML is equal after encoding and decoding, except for the reported losses", .tags(.random))
    func xml() throws {
        var random = ProofLength.random(seed: 503)
        var (count, unharmed) = (0, 0)
        for _ in ProofLength.rounds(150) {
            count += 1
            let datastreams = [plain(&random), plain(&random)]
            let feed = random.oneIn(2) ? random.feed() : Feed(id: 1, isPrivate: true, datastreams: datastreams)
            let document = try feed.encoded(as: .xml)
            let again = try CosmFormat.xml.decode(Feed.self, from: document.data)
            #expect((again == feed) == document.losses.isEmpty, "\(feed)")
            if document.losses.isEmpty { unharmed += 1 }
        }
        // With the inputs of `make test`.
        if ProofLength.seed == nil { #expect(unharmed > count / 15) }
    }

    @Test("a value in CSV is equal after encoding and decoding, except for the reported losses", .tags(.random))
    func csv() throws {
        var random = ProofLength.random(seed: 504)
        var (count, unharmed, refused) = (0, 0, 0)
        for _ in ProofLength.rounds(300) {
            count += 1
            let feed = random.oneIn(3) ? random.feed() : Feed(datastreams: [plain(&random), plain(&random)])
            let document = try feed.encoded(as: .csv)
            let again: Feed
            do {
                again = try CosmFormat.csv.decode(Feed.self, from: document.data)
            } catch let error as CosmDocumentError {
                // Only a document without a row, or of datastreams that share an id, can't be read again: which is told.
                #expect(!document.losses.isEmpty, "\(error): \(feed)")
                refused += 1
                continue
            }
            #expect((again == feed) == document.losses.isEmpty, "\(document.losses) \(feed)")
            if document.losses.isEmpty { unharmed += 1 }
        }
        // With the inputs of `make test`.
        if ProofLength.seed == nil { #expect(unharmed > count / 6 && refused < count * 5 / 6) }
    }

    @Test("datastreams and datapoints are equal after encoding and decoding in CSV and XML", .tags(.random))
    func parts() throws {
        var random = ProofLength.random(seed: 505)
        for _ in ProofLength.rounds(100) {
            var stream = plain(&random)
            stream.id = nil
            try check(stream, .csv)
            try check(stream, .xml)
            try check((0..<random.below(3)).map { _ in Datapoint(at: random.stamp(), value: random.value()) }, .csv)
            try check([random.datapoint(), random.datapoint()], .xml)
            try check(random.datapoint(), .csv)
            try check(random.datapoint(), .xml)
        }
    }

    @Test(
        "triggers, keys, users and lists are equal after encoding and decoding in each of their formats",
        .tags(.random)
    )
    func records() throws {
        var random = ProofLength.random(seed: 506)
        for _ in ProofLength.rounds(20) {
            let (trigger, key, user) = (random.trigger(), random.key(), random.user())
            for format in [CosmFormat.json, .xml] {
                try check(trigger, format)
                try check([trigger, random.trigger()], format)
                try check(key, format)
                try check([key, random.key()], format)
                try check(user, format)
                try check([user, random.user()], format)
            }
            #expect(try trigger.encoded(as: .json).losses.isEmpty && key.encoded(as: .json).losses.isEmpty)
            #expect(try user.encoded(as: .json).losses.isEmpty)
            let feeds = (1...2).map { id in
                random.oneIn(3) ? random.feed() : Feed(id: Feed.ID(id), datastreams: [plain(&random)])
            }
            let page = FeedPage(totalResults: random.maybe { $0.below(9) }, results: feeds)
            for format in CosmFormat.allCases {
                try check(page, format)
                try check([random.oneIn(3) ? random.datastream() : plain(&random), plain(&random)], format)
            }
        }
    }

    private func check<Document: CosmDocument>(_ value: Document, _ format: CosmFormat) throws {
        let document = try value.encoded(as: format)
        guard let again = try? format.decode(Document.self, from: document.data) else {
            #expect(!document.losses.isEmpty, "\(value)")
            return
        }
        #expect((again == value) == document.losses.isEmpty, "\(format) \(document.losses) \(value) AGAIN \(again)")
    }

    /// A datastream with nothing but what CSV has a place for.
    private func plain(_ random: inout SeededRandom) -> Datastream {
        let id = "s\(random.below(50))"
        if random.oneIn(2) {
            return Datastream(id: id, currentValue: random.value(), at: random.maybe { $0.stamp() })
        }
        return Datastream(id: id, datapoints: (0..<3).map { _ in Datapoint(at: random.stamp(), value: random.value()) })
    }
}
