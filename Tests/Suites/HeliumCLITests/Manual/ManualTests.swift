import Foundation
import Testing

@testable import HeliumCLI

@Suite("helium manual", .timeLimit(.minutes(5)))
struct ManualTests {
    @Test("the manual describes each command with its options, in known man macros")
    func page() async throws {
        let outcome = try await Tool.run(["manual"])
        #expect(outcome.status == 0 && outcome.stderr == "")
        #expect(!outcome.stdout.contains("ByteSize("), "a default is shown as it is written")
        let lines = outcome.stdout.split(separator: "\n")
        #expect(lines.first?.hasPrefix(".TH HELIUM 1 \"\" \"helium ") == true)
        for command in ["request <method> <path>", "appnet files get <id>", "cosm push", "serve", "demo"] {
            let isThere = lines.contains { $0.hasPrefix(".SS \"helium \(command)") }
            #expect(isThere, "\(command)")
        }
        #expect(lines.contains { $0.contains("\\fB\\-\\-output\\fR") })
        #expect(!lines.contains { $0.hasPrefix(".SS \"helium manual") })
        let requests = Set(lines.filter { $0.hasPrefix(".") }.map { String($0.dropFirst().prefix { $0 != " " }) })
        #expect(requests == ["TH", "SH", "SS", "PP", "TP", "B", "I", "RI"])
    }

    @Test("text in the manual that looks like roff is escaped")
    func escapes() {
        let command = ToolDescription.Command(
            commandName: "tool",
            abstract: ".so /etc/passwd…",
            discussion: "'quoted' \\fB\n.B \"x\" a-b",
            shouldDisplay: nil,
            subcommands: nil,
            arguments: nil
        )
        let text = ManualPage(command, version: "1").text
        #expect(text.contains(".SH NAME\ntool \\- .so /etc/passwd\\[u2026]\n"))
        #expect(text.contains(".PP\n\\&'quoted' \\efB\n\\&.B \\(dqx\\(dq a\\-b\n"))
    }
}
