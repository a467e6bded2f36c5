import Foundation
import Testing

@Suite("helium decode")
struct DecodeTests {
    private func decode(_ document: String, _ options: String...) async throws -> Tool.Outcome {
        try await decode(document, options)
    }

    private func decode(_ document: String, _ options: [String]) async throws -> Tool.Outcome {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "helium-decode-\(UUID().uuidString).json"
        )
        try Data(document.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try await Tool.run(["decode", "json", file.path] + options)
        return Tool.Outcome(
            status: outcome.status,
            stdout: outcome.stdout,
            stderr: outcome.stderr.replacingOccurrences(of: file.path, with: "FILE")
        )
    }

    @Test(
        "helium decode prints canonical JSON with sorted members and unchanged numbers",
        arguments: [
            (#" { "b" : 1.0 , "a":[ true,null, "é\u00e9\/" ] } "#, #"{"a":[true,null,"éé/"],"b":1.0}"#),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            (#""\ud83d\ude00\n""#, #""😀\n""#),
            ("[]", "[]"),
        ]
    )
    func canonical(document: String, printed: String) async throws {
        let outcome = try await decode(document)
        #expect(outcome.status == 0 && outcome.stdout == printed + "\n" && outcome.stderr.isEmpty)
    }

    @Test(
        "helium decode prints a document with equal members as received, and names the place",
        arguments: [
            (#"{ "b": 1, "a": 2, "a": 3 }"#, "\n", "1:19"), ("[{\"a\":1},\n {\"\\u0061\":1,\"a\":2}]\n", "", "2:14"),
        ]
    )
    func equalMembers(document: String, end: String, place: String) async throws {
        for options in [[], ["--pretty"]] {
            let outcome = try await decode(document, options)
            #expect(outcome.status == 0 && outcome.stdout == document + end)
            #expect(
                outcome.stderr
                    == "helium: FILE:\(place): an object has two members with this name: the document is printed as received\n"
            )
        }
    }

    @Test("helium decode indents JSON on request")
    func pretty() async throws {
        let outcome = try await decode(#"{"b":[1],"a":{}}"#, "--pretty")
        #expect(outcome.stdout == "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}\n")
    }

    @Test("helium decode reports an error with line, column and a caret, and exits with 1")
    func wrong() async throws {
        let outcome = try await decode("{\n  \"name\": \"Größe\" \"tag\"\n}\n")
        #expect(outcome.status == 1 && outcome.stdout.isEmpty)
        #expect(
            outcome.stderr == """
                helium: FILE:2:19: expected a comma or '}', found '"' (byte 22)
                  "name": "Größe" "tag"
                                  ^

                """
        )
    }

    @Test("helium decode shows only a part of a long line, without control characters")
    func excerpt() async throws {
        let outcome = try await decode("[" + String(repeating: "1,", count: 10_000) + "\"\u{1B}[2J\"]")
        let lines = outcome.stderr.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(outcome.status == 1)
        #expect(
            lines.first
                == "helium: FILE:1:20003: the control character byte 0x1B is not escaped in a string (byte 20002)"
        )
        #expect(lines[1].hasPrefix("…") && lines[1].count <= 78 && lines[1].hasSuffix("1,\"·[2J\"]"))
        #expect(lines[2].hasSuffix("^") && lines[2].count == lines[1].count - 5)
    }

    @Test("helium decode refuses duplicates and deep nesting if its options say so")
    func options() async throws {
        #expect(try await decode(#"{"a":1,"a":1}"#, "--refuse-duplicates").status == 1)
        #expect(try await decode("[[[]]]", "--max-depth", "2").stderr.contains("FILE:1:3"))
        #expect(try await decode("[]", "--max-depth", "0").status == 64)
    }

    @Test("a missing argument is a usage error of helium decode, and an unreadable file is not")
    func usage() async throws {
        let missing = try await Tool.run(["decode", "json", "/nonexistent/document.json"])
        #expect(missing.status == 1 && missing.stderr.contains("can't be read"))
        #expect(try await Tool.run(["decode", "json"]).status == 64)
    }
}
