/// Decides which prior-knowledge request in clear text opens a connection to its origin, which requests share it, and
/// which requests wait for it.
///
/// libcurl can't decide that. With prior knowledge of HTTP/2, it fails every request on a reused connection (seen with
/// 7.88.1). With HTTP/2 but without prior knowledge, it asks for an upgrade on a new connection. So one request at a
/// time opens a connection with prior knowledge. The others follow on open connections and are not allowed to open one.
///
/// A value without I/O: the loop reports events to it and asks it which request may start. Sockets are those that
/// openers open.
struct PriorKnowledgeTracker<Key: Hashable, Transfer> {
    private struct Socket {
        let key: Key
        var isConnection = false
    }

    private let connectionLimit: Int
    private var lines: [Key: PriorKnowledgeLine<Transfer>] = [:]
    private var sockets: [Int32: Socket] = [:]
    /// The origins at which a queued request may start now.
    private var changed: Set<Key> = []

    /// - Parameter connectionLimit: The maximum number of connections to one origin.
    init(connectionLimit: Int) { self.connectionLimit = max(1, connectionLimit) }

    /// Whether nothing is open, active or queued.
    var isIdle: Bool { lines.isEmpty && sockets.isEmpty }
}

// MARK: Transfers

extension PriorKnowledgeTracker {
    /// Admits a new request to `key`.
    mutating func arrived(_ transfer: Transfer, at key: Key) -> PriorKnowledge.Admission {
        var line = takeLine(key)
        defer { put(line, key) }
        if line.waitingCount == 0, line.connections > 0 { return .start(line.start(.follower)) }
        if line.waitingCount == 0, !line.hasOpener { return .start(line.start(.opener)) }
        return .wait(line.wait(transfer))
    }

    /// Handles a follower that found no connection with room for it. Nothing of it was sent.
    ///
    /// It opens one more connection, or waits if another request is opening one or the limit is reached. It can't be
    /// refused forever: an opener is never refused, and a queued request starts only after something has changed.
    mutating func refused(_ transfer: Transfer, at key: Key) -> PriorKnowledge.Admission {
        var line = takeLine(key)
        defer { put(line, key) }
        line.started -= 1
        // Without active transfers nothing would change. libcurl makes room by itself, as no connection is in use.
        if !line.hasOpener, line.connections < connectionLimit || line.started == 0 {
            return .start(line.start(.opener))
        }
        return .wait(line.wait(transfer))
    }

    /// Handles an opener that is about to send. Its sockets are connections, and from now on it is a follower.
    mutating func opened(at key: Key) {
        for (number, socket) in sockets where socket.key == key && !socket.isConnection {
            sockets[number]?.isConnection = true
            lines[key]?.connections += 1
        }
        lines[key]?.hasOpener = false
        callAll(key)
    }

    /// Handles the end of an active transfer, successful or not. An opener that ends as an opener has made no
    /// connection.
    mutating func ended(_ role: PriorKnowledge.Role, at key: Key) {
        var line = takeLine(key)
        line.started -= 1
        if role == .opener { line.hasOpener = false }
        line.passes += 1
        put(line, key)
        if role == .opener { callAll(key) } else { changed.insert(key) }
    }

    /// Removes a queued request that was cancelled or timed out.
    mutating func left(_ ticket: PriorKnowledge.Ticket, at key: Key) {
        var line = takeLine(key)
        line.leave(ticket)
        put(line, key)
    }

    /// Starts the next queued request that may start now, and returns it.
    mutating func next() -> (transfer: Transfer, role: PriorKnowledge.Role)? {
        while let key = changed.first {
            var line = takeLine(key)
            let next = line.next()
            put(line, key)
            if let next { return next }
            changed.remove(key)
        }
        return nil
    }

    private mutating func callAll(_ key: Key) {
        guard let line = lines[key] else { return }
        lines[key]?.passes = line.waitingCount
        changed.insert(key)
    }

    // The value is taken out so that it is changed in place. An empty one is not stored.
    private mutating func takeLine(_ key: Key) -> PriorKnowledgeLine<Transfer> {
        lines.removeValue(forKey: key) ?? PriorKnowledgeLine()
    }

    private mutating func put(_ line: PriorKnowledgeLine<Transfer>, _ key: Key) {
        if !line.isIdle { lines[key] = line }
    }
}

// MARK: Sockets

extension PriorKnowledgeTracker {
    /// Called when the opener at `key` has opened a socket.
    mutating func didOpen(_ socket: Int32, at key: Key) { sockets[socket] = Socket(key: key) }

    /// Called before any socket is closed.
    mutating func willClose(_ socket: Int32) {
        guard let closed = sockets.removeValue(forKey: socket), closed.isConnection else { return }
        var line = takeLine(closed.key)
        line.connections -= 1
        put(line, closed.key)
        changed.insert(closed.key)
    }
}
