import Foundation
import TestSupport

/// The built `helium` tool as users run it: a process of its own.
enum Tool {
    struct Outcome: Sendable {
        let status: Int32
        let stdout: String
        let stderr: String
    }

    /// The executable that was built beside the tests.
    static var executable: URL { BuiltProducts.executable("helium") }

    /// A process that is not started yet, with nothing of our environment but what it needs.
    static func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let inherited = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key)
        }
        process.environment = inherited.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs the tool to its end; one that takes longer than `limit` seconds is killed.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        limit: Double = 60
    ) async throws -> Outcome {
        try await run(process(arguments, environment: environment), limit: limit)
    }

    /// - Parameters:
    ///   - terminal: The standard error in place of a file.
    ///   - output: The standard output in place of a file.
    static func run(
        _ process: Process,
        limit: Double = 60,
        terminal: FileHandle? = nil,
        output: FileHandle? = nil
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files instead of pipes, because pipes would have to be read while the tool runs.
        let files = ["stdout", "stderr"].map { folder.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        process.standardOutput = try output ?? FileHandle(forWritingTo: files[0])
        process.standardError = try terminal ?? FileHandle(forWritingTo: files[1])
        try await finish(process, limit: limit)
        return Outcome(
            status: process.terminationStatus,
            stdout: try String(contentsOf: files[0], encoding: .utf8),
            stderr: try String(contentsOf: files[1], encoding: .utf8)
        )
    }

    /// Runs a command by `sh` in `folder`.
    static func shell(_ command: String, in folder: URL) async throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin", "LC_ALL": "C"]
        process.standardInput = FileHandle.nullDevice
        return try await run(process)
    }

    /// The next line of what a process prints, without its end; the rest where the process has ended.
    ///
    /// - Throws: `POSIXError` of code `ETIMEDOUT` where none comes: a read that blocks would be ended by no time limit.
    static func line(of handle: FileHandle, within limit: Duration = .seconds(60)) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try blockingLine(of: handle, before: .now + limit) })
            }
        }
    }

    private static func blockingLine(of handle: FileHandle, before end: ContinuousClock.Instant) throws -> String {
        var line = Data()
        while true {
            var wait = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 100) > 0 else {
                if ContinuousClock.now >= end { throw POSIXError(.ETIMEDOUT) }
                continue
            }
            guard let byte = try handle.read(upToCount: 1)?.first, byte != 10 else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Whether the curl tool is there.
    static let hasCurl = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static func finish(_ process: Process, limit: Double) async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let identifier = process.processIdentifier
        let killer = Task {
            try await Task.sleep(for: .seconds(limit))
            kill(identifier, SIGKILL)
        }
        for await _ in ended {}
        killer.cancel()
    }
}

/// A `helium serve` that runs for the time of a closure.
struct ServeProcess {
    struct Ready: Decodable, Sendable {
        struct Middleware: Decodable, Sendable {
            let base: String
            let devices: String
            let secret: String
            let secretID: String
        }

        struct Cosm: Decodable, Sendable {
            let base: String
            let key: String
            let webSocket: String
            let tcp: String
        }

        struct AppNet: Decodable, Sendable {
            struct User: Decodable, Equatable, Sendable {
                let username: String
                let token: String
            }

            let root: String
            let oauth: String
            let pnut: String
            let userStream: String
            let users: [User]
            let appToken: String
            let clientID: String
            let clientSecret: String
        }

        let http: String
        let middleware: Middleware
        let cosm: Cosm
        let appnet: AppNet
        let jetstream: Jetstream
        let conair: String

        struct Jetstream: Decodable, Sendable {
            let scopes: [String]
            let webSocket: String
        }
    }

    let process: Process
    let ready: Ready

    /// Starts the server, waits for its line, and stops it with `signal` when `body` ends.
    ///
    /// - Parameter descriptors: The number of descriptors that the process may have. Default: as many as this one.
    @discardableResult
    static func with<Value>(
        _ arguments: [String] = [],
        signal number: Int32 = SIGTERM,
        descriptors: Int? = nil,
        _ body: (ServeProcess) async throws -> Value
    ) async throws -> (value: Value, status: Int32) {
        let process = Tool.process(["serve", "--port", "0"] + arguments)
        if let descriptors {
            // The shell becomes the server: it keeps its process id.
            let command = "ulimit -n \(descriptors) && exec \"$0\" \"$@\""
            process.arguments = ["-c", command, Tool.executable.path] + (process.arguments ?? [])
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (ended, end) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in
            end.finish()
        }
        try process.run()
        do {
            let line = try await Tool.line(of: output.fileHandleForReading)
            let ready = try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
            let value = try await body(ServeProcess(process: process, ready: ready))
            kill(process.processIdentifier, number)
            for await _ in ended {}
            return (value, process.terminationStatus)
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
    }

    /// The options that make a request signed.
    func credentials(store: String) -> [String] {
        [
            "--secret-id", ready.middleware.secretID, "--devices-url", ready.middleware.devices, "--token-store", store,
        ]
    }

    var environment: [String: String] { ["HELIUM_SECRET": ready.middleware.secret] }

    /// The variables that make `helium cosm` use this server.
    var cosmEnvironment: [String: String] {
        [
            "COSM_BASE_URL": ready.cosm.base, "COSM_API_KEY": ready.cosm.key,
            "COSM_SOCKET_URL": ready.cosm.webSocket,
        ]
    }

    /// The variables that make `helium appnet` use this server, without a token.
    var appNetServer: [String: String] {
        ["APPNET_BASE_URL": ready.appnet.root, "APPNET_STREAM_URL": ready.appnet.userStream]
    }

    /// The same for a user's token.
    func appNetEnvironment(user: Int = 0) -> [String: String] {
        appNetServer.merging(["APPNET_TOKEN": ready.appnet.users[user].token]) { $1 }
    }
}

/// A folder for the time of a closure.
@discardableResult
func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-cli-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
