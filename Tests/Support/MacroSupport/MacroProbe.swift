import Foundation
import Synchronization
import TestSupport

/// The program that expands macros (`Tests/Support/MacroProbe`). It starts with the first request and ends with the
/// tests.
package enum MacroProbe {
    private static let program = Mutex<Program?>(nil)

    /// Expands the macros of a source.
    ///
    /// - Throws: ``Failure`` if the program is missing, ends or does not reply. The next call starts it again.
    package static func expand(_ source: String, isSubclass: Bool = false) throws -> ExpansionResult {
        let request = try JSONEncoder().encode(ExpansionRequest(source: source, isSubclass: isSubclass))
        let reply = try program.withLock { program in
            let running = try program ?? Program()
            program = nil
            let reply = try running.reply(to: request)
            program = running
            return reply
        }
        return try JSONDecoder().decode(ExpansionResult.self, from: reply)
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A running program with its pipes.
    private final class Program {
        private static let replyMilliseconds: Int32 = 60_000

        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init() throws {
            guard let executable = BuiltProducts.macroExecutable("MacroProbe") else {
                throw Failure(description: "no program MacroProbe in \(BuiltProducts.folder.path)")
            }
            process.executableURL = executable
            // A handle instead of the pipe: its reading end stays open here too, so that writing to a program that has
            // ended raises no SIGPIPE.
            process.standardInput = input.fileHandleForReading
            process.standardOutput = output
            try process.run()
        }

        /// Sends a line and returns the next line of the output.
        func reply(to request: Data) throws -> Data {
            try input.fileHandleForWriting.write(contentsOf: request + [UInt8(ascii: "\n")])
            let handle = output.fileHandleForReading
            var reply = Data()
            while reply.last != UInt8(ascii: "\n") {
                var wait = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
                let count = poll(&wait, 1, Self.replyMilliseconds)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    kill(process.processIdentifier, SIGKILL)
                    throw Failure(description: "no reply from MacroProbe in 60 seconds")
                }
                let bytes = handle.availableData
                guard !bytes.isEmpty else { throw ended }
                reply += bytes
            }
            return reply
        }

        /// The end of the program as an error. The program writes its own reason to the standard error.
        private var ended: Failure {
            process.waitUntilExit()
            let cause = process.terminationReason == .uncaughtSignal ? "signal" : "status"
            return Failure(description: "MacroProbe ended with \(cause) \(process.terminationStatus)")
        }
    }
}
