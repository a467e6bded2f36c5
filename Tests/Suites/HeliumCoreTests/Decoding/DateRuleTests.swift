import Foundation
import HeliumCore
import Testing

@Suite("Rules for dates")
struct DateRuleTests {
    private struct Row: Decodable { let at: Date }

    private func date(_ json: String, _ rules: [DateRule]) throws -> Date? {
        let body = Data(#"{"at":\#(json)}"#.utf8)
        var helium = HeliumJSONDecoder()
        helium.dateDecodingStrategy = .rules(rules)
        let decoders: [any BodyDecoder] = [helium, FoundationJSONDecoder(dates: rules)]
        let dates = decoders.map { decoder in Result { try decoder.decode(Row.self, from: body, at: [])?.at } }
        #expect((try? dates[0].get()) == (try? dates[1].get()))
        return try dates[0].get()
    }

    @Test(
        "the first rule that fits decodes a date",
        arguments: [
            (#""2016-02-12T08:00:07Z""#, [.rfc3339], 1_455_264_007),
            (#""2016-02-12T08:00:07""#, [.rfc3339AssumingUTC], 1_455_264_007),
            (#""2016-02-12""#, [.epochSeconds, .rfc3339], 1_455_235_200),
            ("1455264007", [.epochSeconds], 1_455_264_007),
            ("1455264007.5", [.epochSeconds], 1_455_264_007.5),
            ("-1.5", [.epochSeconds], -1.5),
            (#""1455264007""#, [.epochSeconds], 1_455_264_007),
            ("1455264007250", [.epochMilliseconds], 1_455_264_007.25),
            ("1455264007250", [.rfc3339, .epochSeconds, .epochMilliseconds], 1_455_264_007.25),
            ("1455264007", [.rfc3339, .epochSeconds, .epochMilliseconds], 1_455_264_007),
            ("1455264007", [.epochMilliseconds, .epochSeconds], 1_455_264.007),
            (#""yesterday""#, [.rfc3339, yesterday], -86_400),
        ] as [(String, [DateRule], Double)]
    )
    func read(json: String, rules: [DateRule], expected: Double) throws {
        #expect(try date(json, rules) == Date(timeIntervalSince1970: expected))
    }

    private static let yesterday = DateRule.custom("yesterday") {
        $0 == .text("yesterday") ? Date(timeIntervalSince1970: -86_400) : nil
    }

    @Test(
        "refuse everything else with path, text and rules",
        arguments: [
            (#""soon""#, [.rfc3339, .epochSeconds]), ("1455264007", [.rfc3339]), (#""0x10""#, [.epochSeconds]),
            (#""inf""#, [.epochSeconds]), (#""1e3""#, [.epochSeconds]), (#""""#, [.epochSeconds]),
            ("253402300800", [.epochSeconds]), ("-62135596801", [.epochSeconds]), ("1e300", [.epochMilliseconds]),
            (#""2016-02-30""#, [.rfc3339]), ("12", []),
        ] as [(String, [DateRule])]
    )
    func refused(json: String, rules: [DateRule]) {
        let error = #expect(throws: DecodingError.self) { try date(json, rules) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["at"])
        if json != "1e300" { #expect(context.debugDescription.contains(json)) }
        for rule in rules { #expect(context.debugDescription.contains(rule.description)) }
    }

    @Test("a value that is neither text nor number is of the wrong type", arguments: ["true", "[]", "{}", "null"])
    func wrongType(json: String) {
        #expect(throws: DecodingError.self) { try date(json, [.rfc3339, .epochSeconds]) }
    }

    @Test("an error quotes no more than the beginning")
    func long() {
        let error = #expect(throws: DecodingError.self) {
            try date("\"\(String(repeating: "x", count: 10_000))\"", [.rfc3339])
        }
        #expect("\(String(describing: error))".utf8.count < 1000)
    }

    @Test("serve a decoder of one's own")
    func strategy() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rules([.epochSeconds])
        #expect(try decoder.decode([Date].self, from: Data("[0]".utf8)) == [Date(timeIntervalSince1970: 0)])
    }
}
