/// Decides which prior-knowledge request in clear text opens a connection to its origin, which ones share it and which
/// ones wait for it.
///
/// libcurl can't decide that. Told that HTTP/2 is known it fails with every request on a kept connection (seen with
/// 7.88.1); told no more than to use HTTP/2 it asks for an upgrade on a new one. So one request at a time opens a
/// connection, told that it speaks HTTP/2; the others follow on open connections and are not allowed to open any.
///
/// A value without I/O: the loop tells it what happened and asks it who may start. Sockets are the ones that openers
/// open.
struct PriorKnowledgeTracker<Key: Hashable, Transfer> {
    private struct Socket {
        let key: Key
        var isConnection = false
    }

    private let connectionLimit: Int
    private var lines: [Key: PriorKnowledgeLine<Transfer>] = [:]
    private var sockets: [Int32: Socket] = [:]
    /// Origins where someone may start now.
    private var changed: Set<Key> = []

    /// - Parameter connectionLimit: How many connections one origin may have at a time.
    init(connectionLimit: Int) { self.connectionLimit = max(1, connectionLimit) }

    /// Whether nothing is open, under way or waiting.
    var isIdle: Bool { lines.isEmpty && sockets.isEmpty }
}

// MARK: A transfer's way

extension PriorKnowledgeTracker {
    /// A request to `key` has come.
    mutating func arrived(_ transfer: Transfer, at key: Key) -> PriorKnowledge.Admission {
        var line = takeLine(key)
        defer { put(line, key) }
        if line.waitingCount == 0, line.connections > 0 { return .start(line.start(.follower)) }
        if line.waitingCount == 0, !line.hasOpener { return .start(line.start(.opener)) }
        return .wait(line.wait(transfer))
    }

    /// A follower found no connection with room for it; nothing of it was sent.
    ///
    /// It opens one more connection, or waits where another request does that or the limit is reached. It can't be turned
    /// away for ever: an opener is not, and who waits is called only after something has changed.
    mutating func refused(_ transfer: Transfer, at key: Key) -> PriorKnowledge.Admission {
        var line = takeLine(key)
        defer { put(line, key) }
        line.started -= 1
        // Without transfers nothing would change: libcurl makes room by itself, as no connection is in use.
        if !line.hasOpener, line.connections < connectionLimit || line.started == 0 {
            return .start(line.start(.opener))
        }
        return .wait(line.wait(transfer))
    }

    /// The opener is about to send: its sockets are connections, and it is from now on a follower like others.
    mutating func opened(at key: Key) {
        for (number, socket) in sockets where socket.key == key && !socket.isConnection {
            sockets[number]?.isConnection = true
            lines[key]?.connections += 1
        }
        lines[key]?.hasOpener = false
        callAll(key)
    }

    /// A transfer under way has ended, well or not. An opener that ends as one has made no connection.
    mutating func ended(_ role: PriorKnowledge.Role, at key: Key) {
        var line = takeLine(key)
        line.started -= 1
        if role == .opener { line.hasOpener = false }
        line.passes += 1
        put(line, key)
        if role == .opener { callAll(key) } else { changed.insert(key) }
    }

    /// One of those who wait has given up.
    mutating func left(_ ticket: PriorKnowledge.Ticket, at key: Key) {
        var line = takeLine(key)
        line.leave(ticket)
        put(line, key)
    }

    /// The next of those who wait that may start now.
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

    // Taken out, so that it is changed in place; what is empty is not kept.
    private mutating func takeLine(_ key: Key) -> PriorKnowledgeLine<Transfer> {
        lines.removeValue(forKey: key) ?? PriorKnowledgeLine()
    }

    private mutating func put(_ line: PriorKnowledgeLine<Transfer>, _ key: Key) {
        if !line.isIdle { lines[key] = line }
    }
}

// MARK: Sockets

extension PriorKnowledgeTracker {
    /// The opener at `key` has opened a socket.
    mutating func didOpen(_ socket: Int32, at key: Key) { sockets[socket] = Socket(key: key) }

    /// Any socket is closed.
    mutating func willClose(_ socket: Int32) {
        guard let closed = sockets.removeValue(forKey: socket), closed.isConnection else { return }
        var line = takeLine(closed.key)
        line.connections -= 1
        put(line, closed.key)
        changed.insert(closed.key)
    }
}
