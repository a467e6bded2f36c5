/// Runs `service` for as long as `body` takes, cancels it and waits for its end.
///
/// - Throws: What `body` throws; else what `service` throws.
package func withRunning<Value>(
    _ service: @escaping @Sendable () async throws -> Void,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
) async throws -> Value {
    let running = Task { try await service() }
    do {
        let value = try await body()
        running.cancel()
        try await running.value
        return value
    } catch {
        running.cancel()
        _ = await running.result
        throw error
    }
}
