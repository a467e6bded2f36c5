import Foundation
import Synchronization
import TestSupport
import Testing

/// `helium jetstream serve` as a process that is killed.
final class ServerProcess: Sendable {
    let url: URL
    private let identifier: Int32
    private let log: URL
    /// The reason for the end and the status or signal, once the process has ended.
    private let end: AsyncStream<End>
    private let isOver = Atomic(false)

    private init(url: URL, identifier: Int32, log: URL, end: AsyncStream<End>) {
        (self.url, self.identifier, self.log, self.end) = (url, identifier, log, end)
    }

    struct End: Equatable {
        let reason: Process.TerminationReason
        let status: Int32

        static let killed = End(reason: .uncaughtSignal, status: SIGKILL)
    }

    /// Starts a server on a free port, and returns when it listens.
    ///
    /// The thread that starts the process waits for its end too: Foundation may miss an end that another thread waits for.
    static func start(scopes: String, store: String) async throws -> ServerProcess {
        let (end, ended) = AsyncStream<End>.makeStream()
        let log = URL(filePath: store + ".log")
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let process = Process()
                do {
                    let url = try listen(process, scopes: scopes, store: store, log: log)
                    let server = ServerProcess(url: url, identifier: process.processIdentifier, log: log, end: end)
                    continuation.resume(returning: server)
                    process.waitUntilExit()
                    server.isOver.store(true, ordering: .sequentiallyConsistent)
                    ended.yield(End(reason: process.terminationReason, status: process.terminationStatus))
                } catch {
                    continuation.resume(throwing: error)
                }
                ended.finish()
            }
        }
    }

    private static func listen(_ process: Process, scopes: String, store: String, log: URL) throws -> URL {
        process.executableURL = BuiltProducts.executable("helium")
        process.arguments = ["jetstream", "serve", "--scope", scopes, "--store", store, "--port", "0"]
        // The tool that prints a crash waits for ever if what crashed is killed meanwhile, and we for the tool.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        try Data().write(to: log)
        process.standardError = try FileHandle(forWritingTo: log)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while !line.contains(10) {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { throw POSIXError(.ECONNREFUSED) }
            line += bytes
        }
        let ready = try JSONDecoder().decode(Ready.self, from: line)
        return try #require(URL(string: ready.jetstream.webSocket))
    }

    /// Whether the process has ended.
    var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

    /// Ends the process without giving it a chance to do anything. Its number may be another's once it has ended.
    func killNow() {
        if !hasEnded { kill(identifier, SIGKILL) }
    }

    /// Waits until the process has ended, and returns how; `nil` if it was asked before.
    @discardableResult
    func waitForEnd() async -> End? { await end.first { _ in true } }

    /// The text of the standard error of the server.
    var errorText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    private struct Ready: Decodable {
        struct Jetstream: Decodable {
            let webSocket: String
        }

        let jetstream: Jetstream
    }
}
