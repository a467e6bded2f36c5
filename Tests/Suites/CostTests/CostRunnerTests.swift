import Foundation
import FuzzSupport
import TestSupport
import Testing

/// Runs some cases of `make cost` with small inputs. It counts instructions, so that a loaded machine
/// changes nothing.
@Suite("Cost of long inputs", .timeLimit(.minutes(10)))
struct CostRunnerTests {
    private static let valgrind = ["/usr/bin/valgrind", "/usr/local/bin/valgrind"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let isRequired = ProcessInfo.processInfo.environment["CI"] != nil

    /// In one process: it takes longer to start than to measure.
    @Test(
        "twice the length costs some parsers at most 2.5 times as many instructions, and a cost that grows with its square is found",
        .enabled(if: valgrind || isRequired, "valgrind counts the instructions: apt-get install valgrind")
    )
    func quickPatterns() async throws {
        let parsers = ["retry-after", "content-range"]
        let cases = (parsers + ["square"]).flatMap { ["--only", $0] }
        let run = try await ProgramRun(["cost", "--quick", "--bytes", "256"] + cases, limit: .seconds(480))
        #expect(run.status == 1, "\(run.output)")
        for parser in parsers {
            #expect(run.output.contains(try Regex("cost: \(parser): [1-9][0-9]* patterns, 0 too expensive")))
        }
        #expect(run.output.contains("FOUND square"), "\(run.output)")
    }

    @Test("the bodies of the table of costs are accepted and refused by a call, and no response is too long")
    func largestBodies() async throws {
        let run = try await ProgramRun(["cost", "--largest", "--quick", "--part", "12/99"], limit: .seconds(480))
        #expect(run.status == 0, "\(run.output)")
        #expect(
            run.output.contains(
                try Regex(
                    "cost: [1-9][0-9]* bodies to a share of 99 calls, [1-9][0-9]* accepted, [1-9][0-9]* reads: 0 faults"
                )
            )
        )
    }

    @Test("inputs have the requested length, and each repetition its number")
    func patterns() {
        let pattern = CostPattern("[‹{\"id\":\"¤\"},›0]")
        let input = String(decoding: pattern.input(bytes: 100), as: UTF8.self)
        #expect(input.hasPrefix(#"[{"id":"1000000"},{"id":"1000001"},"#) && input.hasSuffix(",0]"))
        #expect(100...120 ~= input.utf8.count)
        // A mark behind a sign makes one character with it.
        let marks = CostPattern("\"‹\(CostPattern.marks)›\"").input(bytes: 100)
        #expect(marks.count >= 98 && marks.first == 0x22 && marks.last == 0x22)
        let two = CostPattern("‹a›-‹b›").input(bytes: 101)
        #expect(two == Array(repeating: 0x61, count: 50) + [0x2D] + Array(repeating: 0x62, count: 50))
        #expect(Set(CostCase.all.map(\.name)).count == CostCase.all.count)
    }
}
