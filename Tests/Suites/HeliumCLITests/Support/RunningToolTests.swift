import Foundation
import Testing

@Suite("Commands that run beside a test", .timeLimit(.minutes(5)))
struct RunningToolTests {
    @Test("reading a line after the end of a process's output fails with its standard error")
    func endOfProcess() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "echo one; echo; printf two; echo broken >&2; exit 3"]
        let tool = try RunningTool(starting: process)
        for line in ["one", "", "two"] { #expect(try await tool.line() == line) }
        let end = await #expect(throws: EndOfOutput.self) { try await tool.line() }
        #expect(end?.errors == "broken\n")
        await #expect(throws: EndOfOutput.self) { try await tool.errorLine() }
        #expect(try await tool.status() == 3)
    }

    @Test("reading a line after the end of a task's output fails with its standard error", arguments: [true, false])
    func endOfTask(isFile: Bool) async throws {
        let tool = RunningTool(["nonsense"], errors: isFile ? try .temporary() : nil)
        let end = await #expect(throws: EndOfOutput.self) { try await tool.line() }
        #expect(end?.errors.contains("nonsense") == true)
        #expect(try await tool.status() == 64)
    }

    @Test("a server that does not start fails its test with its standard error")
    func failedServer() async throws {
        let end = await #expect(throws: EndOfOutput.self) { try await RunningServe.with(["--port", "99999"]) { _ in } }
        #expect(end?.errors.contains("a port must be 0 to 65535") == true)
        let ended = await #expect(throws: EndOfOutput.self) {
            try await RunningServe.withProcess(["--port", "99999"]) { _ in }
        }
        #expect(ended?.errors.contains("a port must be 0 to 65535") == true)
    }

    @Test("the status of a task that a signal ends is the number of the signal")
    func signalledTask() async throws {
        let tool = RunningTool(["decode", "json", "-"])
        tool.signal(SIGKILL)
        try tool.closeInput()
        #expect(try await tool.status() == SIGKILL)
    }
}
