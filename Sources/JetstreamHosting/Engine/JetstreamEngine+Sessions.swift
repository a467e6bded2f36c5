internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit
internal import HeliumWebSocketFraming

// MARK: Beginning

extension JetstreamEngine {
    /// Completes a handshake with a session or with a rejection.
    mutating func createSession(_ info: JetstreamSessionInfo, on connection: Int, refusal: JetstreamRefusal?) {
        var refusal = refusal
        // The original leaves the socket of a denied session open, so that it needs a place too.
        if refusal == nil || settings.hasOriginalRules, !authenticate(connection) { return }
        if refusal == nil { refusal = makeRoom(for: connections[connection]?.client ?? "") }
        if let refusal {
            guard settings.hasOriginalRules else {
                send([.error(.sessionCreateReply, refusal)], on: connection)
                return refuse(connection, refusal)
            }
            connections[connection]?.phase = .denied
            return send([.error(.sessionCreateReply, JetstreamRefusal("Session creation denied"))], on: connection)
        }
        let token = SessionToken.token(epoch: epoch, random)
        sessions[info.id] = Session(info: info, token: token, lastSeen: now)
        tokens[token] = info.id
        store(.addSession(info, token: token))
        assign(info.id, to: connections[connection]?.client ?? "")
        timers.insert(.expiry(session: info.id), at: now + settings.limits.expiry)
        attach(connection, to: info.id)
        send([ServerMessage(.sessionCreateReply, "\"sessionToken\":\"\(token)\"")], on: connection)
    }

    /// Resumes a session on another socket. Of two sockets, the one with the later handshake remains: the other one may be
    /// served late, after its client has connected again.
    mutating func resume(_ connection: Int, token: String) {
        guard let id = tokens[token] else { return refuse(connection, .unknownToken) }
        let old = settings.hasOriginalRules ? nil : sessions[id]?.connection
        let isLate = old.map { connection < $0 } ?? false
        guard isLate || authenticate(connection) else { return }
        if let old {
            close(min(old, connection), code: CloseCode.normal, reason: "the session continues on another connection")
            if isLate { return }
        }
        sessions[id]?.lastSeen = now
        if sessions[id]?.client.isEmpty == true { assign(id, to: connections[connection]?.client ?? "") }
        attach(connection, to: id)
    }

    private mutating func attach(_ connection: Int, to id: Int) {
        connections[connection]?.phase = .open(session: id)
        sessions[id]?.connection = connection
        sessions[id]?.pingRound += 1
        schedulePing(of: id)
    }
}

// MARK: Ending

extension JetstreamEngine {
    /// Ends a session. Its token becomes invalid, and its socket is closed.
    mutating func end(_ id: Int) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        tokens[session.token] = nil
        for message in session.retained.all { retainedTotal.remove(message) }
        shares.remove(session.client)
        if let question = session.question { questions[question] = nil }
        store(.removeSession(id))
        for number in Set(session.scopes).sorted() {
            hosted[number].deadListeners += 1
            guard hosted[number].deadListeners * 2 > hosted[number].listeners.count else { continue }
            hosted[number].listeners.removeAll { sessions[$0.session] == nil }
            hosted[number].deadListeners = 0
        }
        if let rest = session.rest { actions.append(.received(rest.connection)) }
        for frame in session.frames { actions.append(.received(frame.connection)) }
        if let connection = session.connection { close(connection, code: JetstreamCloseCode.sessionClosed) }
    }
}

// MARK: Sending

extension JetstreamEngine {
    /// The approximate size of a frame, in bytes, when several messages are sent at once.
    private static let frameBytes = 1 << 20

    /// Sends messages outside the sequence.
    mutating func send(_ messages: [ServerMessage], on connection: Int) {
        actions.append(.send(connection, ServerFrame(messages: messages)))
    }

    /// Assigns the next index to a message and retains it until it is acknowledged. If the session has a socket, the
    /// message is sent at once, together with earlier unsent messages.
    mutating func enqueue(_ message: ServerMessage, to id: Int) {
        guard sessions[id] != nil else { return }
        var message = message
        sessions[id]?.serverIndex += 1
        message.index = sessions[id]?.serverIndex ?? 0
        sessions[id]?.retained.append(message)
        retainedTotal.add(message)
        store(.retain(session: id, message))
        touch(id)
        guard let bytes = sessions[id]?.retained.bytes, bytes <= settings.limits.retainedBytes else { return end(id) }
        if retainedTotal.bytes > settings.limits.retainedBytesOfAllSessions { endLargest() }
        sendUnsent(id)
    }

