internal import AppNet
internal import GRDB
internal import HeliumCore

/// The time before which the service accepts no requests, from a response with `Retry-After`
/// (Docs/Protocols/MessageBeast.md §4.2). The next engine respects it too.
struct SendingPause {
    let database: Database

    /// The longest pause, however long the service asks for.
    static let maximum = Duration.seconds(86_400)

    /// Stores a pause, unless a stored one lasts longer.
    func store(_ asked: Duration, from now: Milliseconds) throws {
        let pause = min(asked, Self.maximum)
        if let stored = try delay(after: now), stored >= pause { return }
        // The length is stored too, so that a clock that was set back does not extend the pause.
        try MetaTable(database: database).set(
            .sendingPause,
            "\((now + pause).value) \(Milliseconds(wallTime: pause).value)"
        )
    }

    /// Returns the remaining time; `nil` if there is no pause.
    func delay(after now: Milliseconds) throws -> Duration? {
        let text = try MetaTable(database: database).value(.sendingPause) ?? ""
        let parts = text.split(separator: " ").compactMap { Int64($0) }
        guard parts.count == 2 else { return nil }
        let delay = min(parts[0] - now.value, parts[1])
        return delay > 0 ? .milliseconds(delay) : nil
    }
}

extension EngineContext {
    /// Stores the pause that an error requests, if it requests one.
    func keepPause(_ error: AppNetError, _ term: EngineLife.Term) async throws {
        guard let asked = error.rateLimit?.retryAfter else { return }
        let now = now
        try await write(term) { try SendingPause(database: $0).store(asked, from: now) }
    }
}
