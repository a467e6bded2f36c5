import Foundation
import HeliumKit
import Testing

@testable import HeliumCLI

@Suite("Text of the tool's output")
struct OutputTextTests {
    private static let hostile = "a\nhelium: forged\u{1B}[2J\u{9B}2J\u{202E}"
    private static let escaped = #"a\nhelium: forged\u{1b}[2J\u{9b}2J\u{202e}"#

    @Test("an interpolated value can neither add a line nor control a terminal")
    func interpolation() {
        struct Failure: Error, CustomStringConvertible { let description: String }
        let text: OutputText = "one\ntwo \(Self.hostile) \(Failure(description: Self.hostile)) \(7)"
        #expect(text.text == "one\ntwo \(Self.escaped) \(Self.escaped) 7")
        let outer: OutputText = "<\(text)>"
        #expect(outer.text == "<\(text.text)>", "text that is escaped keeps its lines")
        #expect(OutputText(line: Self.hostile).text == Self.escaped)
    }

    @Test("a row of cells is one line, and a list of texts has one line for each")
    func rows() {
        #expect(TextTable.row(["a", nil, Self.hostile, ""]).text == "a  \(Self.escaped)  -")
        #expect([OutputText(line: Self.hostile), "b"].joinedLines().text == "\(Self.escaped)\nb")
        #expect([OutputText]().joinedLines().text == "")
    }

    @Test("the text of a progress line cannot control a terminal")
    func progress() throws {
        let errors = try FileHandle.temporary()
        let console = Console(output: try .temporary(), error: errors)
        let terminal = Terminal(isTerminal: true, width: 80) { console.writeError($0) }
        terminal.redraw("\(Self.hostile)")
        #expect(try errors.contents() == "\r\(Self.escaped)\u{1B}[K")
    }

    @Test("a JSON document is the same document without unsafe characters")
    func json() throws {
        let text = OutputText(json: "{\"a\":\"\u{9B}2J\"}").text
        #expect(text == #"{"a":"\u009b2J"}"#)
        #expect(try JSONValue(parsing: text)["a"]?.stringValue == "\u{9B}2J")
    }

    @Test("the message of a failure is escaped once in JSON")
    func failure() throws {
        struct Failure: Error, CustomStringConvertible { let description: String }
        let errors = try FileHandle.temporary()
        let context = CommandContext(output: try .temporary(), error: errors)
        CommandContext.$current.withValue(context) {
            _ = FailureReport(format: .json).show(Failure(description: Self.hostile))
        }
        let document = try errors.contents()
        #expect(try JSONValue(parsing: document)["message"]?.stringValue == Self.hostile)
        #expect(document.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x0A })
    }

    @Test("known secrets are masked on standard error, from four bytes on, in each of their encodings")
    func masks() throws {
        let errors = try FileHandle.temporary()
        let console = Console(output: try .temporary(), error: errors)
        console.secrets.add(["s3cret/value", "four", "abc"])
        let text = "a s3cret/value"
        console.note("helium: \(text) and s3cret%2Fvalue, four, abc")
        console.report("S3CRET/VALUE")
        #expect(try errors.contents() == "helium: a [redacted] and [redacted], [redacted], abc\n[redacted]\n")
    }
}