    /// Ends sessions until a quarter of the limit for all sessions is free. Those that retain the most bytes of their own
    /// end first, because a body that others retain too would stay.
    private mutating func endLargest() {
        let target = settings.limits.retainedBytesOfAllSessions / 4 * 3
        let costs = sessions.map { (id: $0.key, own: $0.value.retained.ownBytes, all: $0.value.retained.bytes) }
        for cost in costs.sorted(by: { ($1.own, $1.all, $0.id) < ($0.own, $0.all, $1.id) }) {
            guard retainedTotal.bytes > target else { return }
            end(cost.id)
        }
    }

    /// Sends the messages that were enqueued last or while the session had no socket.
    private mutating func sendUnsent(_ id: Int) {
        guard let session = sessions[id], let connection = session.connection else { return }
        let count = session.serverIndex - session.sentIndex
        guard count > 0 else { return }
        sessions[id]?.sentIndex = session.serverIndex
        sendFrames([], session.retained.newest(count), on: connection)
    }

    /// Removes the messages that the client has received.
    mutating func prune(_ id: Int, through ack: Int) {
        // In place, because a copy of the session would copy all retained messages.
        guard sessions[id]?.retained.remove(through: ack, from: &retainedTotal) == true else { return }
        store(.prune(session: id, through: ack))
    }

    /// Resends the messages that the client has not acknowledged, after a ping with the last received index
    /// (Docs/Protocols/Jetstream.md §1.6).
    mutating func sendMissing(_ id: Int) {
        guard let session = sessions[id], let connection = session.connection else { return }
        sessions[id]?.sentIndex = session.serverIndex
        let ping = ServerMessage.ping(ack: session.clientIndex, resendMissing: true)
        sendFrames([ping], session.retained.all, on: connection)
    }

    /// Sends messages in frames of about ``frameBytes``, because clients reject frames over 16 MiB. The original server
    /// sends a single array.
    private mutating func sendFrames(
        _ first: [ServerMessage],
        _ others: some Sequence<ServerMessage>,
        on connection: Int
    ) {
        var (messages, bytes) = (first, 0)
        for message in others {
            if bytes + message.cost > Self.frameBytes, bytes > 0, !settings.hasOriginalRules {
                send(messages, on: connection)
                (messages, bytes) = ([], 0)
            }
            messages.append(message)
            bytes += message.cost
        }
        send(messages, on: connection)
    }

    /// Sends fragments to all sessions that have fetched a scope, except their originator.
    mutating func broadcast(_ fragments: [Fragment], of number: Int, except originator: Int?) {
        let listeners = hosted[number].listeners.filter { $0.session != originator && sessions[$0.session] != nil }
        guard !listeners.isEmpty else { return }
        let text = JSONValue.array(fragments.map(\.value)).text()
        let body = ServerMessage.Body(number: nextBody(), bytes: Array("\"fragments\":\(text)".utf8))
        for listener in listeners {
            enqueue(ServerMessage(kind: .scopeSync, number: listener.scopeIndex, body: body), to: listener.session)
        }
    }
}

// MARK: Time

extension JetstreamEngine {
    /// Handles the timers that are due.
    mutating func fireTimers() {
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .received(let connection):
                actions.append(.received(connection))
            case .handshake(let connection):
                switch connections[connection]?.phase {
                case .asked?, .awaitsCreate?: refuse(connection, .lateHandshake)
                default: break
                }
            case .ping(let id, let round):
                guard let session = sessions[id], session.pingRound == round, let connection = session.connection else {
                    continue
                }
                send([.ping(ack: session.clientIndex, resendMissing: false)], on: connection)
                schedulePing(of: id)
            case .expiry(let id):
                guard let session = sessions[id] else { continue }
                let time = session.lastSeen + settings.limits.expiry
                if time <= now { end(id) } else { timers.insert(.expiry(session: id), at: time) }
            }
        }
    }

    /// Returns a random interval of 9 to 11 seconds. Pings are sent regardless of other messages.
    func pingInterval() -> Duration { .seconds(9) + .milliseconds(Int64(random.unit() * 2000)) }

    private mutating func schedulePing(of id: Int) {
        guard let round = sessions[id]?.pingRound else { return }
        timers.insert(.ping(session: id, round: round), at: now + pingInterval())
    }
}
