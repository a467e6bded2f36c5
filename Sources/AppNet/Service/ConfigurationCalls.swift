public import HeliumJSON

/// The calls of the service's configuration (§2.6).
public struct ConfigurationCalls: Sendable {
    let client: AppNetClient

    /// The service's limits. Keep a copy, and ask for it once a day at most.
    ///
    /// `GET config`; no token needed. pnut.io: `GET sys/config`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get() async throws -> ServiceConfiguration { try await client.value(CallRequest(.configuration)) }

    /// The service's statistics.
    ///
    /// `GET sys/stats`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func statistics() async throws -> JSONValue { try await client.value(CallRequest(.statistics)) }

    /// How far the service has got with something that takes long.
    ///
    /// `GET sys/ops/{id}`; any token. pnut.io only.
    ///
    /// - Parameter id: The last part of ``ResponseMeta/statusURL``.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func operation(_ id: String) async throws -> JSONValue {
        try await client.value(CallRequest(.operation, ["operation": id]))
    }
}
