import Foundation
import Testing

@testable import HeliumJSON

/// No value of a public option or parameter ends the process.
@Suite("Extreme values of JSON's options", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    private static let integers = [Int.min, -1, 0, 1, 2, .max]

    @Test("the excerpt of an error has a caret for any width and position", arguments: integers, integers)
    func excerpts(width: Int, offset: Int) {
        for text in ["", "a", "{\"é\": [1, 2\n3]}", String(repeating: "x", count: 500)] {
            let location = JSONLocation(line: offset, column: offset, byteOffset: offset)
            let lines = location.excerpt(of: Data(text.utf8), width: width).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            #expect(lines.count == 2 && lines[1].hasSuffix("^"))
        }
        let whole = JSONLocation(line: 1, column: 3, byteOffset: 2).excerpt(of: Data("abcdef".utf8), width: .max)
        #expect(whole == "abcdef\n  ^")
    }

    @Test("a document is decoded within any limits, or refused", arguments: integers)
    func limits(number: Int) async throws {
        let document = Data(#"{"a":[1,[2]],"é":{"b":null}}"#.utf8)
        for change in [
            { $0.maximumDepth = number }, { $0.maximumBytes = number }, { $0.maximumValues = number },
            { $0.maximumNameMarks = number },
        ] as [(inout JSONLimits) -> Void] {
            var decoder = HeliumJSONDecoder()
            change(&decoder.limits)
            do {
                _ = try decoder.decode(JSONValue.self, from: document)
            } catch {
                #expect(error is DecodingError)
            }
        }
        _ = DeepElements.replaced(in: document, at: [["a"]], maximumDepth: number) { _ in .null }
        let elements = HeliumJSONDecoder().elements(
            of: JSONValue.self,
            in: Chunks(["[1,[2],", "3]"]),
            maximumElementBytes: number
        )
        do { for try await _ in elements {} } catch { #expect(!"\(error)".isEmpty) }
    }

    @Test(
        "numbers and dates are written for any double",
        arguments: [-Double.infinity, -1e308, -0.0, 1e308, .infinity, .nan]
    )
    func doubles(number: Double) {
        #expect((JSONNumber(number) != nil) == number.isFinite)
        for date in [Date(timeIntervalSince1970: number), Date(timeIntervalSinceReferenceDate: number)] {
            #expect(!RFC3339.string(from: date).isEmpty)
        }
    }
}
