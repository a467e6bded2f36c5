import Foundation
import HeliumKit
import HeliumTesting
import Testing

@testable import HeliumCore

@Suite("Wording of errors", .timeLimit(.minutes(5)))
struct ErrorWordingTests {
    @Test("the reason for another attempt is not shown as its outcome")
    func attempts() {
        var record = AttemptRecord(
            number: 1,
            outcome: .answered(status: 503),
            delivery: .answered,
            duration: .milliseconds(12)
        )
        #expect(record.description == "#1 503 after 0.012 s")
        record.retryReason = .serverUnavailable
        #expect(record.description == "#1 503 after 0.012 s (retried immediately: serverUnavailable)")
        record.pause = .milliseconds(200)
        #expect(record.description == "#1 503 after 0.012 s (retried after 0.200 s: serverUnavailable)")
        record.retryReason = .redirected
        #expect(record.description == "#1 503 after 0.012 s (redirected)")
    }

    @Test("an error of a configuration does not mention a request")
    func configuration() {
        #expect(HeliumError(configuration: "no host").description == "invalidConfiguration: no host")
    }

    @Test("a missing member has line and column, also inside an envelope")
    func missingMember() async throws {
        struct Show: Decodable, Sendable { let title: String }
        let transport = MockTransport(answers: [.json("{\n \"response\": {\"id\": 1}}")])
        let pipeline = try makePipeline(transport) { $0.envelope = .middleware }
        let error = try await failure(of: { try await pipeline.get("/", as: Show.self).value() })
        #expect(error.decoding?.location?.line == 2 && error.decoding?.codingPath == "response")
        #expect(error.description.contains("no member \"title\" in the object at line 2, column 14"))
    }

    @Test(
        "a null is named in JSON's terms, like a value of another kind",
        arguments: [
            ("[{\"title\":null}]", "0.title: expected a string, found null at line 1, column 11 (byte 10)"),
            ("[{\"title\":5}]", "0.title: expected a string, found a number at line 1, column 11 (byte 10)"),
            (
                "[{\"title\":\"a\",\"tags\":null}]",
                "0.tags: expected a list, found null at line 1, column 22 (byte 21)"
            ),
            ("[null]", "0: expected an object, found null at line 1, column 2 (byte 1)"),
            ("null", "the top: expected a list, found null at line 1, column 1 (byte 0)"),
        ]
    )
    func null(body: String, place: String) async throws {
        struct Show: Decodable, Sendable {
            let title: String
            let tags: [String]
        }
        let pipeline = try makePipeline(MockTransport(answers: [.json(body)]))
        let error = try await failure(of: { try await pipeline.get("/", as: [Show].self).value() })
        #expect(error.decoding?.place == "at \(place)")
    }

    @Test("delivery states are ordered by how far requests got")
    func order() {
        #expect(DeliveryState.allCases == [.notSent, .maybeSent, .answered])
        #expect(DeliveryState.allCases.sorted() == DeliveryState.allCases && DeliveryState.notSent < .answered)
    }
}
