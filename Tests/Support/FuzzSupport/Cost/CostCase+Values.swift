import Foundation
import HeliumCore
import HeliumJSON

// What reads JSON and dates.
extension CostCase {
    static let values: [CostCase] = [
        CostCase(
            "json",
            slots: ["‹›", #"["‹›"]"#, #"{"‹›":1}"#, #"{"a":"‹›"}"#],
            repeated: [
                #"[‹{"id":"¤","a":[]},›0]"#, #"{‹"n¤":1,›"a":1}"#, #"{‹"a":1,›"a":1}"#, "[‹1e5,›0]",
                #"{‹"a":{"a":1},›"b":1}"#,
                #"{‹"n¤\u0301":"a",›"n":"a"}"#,
            ]
        ) {
            let value = try JSONValue(parsing: $0)
            _ = (value.description, value.text(formatting: .sortedMembers), value == value, value.hashValue)
        },
        CostCase(
            "json-types",
            slots: [
                #"{"‹›":1}"#, #"{"a_‹›_b":1}"#, #"{"name":"‹›"}"#, #"{"open":"‹›"}"#, #"{"at":"‹›"}"#,
                #"{"counts":{"‹›":1}}"#, #"{"counts":{"A‹›Bc":1}}"#,
            ],
            repeated: [
                #"{‹"n¤":1,›"name":"a"}"#, #"{"counts":{‹"n¤":1,›"a":1}}"#, #"{"all":[‹{"name":"¤"},›{}]}"#,
                #"{"all":[‹"a text in place of an object",›1]}"#,
            ]
        ) { bytes in
            for strategy in [HeliumJSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
                var decoder = HeliumJSONDecoder()
                decoder.keyDecodingStrategy = strategy
                let record = try DecodingReport.collecting { try decoder.decode(Record.self, from: bytes) }.value
                var encoder = HeliumJSONEncoder()
                _ = try encoder.encode(record)
                encoder.keyEncodingStrategy = .convertToSnakeCase
                _ = try encoder.encode(record)
            }
        },
        CostCase(
            "json-elements",
            slots: [#"{"data":["‹›"]}"#, #"{"‹›":1,"data":[]}"#, "‹›"],
            repeated: [#"{"data":[‹{"a":¤},›0]}"#, "{‹\"data¤\":[],›\"data\":[]}"]
        ) { bytes in
            for size in [16, 4096] {
                let chunks = AsyncStream { continuation in
                    for chunk in LineStreamFuzz.chunks(of: bytes, size) { continuation.yield(Data(chunk)) }
                    continuation.finish()
                }
                for try await value in HeliumJSONDecoder().elements(of: JSONValue.self, at: ["data"], in: chunks) {
                    _ = value
                }
            }
        },
        CostCase("dates", slots: ["‹›", "2016-02-12T08:00:07.‹›Z", "14552640‹›"]) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            for rule in [DateRule.rfc3339, .rfc3339AssumingUTC, .epochSeconds, .epochMilliseconds] {
                _ = rule.date(from: .text(text))
            }
        },
    ]

    /// A type like those of users.
    private struct Record: Codable {
        enum Kind: String, Codable { case first, second }
        enum CodingKeys: String, CodingKey, CaseIterable { case name, open, at, counts, all }
        var name: String?
        var open: OpenEnum<Kind>?
        var at: Date?
        var counts: [String: Int]?
        var all: LossyArray<Inner>?
        var unknown: JSONObject

        struct Inner: Codable { var name: String? }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            open = try container.decodeIfPresent(OpenEnum<Kind>.self, forKey: .open)
            at = try? container.decodeIfPresent(Date.self, forKey: .at)
            counts = try container.decodeIfPresent([String: Int].self, forKey: .counts)
            all = try container.decodeIfPresent(LossyArray<Inner>.self, forKey: .all)
            unknown = try decoder.unknownMembers(besides: CodingKeys.self)
        }
    }
}
