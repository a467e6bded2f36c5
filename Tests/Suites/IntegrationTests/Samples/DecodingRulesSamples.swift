import Foundation
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport
import Testing

/// The samples of the article on decoding rules, over real sockets.
@Suite("Samples: decoding rules", .timeLimit(.minutes(5)))
struct DecodingRulesSamples {
    enum Status: String, Codable, Sendable { case draft, published }

    // sample
    struct Page: Decodable, Sendable {
        @LossyArray var shows: [Show]
    }
    struct Show: Decodable, Sendable {
        var id: Int
        var status: OpenEnum<Status>
    }
    // end of sample

    struct Conflict: Decodable, Sendable { let current: Int }

    private func withHelium(
        answering action: FaultServer.Action,
        options: ClientOptions = ClientOptions(),
        _ body: (Helium) async throws -> Void
    ) async throws {
        try await FaultServer.run { _ in
            [action]
        } during: { server in
            let url = try #require(URL(string: server.url))
            try await HeliumKit.withHelium(baseURL: url, options: options, body)
        }
    }

    @Test("sample of decoding rules: dates by the first rule that applies")
    func dates() async throws {
        // sample
        var options = ClientOptions()
        var decoder = HeliumJSONDecoder()
        decoder.dateDecodingStrategy = .rules([.rfc3339, .epochSeconds, .epochMilliseconds])
        options.decoder = decoder
        // end of sample
        let body = #"["2016-02-12T08:00:07Z",1455264007,1455264007000,"2016-02-12 10:00:07.000+0200"]"#
        try await withHelium(answering: .answer(body: body), options: options) { helium in
            let dates = try await helium.get("/dates", returning: [Date].self).value()
            #expect(dates == Array(repeating: Date(timeIntervalSince1970: 1_455_264_007), count: 4))
        }
    }

    @Test("sample of decoding rules: an invalid row is dropped and reported")
    func lossy() async throws {
        let body = #"{"shows":[{"id":1,"status":"archived"},{"id":"x"},{"id":3,"status":"draft"}]}"#
        try await withHelium(answering: .answer(body: body)) { helium in
            let reports = Guarded<[DecodingReport]>([])
            @Sendable func print(_ report: DecodingReport) { reports.withLock { $0.append(report) } }
            // sample
            let page = try await helium.get("/shows", returning: Page.self)
                .reportingFindings { report in print(report) }
                .value()
            // end of sample
            #expect(page.shows.map(\.id) == [1, 3] && page.$shows.droppedCount == 1)
            #expect(page.shows.map(\.status) == [.unknown("archived"), .known(.draft)])
            #expect(reports.withLock { $0 }.first?.findings.map(\.path) == ["shows.0.status", "shows.1.id"])
        }
    }

    @Test("sample of decoding rules: the body of an error as a type")
    func typedFailure() async throws {
        let answer = FaultServer.Action.answer(409, fields: ["Content-Type: application/json"], body: #"{"current":7}"#)
        try await withHelium(answering: answer) { helium in
            let draft = ["id": 1]
            let print = Printer()
            // sample
            do {
                try await helium.put("/shows/1", body: draft).value()
            } catch let error as HeliumError where error.status == 409 {
                let conflict = try error.decodedBody(as: Conflict.self)
                print(conflict.current)
            }
            // end of sample
            #expect(print.output == ["7"])
        }
    }
}
