import Foundation

/// A `helium serve` that runs for the time of a closure.
struct RunningServe: Sendable {
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

    let ready: Ready

    /// The number of the server's process; `nil` if it is a task.
    let processIdentifier: Int32?

    /// Starts the server as a task, waits for its line, and stops it when `body` ends.
    @discardableResult
    static func with<Value>(
        _ arguments: [String] = [],
        _ body: (RunningServe) async throws -> Value
    ) async throws -> (value: Value, status: Int32) {
        let tool = try RunningTool(["serve", "--port", "0"] + arguments, errors: .temporary())
        return try await with(tool, signal: SIGTERM, body)
    }

    /// Starts the server as a process.
    ///
    /// - Parameters:
    ///   - number: The signal that stops the server.
    ///   - descriptors: The number of descriptors that the process may have. Default: as many as this one.
    @discardableResult
    static func withProcess<Value>(
        _ arguments: [String] = [],
        signal number: Int32 = SIGTERM,
        descriptors: Int? = nil,
        _ body: (RunningServe) async throws -> Value
    ) async throws -> (value: Value, status: Int32) {
        let process = Tool.process(["serve", "--port", "0"] + arguments)
        if let descriptors {
            // The shell becomes the server: it keeps its process id.
            let command = "ulimit -n \(descriptors) && exec \"$0\" \"$@\""
            process.arguments = ["-c", command, Tool.executable.path] + (process.arguments ?? [])
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
        }
        let tool = try RunningTool(starting: process, errors: .temporary())
        return try await with(tool, signal: number, body)
    }

    private static func with<Value>(
        _ tool: RunningTool,
        signal number: Int32,
        _ body: (RunningServe) async throws -> Value
    ) async throws -> (value: Value, status: Int32) {
        do {
            let ready = try JSONDecoder().decode(Ready.self, from: Data(try await tool.line().utf8))
            let value = try await body(RunningServe(ready: ready, processIdentifier: tool.processIdentifier))
            return (value, try await tool.end(number))
        } catch {
            _ = try? await tool.end(tool.processIdentifier == nil ? SIGTERM : SIGKILL)
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
