import Foundation
import TestSupport
import Testing

@testable import HeliumCLI

@Suite("Standard input", .timeLimit(.minutes(2)))
struct StandardInputTests {
    private func input(_ file: FileHandle) -> StandardInput { StandardInput(in: CommandContext(input: file)) }

    @Test("the bytes, the end and a stop of standard input differ")
    func parts() async throws {
        let pipe = Pipe()
        let input = input(pipe.fileHandleForReading)
        try pipe.fileHandleForWriting.write(contentsOf: Data("ab".utf8))
        #expect(try await input.next() == .bytes(Data("ab".utf8)))
        try pipe.fileHandleForWriting.close()
        #expect(try await input.next() == .end)
        input.stop()
        #expect(try await input.next() == .stopped)
    }

    @Test("a stop ends a read that waits, and a whole input is not returned then")
    func stopped() async throws {
        let pipe = Pipe()
        let input = input(pipe.fileHandleForReading)
        try pipe.fileHandleForWriting.write(contentsOf: Data("half".utf8))
        let whole = Task { try await input.readToEnd(limit: 100) }
        input.stop()
        await #expect(throws: CancellationError.self) { try await whole.value }
        try pipe.fileHandleForWriting.close()
    }

    @Test("an input that cannot be read is an error, also after its first bytes")
    func unreadable() async throws {
        let folder = try FileHandle(forReadingFrom: FileManager.default.temporaryDirectory)
        await #expect(throws: CommandFailure.self) { try await input(folder).next() }
        await #expect(throws: CommandFailure.self) { try await input(folder).readToEnd(limit: 100) }
    }

    @Test(
        "two options cannot both read standard input",
        arguments: [
            ["request", "POST", "http://127.0.0.1:9/a", "--devices-url", "http://127.0.0.1:9", "--upload", "-"],
            ["request", "POST", "http://127.0.0.1:9/a", "--devices-url", "http://127.0.0.1:9", "--json", "@-"],
            ["sign", "--device-id", "d", "--method", "POST", "--url", "http://h", "--body-file", "-"],
            ["cosm", "push", "1", "temp"], ["cosm", "create", "--file", "-"], ["cosm", "update", "1", "--file", "-"],
        ]
    )
    func twoReaders(arguments: [String]) async throws {
        let secret = arguments[0] == "cosm" ? ["--key-file", "-"] : ["--secret-id", "i", "--secret-file", "-"]
        let outcome = try await Tool.run(arguments + secret, input: "{}")
        #expect(outcome.status == 64 && outcome.stderr.contains("standard input can't be both"), "\(outcome)")
    }

    @Test("an input that is longer than its limit is an error")
    func tooLong() async throws {
        let file = try FileHandle.temporary(Data(repeating: 97, count: 101))
        await #expect(throws: CommandFailure.self) { try await input(file).readToEnd(limit: 100) }
    }

    /// A pipe whose reading end does not block, as one that is shared with such a process.
    private func nonBlockingPipe() -> Pipe {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return pipe
    }

    @Test("a pause of an input that does not block is waited for, and is not its end")
    func pause() async throws {
        let pipe = nonBlockingPipe()
        let input = input(pipe.fileHandleForReading)
        for number in 0..<50 {
            // The read begins before there is anything to read, at least almost always.
            async let next = input.next()
            try pipe.fileHandleForWriting.write(contentsOf: Data("\(number)".utf8))
            let part = try await next
            #expect(part == .bytes(Data("\(number)".utf8)))
        }
        try pipe.fileHandleForWriting.close()
        #expect(try await input.next() == .end)
    }

    @Test("helium decode waits for an input that does not block")
    func decode() async throws {
        let pipe = nonBlockingPipe()
        let run = Task { try await Tool.run(["decode", "json", "-"], inputFile: pipe.fileHandleForReading) }
        // Not a task of the pool, whose threads the command blocks.
        Thread.detachNewThread {
            for part in ["[1", ",2", "]"] { try? pipe.fileHandleForWriting.write(contentsOf: Data(part.utf8)) }
            try? pipe.fileHandleForWriting.close()
        }
        let outcome = try await run.value
        #expect(outcome == Tool.Outcome(status: 0, stdout: "[1,2]\n", stderr: ""))
    }
}
