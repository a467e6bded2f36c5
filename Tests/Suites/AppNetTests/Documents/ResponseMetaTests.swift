import AppNet
import Foundation
import HeliumJSON
import Testing

@Suite("Meta data of responses")
struct ResponseMetaTests {
    @Test(
        "the date of an event's meta data is read in seconds and milliseconds",
        arguments: [1_352_147_672.0, 1_352_147_672_000.0]
    )
    func date(_ timestamp: Double) {
        #expect(ResponseMeta(timestamp: timestamp).date == Date(timeIntervalSince1970: 1_352_147_672))
    }

    @Test("meta data without a date has none")
    func noDate() {
        #expect(ResponseMeta().date == nil)
        #expect(ResponseMeta(timestamp: .nan).date == nil)
    }

    @Test("meta data has every documented member of responses and streams")
    func members() throws {
        let text = """
            {"code":200,"error_message":"a","error_id":"b","error_slug":"c","more":false,"min_id":"1","max_id":"2","marker":\
            {"name":"d"},"unread_counts":{"e":3},"count":4,"explore_stream":{"slug":"f"},"connection_id":"g",\
            "subscription_id":"h","subscription_ids":["i"],"type":"message","timestamp":5,"is_deleted":true,"deleted_id":"j",\
            "id":"k","channel_id":"6","channel_type":"l","channel_name":"m","subscribed_user_ids":["7"],\
            "suppress_notifications":["8"],"suppress_notifications_all":false,"user_id":"9","retry_in":10,\
            "status_url":"https://example.com/","revision":11}
            """
        let meta = try HeliumJSONDecoder().decode(ResponseMeta.self, from: text)
        #expect(meta.extra.isEmpty)
        #expect(Mirror(reflecting: meta).children.allSatisfy { "\($0.value)" != "nil" })
        #expect(try JSONValue(parsing: HeliumJSONEncoder().encode(meta)) == JSONValue(parsing: text))
    }

    @Test("an envelope has data of every type, or none for an error")
    func envelopes() throws {
        let decoder = HeliumJSONDecoder()
        let ids = try decoder.decode(
            Envelope<[String: [AppNetUser.ID]]>.self,
            from: #"{"data":{"1":["2"]},"meta":{"code":200}}"#
        )
        #expect(ids.data == ["1": [2]])
        #expect(try decoder.decode(Envelope<Int>.self, from: #"{"meta":{},"data":3}"#).data == 3)
        let failure = try decoder.decode(Envelope<Message>.self, from: #"{"meta":{"code":404},"more":{"a":1}}"#)
        #expect(failure.data == nil && failure.meta?.code == 404)
        #expect(failure.extra == ["more": ["a": 1]])
        #expect(try HeliumJSONEncoder().encodeToString(failure) == #"{"meta":{"code":404},"more":{"a":1}}"#)
        #expect(throws: DecodingError.self) { try decoder.decode(Envelope<Message>.self, from: "[]") }
    }
}
