import Foundation
import HeliumFoundation
import HeliumJSON
import TestSupport
import Testing

@Suite("HeliumJSONEncoder: strategies")
struct EncoderStrategyTests {
    // MARK: Keys

    static let names: [(String, String)] = [
        ("", ""), ("a", "a"), ("A", "a"), ("oneTwoThree", "one_two_three"), ("_oneTwoThree_", "_one_two_three_"),
        ("myURLProperty", "my_url_property"), ("URL", "u_rl"), ("URLPath", "u_rl_path"), ("myURL", "my_url"),
        ("single", "single"), ("snake_case", "snake_case"), ("aB", "a_b"), ("aBC", "a_bc"), ("aBCd", "a_b_cd"),
        ("version4Thing", "version4_thing"), ("dataPoint22", "data_point22"), ("m_bigThing", "m_big_thing"),
        ("__a", "__a"), ("é", "é"), ("überGroß", "über_groß"), ("aÉbc", "a_ébc"), ("test_aB", "test_a_b"),
    ]

    @Test(arguments: names)
    func `an encoder converts names to snake case`(_ name: String, _ expected: String) throws {
        let value = Scripted { encoder in
            var container = encoder.container(keyedBy: AnyName.self)
            try container.encode(1, forKey: AnyName(name))
        }
        #expect(try text(value) { $0.keyEncodingStrategy = .convertToSnakeCase } == #"{"\#(expected)":1}"#)
        #expect(try foundationText(value) { $0.keyEncodingStrategy = .convertToSnakeCase } == #"{"\#(expected)":1}"#)
    }

