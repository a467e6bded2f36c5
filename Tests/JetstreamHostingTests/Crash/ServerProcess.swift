import Foundation
import Testing

/// `helium jetstream serve` as a process that is killed.
struct ServerProcess {
    let url: URL
    private let process: Process

    /// Starts a server on a free port, and returns when it listens.
    static func start(scopes: String, store: String) async throws -> ServerProcess {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try blockingStart(scopes: scopes, store: store) })
            }
        }
    }

    private static func blockingStart(scopes: String, store: String) throws -> ServerProcess {
        let process = Process()
        process.executableURL = executable
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
        return ServerProcess(url: try #require(URL(string: ready.jetstream.webSocket)), process: process)
    }

    /// Ends the process without giving it a chance to do anything.
    func killNow() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private struct Ready: Decodable {
        struct Jetstream: Decodable {
            let webSocket: String
        }

        let jetstream: Jetstream
    }

    /// The tool, which is built beside the tests.
    private static var executable: URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        return folder.appending(path: "helium")
    }
}
