internal import HeliumCore
internal import HeliumJSON

// MARK: Opening and closing

extension ConnectionMachine {
    mutating func socketOpened() {
        opened = (now, session != nil)
        lastHeard = now
        hasHeard = false
        isReadingPaused = false
        if session == nil {
            socket = .creating
            send(.sessionCreate(.init(parameters: parameters)))
        } else {
            socket = .resuming
            session?.repairSince = now
            ping(resendMissing: true)
        }
    }

    mutating func socketClosed(_ end: SocketEnd) {
        let phase = socket
        socket = .none
        let isFatal = end.code == 4096 || end.code == 4097
        guard session != nil else {
            if isFatal, phase == .creating { denied(end) }
            return
        }
        if isFatal {
            loseSession("the server ended the session", end.errorObject, end.error)
        } else if end.error?.kind == .ceilingExceeded {
            receivedTooMuch(end.error)
        } else if end.error?.kind == .timedOut, phase == .resuming {
            // The transport may have given up on receiving a message, which the server would send again.
            repairTookTooLong()
        } else if opened.withToken, !hasHeard, phase != .closing, end.code == 1002 || end.code == 1006,
            now - opened.at <= settings.denialTime
        {
            likelyDenials += 1
            if likelyDenials >= settings.likelyDenials {
                loseSession("the server appears to reject the session's token", nil, end.error)
            }
        }
    }

    /// Handles a socket that was closed with 4096 or 4097 before there was a session.
    private mutating func denied(_ end: SocketEnd) {
        let server = end.errorObject
        // The first frame arrived too late. Another socket may be faster.
        if let type = server?.type, type.hasSameBytes(as: "session-establish-timedout") { return }
        self.end(
            JetstreamError(
                .connectionDenied,
                "the server refused the connection",
                server: server,
                delivery: .answered,
                underlying: end.error
            )
        )
    }

    /// Closes the socket, so that the shell opens another.
    mutating func dropSocket() {
        guard socket != .none, socket != .closing else { return }
        socket = .closing
        actions.append(.closeSocket)
    }
}

extension SocketEnd {
    /// The error object in the close reason (Docs/Protocols/Jetstream.md §1.8). A reason that is not an error object
    /// becomes its message.
    var errorObject: ErrorObject? {
        if let json = try? JSONValue(parsing: reason), let message = json["message"]?.stringValue {
            return ErrorObject(message: message, type: json["type"]?.stringValue)
        }
        return reason.isEmpty ? nil : ErrorObject(message: reason)
    }
}

// MARK: Time

extension ConnectionMachine {
    mutating func timePassed() {
        guard socket == .creating || socket == .resuming || socket == .live else { return }
        if !isReadingPaused, now >= lastHeard + settings.watchdog {
            // The messages that the server resends may be too much for the link each time.
            return socket == .resuming ? repairTookTooLong() : dropSocket()
        }
        if !isReadingPaused, let since = session?.repairSince, now >= since + settings.replyLimit {
            return repairTookTooLong()
        }
        guard socket == .live else { return }
        if now >= nextPing { ping() }
        if !isReadingPaused { checkReplies() }
    }

    /// Restarts all waits for the server: after a pause its messages are unread, and a part of a frame shows that it is
    /// alive.
    mutating func waitAgain() {
        lastHeard = now
        liveSince = now
        if session?.repairSince != nil { session?.repairSince = now }
    }

    private mutating func repairTookTooLong() {
        session?.repairSince = nil
        session?.unansweredRepairs += 1
        guard (session?.unansweredRepairs ?? 0) >= settings.repairs else { return dropSocket() }
        let message = "the server does not resend the missing messages"
        blameFetch(
            JetstreamError(.unanswered, "the state of the scope does not arrive: \(message)", delivery: .maybeSent)
        )
        loseSession(message, nil, nil)
    }

    /// The time at which a reply is overdue (Docs/Protocols/Jetstream.md §1.9). Time without a connection does not
    /// count.
    var replyDeadline: Duration? {
        var earliest: Duration?
        for scope in scopes.values where scope.isWaiting {
            let deadline = max(scope.lastProgress, liveSince) + settings.replyLimit
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    private mutating func checkReplies() {
        for id in scopeOrder {
            guard let scope = scopes[id], scope.isWaiting,
                now >= max(scope.lastProgress, liveSince) + settings.replyLimit
            else { continue }
            if !scope.didResume {
                scopes[id]?.didResume = true
                return dropSocket()
            }
            if scope.sent.isEmpty {
                fetchTookTooLong(id)
            } else {
                return loseSession("the server does not reply to a change set", nil, nil)
            }
        }
    }

    /// Fails only the fetch.
    ///
    /// Another attempt, in this or in another session, would probably wait as long. In addition, the original server
    /// counts each request as a separate listener (Docs/Protocols/Jetstream.md §7 no 9). The caller may fetch again.
    private mutating func fetchTookTooLong(_ id: ScopeID) {
        let error = JetstreamError(
            .unanswered,
            "the server does not respond to the fetch of a scope",
            delivery: .maybeSent
        )
        if case .fetching(let index)? = scopes[id]?.phase { stopWaiting(index) }
        refuseFetch(id, error)
    }

    /// Acknowledges the received messages and chooses a random time for the next ping.
    mutating func ping(resendMissing: Bool = false) {
        guard let last = session?.lastReceived else { return }
        send(.ping(.init(ack: last, resendMissing: resendMissing)))
        session?.unacknowledged = (0, 0)
        let (shortest, longest) = (settings.pingInterval.lowerBound, settings.pingInterval.upperBound)
        nextPing = now + shortest + (longest - shortest) * random.unit()
    }

    mutating func send(_ message: JetstreamMessage) { actions.append(.send(codec.text(of: message))) }
}
