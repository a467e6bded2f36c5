import Foundation
import HTTPTypes
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Testing

@Suite("Channels that are filled")
struct FillingTests {
    @Test("a filled channel has the messages as if a client had created them")
    func fills() async throws {
        let memory = try MemoryServer()
        let channel = try await memory.createChannel()
        let ids = try await memory.server.appNet.fillChannel(channel, count: 450, by: "bob") { number in
            .init(
                text: number % 9 == 8 ? nil : "Message #tag\(number)",
                annotations: [["type": "com.example.number", "value": ["number": .number(.init(number))]]],
                created: number == 0 ? Date(timeIntervalSince1970: 1_000_000_000) : nil
            )
        }
        #expect(ids == (1...450).map(String.init))
        let path = "/stream/0/channels/\(channel)/messages"
        let page = try await memory.execute(.get, "\(path)?count=200&include_machine=1&include_annotations=1").json
        let messages = try #require(page["data"]?.arrayValue)
        #expect(messages.count == 200 && messages.first?["id"] == "450")
        #expect(messages.first?["machine_only"] == true && messages.first?["user"]?["username"] == "bob")
        #expect(messages[1]["entities"]?["hashtags"]?.arrayValue?.first?["name"] == "tag448")
        #expect(messages[1]["annotations"]?.arrayValue?.first?["value"]?["number"] == 448)
        let oldest = try await memory.execute(.get, "\(path)/1").json
        #expect(oldest["data"]?["created_at"] == "2001-09-09T01:46:40Z")
        let counts = try await memory.execute(.get, "/stream/0/channels/\(channel)").json
        #expect(counts["data"]?["counts"]?["messages"] == 450)
        #expect(counts["data"]?["recent_message_id"] == "450")
    }

    @Test("a channel is not filled if one message is refused")
    func fillsAllOrNothing() async throws {
        let memory = try MemoryServer()
        let channel = try await memory.createChannel()
        let control = memory.server.appNet
        await #expect(throws: AppNetControl.FillingError.self) {
            try await control.fillChannel(channel, count: 3, by: "alice") { .init(text: $0 == 2 ? "" : "Message") }
        }
        await #expect(throws: AppNetControl.FillingError.self) {
            try await control.fillChannel("77", count: 1, by: "alice") { _ in .init(text: "Message") }
        }
        await #expect(throws: AppNetControl.FillingError.self) {
            try await control.fillChannel(channel, count: 1, by: "nobody") { _ in .init(text: "Message") }
        }
        let page = try await memory.execute(.get, "/stream/0/channels/\(channel)/messages").json
        #expect(page["data"]?.arrayValue?.isEmpty == true)
    }

    @Test("a count that is not positive stores nothing", arguments: [Int.min, -1, 0])
    func counts(count: Int) async throws {
        let memory = try MemoryServer()
        let channel = try await memory.createChannel()
        let ids = try await memory.server.appNet.fillChannel(channel, count: count, by: "alice") { _ in
            .init(text: "Message")
        }
        #expect(ids.isEmpty)
    }

    @Test("the greatest count ends at the first message that is refused")
    func greatestCount() async throws {
        let memory = try MemoryServer()
        let channel = try await memory.createChannel()
        let control = memory.server.appNet
        let error = await #expect(throws: AppNetControl.FillingError.self) {
            try await control.fillChannel(channel, count: .max, by: "alice") { .init(text: $0 == 2 ? "" : "Message") }
        }
        #expect(error?.description.hasPrefix("message 2: ") == true)
    }

    @Test(
        "a creation date outside of the years 1 to 9999 is refused",
        arguments: [-Double.infinity, -1e300, -62_135_596_801, 253_402_300_800, 1e300, .infinity, .nan]
    )
    func refusedDates(seconds: Double) async throws {
        let memory = try MemoryServer()
        let channel = try await memory.createChannel()
        let control = memory.server.appNet
        await #expect(throws: AppNetControl.FillingError.self) {
            try await control.fillChannel(channel, count: 1, by: "alice") { _ in
                .init(text: "Message", created: Date(timeIntervalSince1970: seconds))
            }
        }
    }

    @Test(
        "the first and the last second of the years 1 to 9999 are creation dates",
        arguments: [(-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z")]
    )
    func dates(seconds: Double, text: String) async throws {
        let memory = try MemoryServer()
        let channel = try await memory.createChannel()
        try await memory.server.appNet.fillChannel(channel, count: 1, by: "alice") { _ in
            .init(text: "Message", created: Date(timeIntervalSince1970: seconds))
        }
        let message = try await memory.execute(.get, "/stream/0/channels/\(channel)/messages/1").json
        #expect(message["data"]?["created_at"] == .string(text))
    }
}
