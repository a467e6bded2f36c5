public import HeliumServer
public import Logging

/// Runs `body` with a server that listens, and returns when both have ended.
///
/// The server stops when `body` returns or throws, and when the surrounding task is cancelled; every connection is
/// closed by then.
///
/// - Parameters:
///   - configuration: where it listens (by default on a free port of 127.0.0.1) and what it serves
///   - logger: the server's; by default nothing is logged
///   - isolation: the caller's, in which `body` runs
///   - body: gets the server when it is ready
/// - Throws: what `body` throws; else what the server could not start or go on with (`EmbeddedServerError`).
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
            // The first failure is the one that matters; the server's end must not hide it.
            _ = await group.nextResult()
            throw error
        }
        group.cancelAll()
        try await group.waitForAll()
        return value
    }
}
