import Foundation
import HeliumJSON
import Testing

@Suite("JSON values from hostile documents") struct JSONValueHostileTests {
    private static let count = 100_000

    @Test("a JSON number of a million digits is handled in linear time")
    func aNumberOfAMillionDigits() throws {
        let digits = String(repeating: "7", count: 1_000_000)
        let number = try #require(JSONValue(parsing: digits).numberValue)
        #expect(number.description == digits)
        #expect(number == JSONNumber("\(digits).0"))
        #expect(number.hashValue == JSONNumber("\(digits).0")?.hashValue)
    }

    @Test("JSON numbers of many digits are compared and hashed in linear time")
    func numbersOfManyDigits() throws {
        let digits = String(repeating: "7", count: Self.count)
        let texts = [
            digits, "-\(digits)", "0.\(digits)", "\(digits)e-\(Self.count)", "1e\(digits)", "1e-\(digits)",
            "0e\(digits)", "\(digits)E\(digits)", "1" + String(repeating: "0", count: Self.count),
            "0.\(String(repeating: "0", count: Self.count))1",
            "1e" + String(repeating: "0", count: Self.count) + "1",
        ]
        for text in texts {
            let value = try JSONValue(parsing: "[\(text)]")
            #expect(value.text() == "[\(text)]")
            let number = try #require(value[0]?.numberValue)
            #expect(number == number)
            #expect(number != 7)
            #expect(Set([number, number]).count == 1)
            _ = (Int64(exactly: number), UInt128(exactly: number), number.doubleValue, number.decimalValue)
        }
        #expect(JSONNumber(texts[9]) == JSONNumber("1e-\(Self.count + 1)"))
        #expect(JSONNumber(texts[8]) == JSONNumber("1e\(Self.count)"))
        #expect(JSONNumber(texts[10]) == 10)
        #expect(JSONNumber(texts[6]) == 0)
        #expect(JSONNumber(texts[0]) != JSONNumber(texts[2]))
        #expect(JSONNumber(texts[2]) == JSONNumber(texts[3]))
    }

    @Test("a JSON object with many members of one name is read in linear time")
    func manyMembersOfOneName() throws {
        let text = "{" + Array(repeating: #""a":0"#, count: 200_000).joined(separator: ",") + "}"
        #expect(try JSONValue(parsing: text) == ["a": 0])
    }

    @Test("a JSON object with many members is read in linear time")
    func manyMembers() throws {
        let members = (0..<200_000).map { #""name \#($0)":\#($0)"# }.joined(separator: ",")
        var value = try JSONValue(parsing: "{\(members)}")
        #expect(value.objectValue?.count == 200_000)
        for index in 0..<200_000 { value["name \(index)"] = true }
        #expect(value["name 199999"] == true)
        #expect(value["name 200000"] == nil)
    }

    @Test("the depth of a JSON value is limited")
    func depthIsTheLimits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
        }
        var value = try JSONValue(parsing: nested(512))
        #expect(value.text() == nested(512))
        #expect(value.hashValue == value.hashValue)
        #expect(try value == JSONValue(parsing: nested(512)))
        value = .null
        #expect(throws: DecodingError.self) { try JSONValue(parsing: nested(514)) }
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(JSONValue.self, from: nested(514)) }
    }

    @Test("a JSON value of the default depth needs little stack")
    func theDefaultDepthNeedsLittleStack() async throws {
        let text = String(repeating: #"{"a":["#, count: 256) + "1" + String(repeating: "]}", count: 256)
        let survived = try onThread(stackSize: 512 * 1024) {
            let value = try JSONValue(parsing: text)
            let copy = try JSONValue(parsing: text)
            return value == copy && value.hashValue == copy.hashValue && value.text() == text
        }
        #expect(survived)
    }

    @Test("writing a deep JSON value needs no stack")
    func writingNeedsNoStack() throws {
        // Deeper than can be freed on this stack: freed here piece by piece.
        var value: JSONValue = []
        for _ in 0..<100_000 { value = .array([value]) }
        let text = value.data()
        let pretty = JSONValue.array([["a": [1]]]).text(formatting: .pretty)
        #expect(text.count == 2 * 100_001)
        #expect(pretty.hasPrefix("[\n  {\n    \"a\": [\n      1"))
        while let inner = value[0] {
            value = .null
            value = inner
        }
        #expect(value == [])
    }

    /// Runs `body` on a thread of its own.
    private func onThread(stackSize: Int, _ body: @escaping @Sendable () throws -> Bool) throws -> Bool {
        let result = Mailbox()
        let thread = Thread { result.put(Result(catching: body)) }
        thread.stackSize = stackSize
        thread.start()
        return try result.take().get()
    }
}

/// Hands a result from one thread to another.
private final class Mailbox: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Bool, any Error>?

    func put(_ result: Result<Bool, any Error>) {
        condition.withLock { self.result = result }
        condition.signal()
    }

    func take() -> Result<Bool, any Error> {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result { return result }
            condition.wait()
        }
    }
}
