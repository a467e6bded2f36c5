public import AppNet
internal import GRDB
internal import HeliumJSON

extension MessageManager {
    /// Returns the limits and rules of the service that were fetched last; `nil` if they were never fetched.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func serviceConfiguration() async throws -> ServiceConfiguration? {
        let text = try await context.read { try MetaTable(database: $0).value(.serviceConfiguration) }
        return text.flatMap { try? HeliumJSONDecoder().decode(ServiceConfiguration.self, from: $0) }
    }

    /// Fetches the limits and rules of the service if they were never fetched, or if they are at least 24 hours old.
    ///
    /// - Returns: Whether they were fetched.
    /// - Throws: `AppNetError` for a request that failed repeatedly; the stored values and their date are kept in that
    ///   case. ``MessageBeastError``, `CancellationError`.
    @discardableResult
    nonisolated public func updateServiceConfiguration() async throws -> Bool {
        let term = try context.life.term()
        let now = context.now
        let last = try await context.read { try MetaTable(database: $0).value(.serviceConfigurationDate) }.flatMap {
            Int64($0)
        }
        // If the clock was set back, the update runs, so that updates do not stop.
        if let last, (0..<Self.serviceConfigurationAge).contains(now.value - last) { return false }
        let configuration = try await ReadAttempts(context: context)({ try await context.client.configuration.get() })
        let text = try HeliumJSONEncoder.bodies.encodeToString(configuration)
        try await context.write(term) { database in
            let meta = MetaTable(database: database)
            try meta.set(.serviceConfiguration, text)
            try meta.set(.serviceConfigurationDate, String(now.value))
        }
        return true
    }

    /// In milliseconds.
    private static var serviceConfigurationAge: Int64 { 86_400_000 }
}

extension MessageManager {
    /// Checks the database and returns its problems, one sentence each.
    ///
    /// The check reads the whole database, in one snapshot, and writes nothing. It finds damaged pages, broken
    /// references, and indexes that do not match their tables.
    ///
    /// - Throws: ``MessageBeastError``.
    public func check() async throws -> [String] {
        _ = try context.life.term()
        return try await context.read { try StoreCheck(database: $0).problems() }
    }

    /// Rebuilds all indexes and derived rows from the stored messages.
    ///
    /// The rows are derived in steps. If the call ends before the last one, look-ups are incomplete (``needsDerivation()``)
    /// until it is called again or the next engine is started.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    public func rebuild() async throws {
        let term = try context.life.term()
        let derivation = Rederivation(configuration: context.configuration, now: context.now)
        try await context.write(term) { database in
            try StoreCheck(database: database).rebuild()
            try MetaTable(database: database).set(.fingerprint, nil)
        }
        while try await context.write(term, { try derivation.step(in: $0) }) { try Task.checkCancellation() }
    }
}
