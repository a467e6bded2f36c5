internal import AppNet
internal import GRDB
internal import HeliumCore

/// The time before which the service wants no requests, as a response with `Retry-After` has told it
/// (Docs/Protocols/MessageBeast.md §4.2). The next engine waits for it too.
struct SendingPause {
    let database: Database

    /// The longest pause that a restart keeps.
    private static let maximum = Duration.seconds(86_400)

    /// Stores a pause, unless a stored one lasts longer.
    func store(_ asked: Duration, from now: Milliseconds) throws {
        let pause = min(asked, Self.maximum)
        if let stored = try delay(after: now), stored >= pause { return }
        // With its length: a clock that was set back makes it no longer.
        try MetaTable(database: database).set(
            .sendingPause,
            "\((now + pause).value) \(Milliseconds(wallTime: pause).value)"
        )
    }

    /// The remaining time; `nil` if there is none.
    func delay(after now: Milliseconds) throws -> Duration? {
        let text = try MetaTable(database: database).value(.sendingPause) ?? ""
        let parts = text.split(separator: " ").compactMap { Int64($0) }
        guard parts.count == 2 else { return nil }
        let delay = min(parts[0] - now.value, parts[1])
        return delay > 0 ? .milliseconds(delay) : nil
    }
}

extension EngineContext {
    /// Stores how long the service asks for no requests, if it does.
    func keepPause(_ error: AppNetError, _ term: EngineLife.Term) async throws {
        guard let asked = error.rateLimit?.retryAfter else { return }
        let now = now
        try await write(term) { try SendingPause(database: $0).store(asked, from: now) }
    }
}
