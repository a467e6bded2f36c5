public import HeliumServer
public import Logging

/// Runs `body` with a server that listens, and returns when both have ended.
///
/// The server stops when `body` returns or throws, and when the surrounding task is cancelled. All connections are
/// closed when this function returns.
///
/// - Parameters:
///   - configuration: The addresses to listen on and the settings of the protocols. Default: a free port of 127.0.0.1.
///   - logger: The server's logger. Default: nothing is logged.
///   - isolation: The caller's actor, on which `body` runs.
///   - body: A closure that receives the server when it is ready.
/// - Throws: The error that `body` throws; otherwise `EmbeddedServerError` if the server could not start or failed
///   while it was running.
public func withEmbeddedServer<Value>(
    _ configuration: EmbeddedServerConfiguration = EmbeddedServerConfiguration(),
    logger: Logger = Logger(label: "helium.server") { _ in SwiftLogNoOpLogHandler() },
    isolation: isolated (any Actor)? = #isolation,
    _ body: (RunningServer) async throws -> Value
) async throws -> Value {
    let server = try EmbeddedServer(configuration, logger: logger)
    return try await withThrowingTaskGroup(of: Void.self, isolation: isolation) { group in
        group.addTask { try await server.run() }
        let value: Value
        do {
            let running = RunningServer(server: server, ready: try await server.ready())
            value = try await body(running)
        } catch {
            group.cancelAll()
            // The error of `body` is thrown. An error of the stopping server must not replace it.
            _ = await group.nextResult()
            throw error
        }
        group.cancelAll()
        try await group.waitForAll()
        return value
    }
}