    @Test(.tags(.random)) func `an encoder converts random names as Foundation does`() throws {
        var random = ProofLength.random(seed: 4)
        for _ in ProofLength.rounds(300) {
            let characters = (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in
                "aAbBXyZ_09é".randomElement(using: &random)
            }
            let name = AnyName(String(characters))
            let value = Scripted { encoder in
                var container = encoder.container(keyedBy: AnyName.self)
                try container.encode(1, forKey: name)
            }
            let ours = try text(value) { $0.keyEncodingStrategy = .convertToSnakeCase }
            #expect(
                try ours == foundationText(value) { $0.keyEncodingStrategy = .convertToSnakeCase },
                "\(name.stringValue)"
            )
        }
    }

    private struct Model: Encodable {
        var aName = 1
        var dictionary = ["aKey": ["bKey": Inner()]]
        var numbers = [7: Inner()]
        var list = [Inner()]
        var nested: Inner? = Inner()

        struct Inner: Encodable { var cName = true }
    }

    @Test func `an encoder does not convert the keys of dictionaries`() throws {
        let expected = """
            {"a_name":1,"dictionary":{"aKey":{"bKey":{"c_name":true}}},"list":[{"c_name":true}],\
            "nested":{"c_name":true},"numbers":{"7":{"c_name":true}}}
            """
        let ours = try text(Model()) {
            $0.keyEncodingStrategy = .convertToSnakeCase
            $0.outputFormatting = .sortedKeys
        }
        #expect(ours == expected)
        let theirs = try foundationText(Model()) {
            $0.keyEncodingStrategy = .convertToSnakeCase
            $0.outputFormatting = .sortedKeys
        }
        #expect(ours == theirs)
    }

    @Test func `a custom key strategy of an encoder gets the path of original keys`() throws {
        let convert: @Sendable ([any CodingKey]) -> any CodingKey = { path in
            AnyName(path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."))
        }
        func ours(_ model: Model) throws -> String {
            try text(model) {
                $0.keyEncodingStrategy = .custom(convert)
                $0.outputFormatting = .sortedKeys
            }
        }
        #expect(try ours(Model()).contains(#""dictionary":{"aKey":{"bKey":{"dictionary.aKey.bKey.cName":true}}}"#))
        // Foundation's paths leave out a dictionary's own key.
        let model = Model(dictionary: [:])
        let theirs = try foundationText(model) {
            $0.keyEncodingStrategy = .custom(convert)
            $0.outputFormatting = .sortedKeys
        }
        #expect(try ours(model) == theirs)
        #expect(theirs.contains(#""list":[{"list.0.cName":true}]"#))
    }

    @Test func `two encoded names that become one are one member`() throws {
        let value = Scripted { encoder in
            var container = encoder.container(keyedBy: AnyName.self)
            try container.encode(1, forKey: AnyName("aB"))
            try container.encode(2, forKey: AnyName("c"))
            try container.encode(3, forKey: AnyName("a_b"))
        }
        #expect(try text(value) { $0.keyEncodingStrategy = .convertToSnakeCase } == #"{"a_b":3,"c":2}"#)
    }

    // MARK: Dates

    static let dates = [0, 0.0004, 0.9996, -0.1, -1.5, 1_455_264_007.5, 1e9 + 1.0 / 3, -1e9, 253_402_300_799.9].map {
        Date(timeIntervalSince1970: $0)
    }

    @Test(arguments: dates)
    func `an encoder writes dates as Foundation does`(_ date: Date) throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd \"HH\""
        let custom: @Sendable (Date, any Encoder) throws -> Void = { date, encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(date.timeIntervalSince1970.rounded())
        }
        let strategies: [(HeliumJSONEncoder.DateEncodingStrategy, JSONEncoder.DateEncodingStrategy)] = [
            (.iso8601, .iso8601), (.secondsSince1970, .secondsSince1970),
            (.millisecondsSince1970, .millisecondsSince1970), (.deferredToDate, .deferredToDate),
            (.formatted(formatter), .formatted(formatter)), (.custom(custom), .custom(custom)),
            (.custom { _, _ in }, .custom { _, _ in }),
        ]
        for (ours, theirs) in strategies {
            for value in [[date], [date, date]] {
                let expected = try foundationText(value) { $0.dateEncodingStrategy = theirs }
                #expect(try text(value) { $0.dateEncodingStrategy = ours } == expected)
            }
            let expected = try foundationText(Optional(date)) { $0.dateEncodingStrategy = theirs }
            #expect(try text(Optional(date)) { $0.dateEncodingStrategy = ours } == expected)
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_455_264_007.5, "2016-02-12T08:00:07.500Z"),
        (0.0006, "1970-01-01T00:00:00.001Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"),
        (1e18, "9999-12-31T23:59:59.999Z"), (-1e18, "0001-01-01T00:00:00.000Z"),
    ])
    func `an encoder writes dates as RFC 3339 with milliseconds by default`(_ seconds: Double, _ expected: String)
        throws
    {
        #expect(try text(Date(timeIntervalSince1970: seconds)) == "\"\(expected)\"")
    }

    // MARK: Data and floats

    @Test func `an encoder writes data as Foundation does`() throws {
        let custom: @Sendable (Data, any Encoder) throws -> Void = { data, encoder in
            var container = encoder.container(keyedBy: AnyName.self)
            try container.encode(data.count, forKey: AnyName("count"))
        }
        let strategies: [(HeliumJSONEncoder.DataEncodingStrategy, JSONEncoder.DataEncodingStrategy)] = [
            (.base64, .base64), (.deferredToData, .deferredToData), (.custom(custom), .custom(custom)),
            (.custom { _, _ in }, .custom { _, _ in }),
        ]
        for (ours, theirs) in strategies {
            for value in [Data(), Data([1]), Data(0...255)] {
                let expected = try foundationText(["k": value]) { $0.dataEncodingStrategy = theirs }
                #expect(try text(["k": value]) { $0.dataEncodingStrategy = ours } == expected)
            }
        }
    }

    @Test func `an encoder writes infinities and NaN as strings on request`() throws {
        struct Model: Encodable {
            var double = Double.infinity, float = -Float.infinity, list = [Double.nan, 1], optional: Float? = .nan
        }
        let ours = try text(Model()) {
            $0.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+\"",
                negativeInfinity: "-",
                nan: "n"
            )
        }
        #expect(ours == #"{"double":"+\"","float":"-","list":["n",1],"optional":"n"}"#)
    }

    @Test(.tags(.random)) func `encoded numbers are decoded as the same`() throws {
        var random = ProofLength.random(seed: 5)
        for _ in ProofLength.rounds(500) {
            let bits = Double(bitPattern: random.next())
            let digits = Double(Int64.random(in: -999_999_999...999_999_999, using: &random))
            let scale = [1, 10, 100, 1e3, 1e4, 1e6, 1e7, 1e9][Int.random(in: 0..<8, using: &random)]
            let values = [bits.isFinite ? bits : 0, digits / scale, digits * scale, (digits / scale).nextUp]
            #expect(try text(values) == foundationText(values))
            let floats = values.map { Float($0) }.filter(\.isFinite)
            #expect(try text(floats) == foundationText(floats))
        }
    }
}
