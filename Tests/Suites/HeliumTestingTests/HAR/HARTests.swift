import Foundation
import FuzzSupport
import HeliumCore
import HeliumTesting
import TestSupport
import Testing

/// The recorded files of these tests.
enum Fixture {
    static func url(_ name: String) -> URL {
        SharedDocuments.package.appendingPathComponent("Fixtures/testing/\(name)")
    }
}

@Suite("HAR archives")
struct HARTests {
    @Test("a HAR archive is equal after writing and reading, without unknown members")
    func roundTrip() throws {
        let har = try HAR(contentsOf: Fixture.url("todos.har"))
        #expect(har.entries.count == 3 && har.creator.name == "Helium")
        #expect(har.entries[1].response.content.data == Data([0x00, 0xFF, 0x80]))
        #expect(har.entries[2].failure?.kind == "timedOut")
        let written = try har.encoded()
        #expect(try HAR(written) == har)
        #expect(!String(decoding: written, as: UTF8.self).contains("_browser"))
    }

    @Test("binary bodies are in Base64 in a HAR archive")
    func bodies() {
        for data in [Data(), Data("text ✓".utf8), Data([0xFF]), Data("a\u{0}b".utf8)] {
            #expect(HAR.Content(data).data == data && HAR.PostData(data, mimeType: "").data == data)
        }
        #expect(HAR.Content(Data("x".utf8)).encoding == nil && HAR.Content(Data([0])).encoding == "base64")
    }

    @Test(
        "an invalid HAR archive is an error with the position",
        arguments: [
            (#""url": "https://api.example.com/slow""#, #""url": "nowhere""#, "log.entries[2].request.url"),
            (#""method": "POST""#, #""method": "PO ST""#, "log.entries[1].request.method"),
            (#""method": "POST""#, #""method": 7"#, "log.entries[1].request.method"),
            (#""method": "POST","#, "", "log.entries[1].request.method"),
            (#""status": 201"#, #""status": 20100"#, "log.entries[1].response.status"),
            (#""AP+A""#, #""A""#, "log.entries[1].response.content.text"),
            (#""name": "Location""#, #""name": "Loca tion""#, "log.entries[1].response.headers[0].name"),
            (#""value": "/todos/2""#, #""value": "/todos\n2""#, "log.entries[1].response.headers[0].value"),
            (#""2016-02-12T08:00:08Z""#, #""yesterday""#, "log.entries[1].startedDateTime"),
            (#""time": 3,"#, #""time": null,"#, "log.entries[1].time"),
            (#""version": "1.2""#, #""version": "1.1""#, "log.version"),
            (#""log": {"#, #""lag": {"#, "log"),
            (#""log": {"#, #""log": "#, ""),
        ]
    )
    func malformed(good: String, bad: String, location: String) throws {
        let text = try String(contentsOf: Fixture.url("todos.har"), encoding: .utf8)
        try #require(text.contains(good))
        let error = #expect(throws: HAR.Malformed.self) {
            try HAR(Data(text.replacingOccurrences(of: good, with: bad).utf8))
        }
        #expect(error?.location == location && error?.reason.isEmpty == false, "\(String(describing: error))")
    }

    @Test("a HAR archive that is too long or missing is refused")
    func files() throws {
        for limit in [Int.min, -1, 0] {
            #expect(throws: HAR.Malformed.self) { try HAR(contentsOf: Fixture.url("todos.har"), upTo: limit) }
        }
        #expect(try !HAR(contentsOf: Fixture.url("todos.har"), upTo: .max).entries.isEmpty)
        let error = #expect(throws: HAR.Malformed.self) { try HAR(contentsOf: Fixture.url("todos.har"), upTo: 100) }
        #expect(error?.reason == "it has more than 100 bytes")
        #expect(throws: HAR.Malformed.self) { try HAR(contentsOf: Fixture.url("nothing.har")) }
    }

    @Test("no input of the HAR reader traps", .timeLimit(.minutes(5)), .tags(.random))
    func fuzz() async throws {
        let seed = [UInt8](try HAR(contentsOf: Fixture.url("todos.har")).compact())
        var generator = ProofLength.random(seed: 20_160_212)
        var (count, readable) = (0, 0)
        for number in ProofLength.rounds(1000) {
            count += 1
            // Others wait for the few threads that there are.
            if number.isMultiple(of: 200) { await Task.yield() }
            if fuzzHAR(Mutation.mutate(seed, using: &generator)) { readable += 1 }
        }
        // Else the inputs would show nothing of what comes after the parser.
        #expect(readable > count / 100 && readable < count * 19 / 20, "\(readable)")
    }
}

extension HAR {
    /// One line, one entry of each kind: short inputs make quick tests.
    fileprivate func compact() throws -> Data { try JSONEncoder().encode(self) }
}

enum Mutation {
    private static let tokens = [
        "null", "true", "-1", "1e999", "99999999999999999999", "\"\"", "{}", "[]", "\\u0000", "\\ud800", "://", "%",
        "]",
        "}", "\"", ",", "[[[[[[[[[[[[[[[[", "base64", "\u{FEFF}",
    ].map { Array($0.utf8) }

    /// One to four small changes.
    static func mutate(_ seed: [UInt8], using generator: inout SeededRandom) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, index + Int.random(in: 1...8, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 3: bytes.replaceSubrange(index..<end, with: tokens.randomElement(using: &generator) ?? [])
            case 4: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
            default: if Int.random(in: 0..<8, using: &generator) == 0 { bytes.removeSubrange(index...) }
            }
        }
        return bytes
    }
}
