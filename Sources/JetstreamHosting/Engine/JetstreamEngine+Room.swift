internal import HeliumServerKit

/// The sessions without a socket that have fetched nothing, by the time at which their sockets ended.
///
/// Ending them loses nothing: their clients start again with a new session. Entries are not removed when a session is
/// resumed or ends, but when they are looked at.
struct IdleSessions: Sendable {
    /// A session, and its round of pings, which changes when the session is resumed.
    struct Entry: Hashable, Sendable {
        let session: Int
        let round: Int
    }

    /// Entries in the order of time.
    private struct Line: Sendable {
        var entries: [Entry] = []
        var head = 0

        var count: Int { entries.count - head }

        mutating func next() -> Entry? {
            guard head < entries.count else { return nil }
            defer { head += 1 }
            return entries[head]
        }

        /// Removes entries that were looked at or are not valid, if they are more than the others could be.
        mutating func shrink(beyond maximum: Int, _ isValid: (Entry) -> Bool) {
            guard entries.count / 2 >= maximum else { return }
            entries = entries[head...].filter(isValid)
            head = 0
        }
    }

    private var all = Line()
    private var lines: [String: Line] = [:]

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of valid entries.
    ///   - isValid: Whether an earlier entry is still valid.
    mutating func add(_ entry: Entry, of client: String, maximum: Int, _ isValid: (Entry) -> Bool) {
        all.entries.append(entry)
        all.shrink(beyond: maximum, isValid)
        guard !client.isEmpty else { return }
        if lines[client] == nil, lines.count / 2 >= maximum {
            lines = lines.filter { $0.value.entries[$0.value.head...].contains(where: isValid) }
        }
        lines[client, default: Line()].entries.append(entry)
        lines[client]?.shrink(beyond: maximum, isValid)
    }

    /// Removes and returns the first valid entry of a client, or of all clients if `client` is `nil`.
    mutating func takeFirst(of client: String?, _ isValid: (Entry) -> Bool) -> Entry? {
        while let entry = client == nil ? all.next() : client.flatMap({ lines[$0]?.next() }) {
            if isValid(entry) { return entry }
        }
        if let client { lines[client] = nil } else { all = Line() }
        return nil
    }
}

extension JetstreamEngine {
    /// Makes room for a new session of a client.
    ///
    /// - Returns: The reason to reject the session; `nil` if there is room.
    mutating func makeRoom(for client: String) -> JetstreamRefusal? {
        if shares.isUsed(by: client), !endIdle(of: client) {
            return JetstreamRefusal("this address has too many sessions", type: "rejected")
        }
        if sessions.count >= settings.limits.sessions, !endIdle(of: nil) {
            return JetstreamRefusal("the server has too many sessions", type: "rejected")
        }
        return nil
    }

    /// Counts a session to the share of a client.
    mutating func assign(_ id: Int, to client: String) {
        guard !client.isEmpty else { return }
        sessions[id]?.client = client
        shares.add(client)
        store(.assign(session: id, client: client))
    }

    /// Records that a session has lost its socket. If it has fetched nothing, it can be ended to make room.
    mutating func noteIdle(_ id: Int) {
        guard let session = sessions[id], session.scopes.isEmpty else { return }
        let entry = IdleSessions.Entry(session: id, round: session.pingRound)
        idle.add(entry, of: session.client, maximum: settings.limits.sessions) { [sessions] in
            Self.isIdle($0, sessions)
        }
    }

    private mutating func endIdle(of client: String?) -> Bool {
        guard let entry = idle.takeFirst(of: client, { [sessions] in Self.isIdle($0, sessions) }) else { return false }
        end(entry.session)
        return true
    }

    private static func isIdle(_ entry: IdleSessions.Entry, _ sessions: [Int: Session]) -> Bool {
        guard let session = sessions[entry.session] else { return false }
        return session.connection == nil && session.scopes.isEmpty && session.question == nil
            && session.pingRound == entry.round
    }
}
