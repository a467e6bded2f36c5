import Foundation
import HeliumKit
import JetstreamCore
import Testing

@testable import HeliumCLI

@Suite("helium jetstream", .timeLimit(.minutes(5)))
struct JetstreamCommandTests {
    private static let root = "0a5f0f6e-0c5c-4d9a-8f5e-aa0000000001"
    private static let fragment = #"{"type":"change","uuid":"\#(root)","clsName":"Card","properties":{"name":"a"}}"#

    @Test(
        "helium jetstream exits with 64 for a wrong command line",
        arguments: [
            ["watch"], ["watch", "ws://127.0.0.1:1"], ["watch", "ftp://host/", "Board"],
            ["watch", "nonsense", "Board"],
            ["watch", "ws://127.0.0.1:1", "Board", "--session-param", "a"],
            ["watch", "ws://127.0.0.1:1", "Board", "--fetch-param", "a=nope"],
            ["watch", "ws://127.0.0.1:1", "Board", "--format", "csv"],
            ["watch", "ws://127.0.0.1:1", "Board", "--header", "a b: 1"],
            ["set", "ws://127.0.0.1:1", "Board", "root", "name"],
            ["set", "ws://127.0.0.1:1", "Board", "root", "name", "nope"],
            ["set", "ws://127.0.0.1:1", "Board", "not-a-uuid", "name", "1"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let outcome = try await Tool.run(["jetstream"] + arguments)
        #expect(outcome.status == 64 && outcome.stdout == "", "\(outcome)")
    }

    @Test(
        "helium jetstream exits with 1 and the reason if the server cannot be reached in time",
        arguments: [
            ["watch", "ws://127.0.0.1:1", "Board"], ["set", "ws://127.0.0.1:1", "Board", "root", "name", "1"],
            ["edit", "ws://127.0.0.1:1", "Board"],
        ]
    )
    func unreachable(arguments: [String]) async throws {
        let outcome = try await Tool.run(["jetstream"] + arguments + ["--timeout", "500ms"])
        #expect(outcome.status == 1 && outcome.stdout == "", "\(outcome)")
        #expect(outcome.stderr.contains("helium: no response within"), "\(outcome)")
    }

    // MARK: Lines

    @Test("a line of helium jetstream edit is a change set, in chunks of any size", arguments: [1, 7, 1000])
    func lines(size: Int) throws {
        let text = """
            {"fragments":[\(Self.fragment)]}

            {"fragments":[],"atomic":true,"procedure":"Card.rename"}
            """
        var reader = EditLines()
        var lines: [EditLines.Line] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try reader.take(Data(bytes[start..<min(start + size, bytes.count)]), into: &lines)
        }
        if let last = try reader.end() { lines.append(last) }
        let uuid = try #require(UUID(uuidString: Self.root))
        let fragment = SyncFragment(.change, uuid: uuid, className: "Card", properties: ["name": "a"])
        #expect(
            lines == [
                EditLines.Line(number: 1, fragments: [fragment], isAtomic: false, procedure: nil),
                EditLines.Line(number: 3, fragments: [], isAtomic: true, procedure: "Card.rename"),
            ]
        )
    }

    @Test(
        "an invalid line of helium jetstream edit is an error with its number, after those before it",
        arguments: [
            ("nope", "it is not a JSON object"), ("[]", "it is not a JSON object"),
            ("{}", "\"fragments\" must be an array"),
            (#"{"fragments":[1]}"#, "fragment 1 needs type (add or change), uuid, clsName and properties"),
            (#"{"fragments":[],"atomic":1}"#, "\"atomic\" must be true or false"),
            (#"{"fragments":[],"procedure":1}"#, "\"procedure\" must be a string such as Card.rename"),
            (#"{"fragments":[],"atomik":true}"#, "unknown member \"atomik\""),
        ]
    )
    func badLine(line: String, reason: String) {
        var reader = EditLines()
        var lines: [EditLines.Line] = []
        let text = "{\"fragments\":[\(Self.fragment)]}\n\(line)\n"
        let error = #expect(throws: EditLines.BadLine.self) { try reader.take(Data(text.utf8), into: &lines) }
        #expect(error == EditLines.BadLine(number: 2, reason: reason) && lines.map(\.number) == [1])
    }

    @Test("helium jetstream prints replies as text and as JSON")
    func replies() throws {
        let replies = [FragmentReply(), FragmentReply(error: ErrorObject(message: "too long", type: "rejected"))]
        #expect(JetstreamLines.text(.success([FragmentReply()]), line: 1, .text) == "line 1: accepted")
        #expect(JetstreamLines.text(.success(replies), line: 2, .text) == "line 2: 1 of 2 rejected: too long")
        #expect(
            try JSONValue(parsing: JetstreamLines.text(.success(replies), line: 2, .json).text)
                == [
                    "event": "reply", "line": 2,
                    "fragmentReplies": [[:], ["error": ["message": "too long", "type": "rejected"]]],
                ]
        )
        let error = JetstreamError(.sessionLost, "gone", delivery: .maybeSent)
        #expect(JetstreamLines.text(.failure(error), line: 3, .text) == "line 3: gone (maybeSent)")
    }
}
