import Cosm
import Foundation
import HeliumJSON
import Testing

@Suite("Values of datapoints")
struct DatapointValueTests {
    @Test(
        "a text stays as it is, a JSON number becomes its shortest text",
        arguments: [
            (#""0000017""#, "0000017"), (#""20.50""#, "20.50"), (#""JEBEL ALI""#, "JEBEL ALI"), (#""""#, ""),
            ("42", "42"), ("-0", "-0"), ("20.50", "20.5"), ("20.00", "20.0"), ("0.1", "0.1"), ("1e3", "1000.0"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("0.12345678901234567890", "0.1234567890123456789"), ("1e400", "1e400"),
        ]
    )
    func texts(json: String, text: String) throws {
        #expect(try HeliumJSONDecoder().decode(DatapointValue.self, from: json).text == text)
        // Foundation's decoder hands over values, not texts.
        guard !["-0", "20.00", "1e3"].contains(json), text.utf8.count < 18, text != "1e400" else { return }
        #expect(try JSONDecoder().decode(DatapointValue.self, from: Data(json.utf8)).text == text)
    }

    @Test(
        "numbers are seen in texts that are numbers by digits alone",
        arguments: [
            ("20.5", 20.5), ("0000017", 17), ("+3", 3), (".5", 0.5), ("5.", 5), ("-1.5e2", -150), ("1E2", 100),
        ]
    )
    func numbers(text: String, number: Double) {
        #expect(DatapointValue(text).double == number)
        #expect(DatapointValue(text).decimal == Decimal(number))
    }

    @Test(
        "and in no others",
        arguments: ["", "herz", "nan", "inf", "0x1p3", "1 2", " 1", "1,5", ".", "+", "e5", "1e", "12abc"]
    )
    func noNumbers(text: String) {
        #expect(DatapointValue(text).double == nil && DatapointValue(text).decimal == nil)
    }

    @Test("a number beyond a double is a decimal still, and a double only if it is finite")
    func beyond() {
        #expect(DatapointValue("1e400").double == nil)
        #expect(DatapointValue("1e100").decimal != nil)
    }

    @Test("literals and numbers")
    func literals() {
        #expect(([20.5, 3, "x"] as [DatapointValue]).map(\.text) == ["20.5", "3", "x"])
        #expect(DatapointValue(0.1).text == "0.1" && DatapointValue(7 as UInt8).text == "7")
        #expect(DatapointValue(Decimal(25) / 10).text == "2.5")
        let text: DatapointValue = "\(1)-\(2)"
        #expect(text.text == "1-2")
    }

    @Test("is written as text")
    func written() throws {
        #expect(try HeliumJSONEncoder().encodeToString([DatapointValue(20.5)]) == #"["20.5"]"#)
    }
}
