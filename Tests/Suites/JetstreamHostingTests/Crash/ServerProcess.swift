import Foundation
import TestSupport
import Testing

/// `helium jetstream serve` as a process that is killed.
struct ServerProcess {
    let url: URL
    private let identifier: Int32
    /// Ends when the process has ended.
    private let end: AsyncStream<Void>

    /// Starts a server on a free port, and returns when it listens.
    ///
    /// The thread that starts the process waits for its end too: Foundation may miss an end that another thread waits for.
    static func start(scopes: String, store: String) async throws -> ServerProcess {
        let (end, ended) = AsyncStream<Void>.makeStream()
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let process = Process()
                do {
                    let url = try listen(process, scopes: scopes, store: store)
                    continuation.resume(
                        returning: ServerProcess(url: url, identifier: process.processIdentifier, end: end)
                    )
                    process.waitUntilExit()
                } catch {
                    continuation.resume(throwing: error)
                }
                ended.finish()
            }
        }
    }

    private static func listen(_ process: Process, scopes: String, store: String) throws -> URL {
        process.executableURL = BuiltProducts.executable("helium")
        process.arguments = ["jetstream", "serve", "--scope", scopes, "--store", store, "--port", "0"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
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

    /// Ends the process without giving it a chance to do anything.
    func killNow() { kill(identifier, SIGKILL) }

    /// Waits until the process has ended.
    func waitForEnd() async {
        for await _ in end {}
    }

    private struct Ready: Decodable {
        struct Jetstream: Decodable {
            let webSocket: String
        }

        let jetstream: Jetstream
    }
}
