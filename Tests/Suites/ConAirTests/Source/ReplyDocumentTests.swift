import Foundation
import HeliumJSON
import Testing

@testable import ConAir

@Suite("A reply of the service")
struct ReplyDocumentTests {
    @Test(
        "a reply of the service is decoded with gaps in time and invalid elements",
        arguments: [
            ("[]", "", 0),
            (#"[{"ts": "2012-12-11 12:00:00 +0000", "value": 21.4, "temperature": 21.4}]"#, "0:21.4", 0),
            (
                #"[{"ts":"2012-12-11T12:00:00Z","value":1},{"ts":"2012-12-11T12:00:02.5Z","value":-2e1}]"#,
                "0:1.0 2.5:-20.0", 0
            ),
            // Either name of the number, `value` first, `null` is missing.
            (#"[{"ts":"2012-12-11T12:00:00Z","temperature":3}]"#, "0:3.0", 0),
            (#"[{"ts":"2012-12-11T12:00:00Z","temperature":3,"value":4}]"#, "0:4.0", 0),
            (#"[{"ts":"2012-12-11T12:00:00Z","temperature":3,"value":null}]"#, "0:3.0", 0),
            (#"[{"temperature":null,"value":4,"ts":"2012-12-11T12:00:00Z","more":[{"ts":1}]}]"#, "0:4.0", 0),
            // Neither, or no readable time: skipped and counted.
            (#"[{"ts":"2012-12-11T12:00:00Z"},{"ts":"2012-12-11T12:00:00Z","value":null}]"#, "", 2),
            (#"[{"ts":"2012-12-11T12:00:00Z","value":"4"},{"ts":"2012-12-11T12:00:00Z","value":true}]"#, "", 2),
            (#"[{"ts":"2012-12-11T12:00:00Z","value":1e999}]"#, "", 1),
            (#"[{"value":4},{"ts":null,"value":4},{"ts":1355227200,"value":4},{"ts":"noon","value":4}]"#, "", 4),
            (#"[null,1,"a",[],{},{"ts":"2012-12-11T12:00:01Z","value":5}]"#, "1:5.0", 5),
            // Any order; of one time the last counts, in whatever form it is written.
            (
                #"[{"ts":"2012-12-11T12:00:02Z","value":1},{"ts":"2012-12-11T12:00:01Z","value":2},"#
                    + #"{"ts":"2012-12-11 13:00:02 +0100","value":3}]"#, "1:2.0 2:3.0", 0
            ),
            // Escapes in the time.
            (#"[{"ts":"2012\u002d12-11T12:00:00Z","value":1}]"#, "0:1.0", 0),
        ]
    )
    func table(json: String, expected: String, skipped: Int) throws {
        for reply in [
            try HeliumJSONDecoder().decode(ReplyDocument.self, from: json).reply,
            // By `init(from:)`.
            try HeliumJSONDecoder().decode([String: ReplyDocument].self, from: #"{"a":\#(json)}"#, converted: true)
                .reply,
        ] {
            let points = reply.points.map { "\(text($0.time)):\($0.value)" }.joined(separator: " ")
            #expect(points == expected)
            #expect(reply.skippedCount == skipped)
        }
    }

    @Test(
        "a reply of the service that is not an array is an error",
        arguments: ["{}", "null", "1", #""[]""#, "", "[", #"{"data":[]}"#]
    )
    func noArray(json: String) {
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(ReplyDocument.self, from: json) }
    }

    private func text(_ time: SeriesTime) -> String {
        let seconds = Double(noon.duration(to: time) / .microseconds(1)) / 1e6
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}

extension HeliumJSONDecoder {
    /// Decodes with a key strategy, by which types read themselves through `Decodable`.
    fileprivate func decode(
        _ type: [String: ReplyDocument].Type,
        from json: String,
        converted: Bool
    ) throws -> ReplyDocument {
        var decoder = self
        decoder.keyDecodingStrategy = converted ? .convertFromSnakeCase : .useDefaultKeys
        return try #require(try decoder.decode(type, from: json)["a"])
    }
}
