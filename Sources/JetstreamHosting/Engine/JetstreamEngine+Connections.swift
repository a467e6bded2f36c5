internal import HeliumJSON
internal import HeliumServerKit
internal import HeliumWebSocketFraming

/// The close codes of the protocol (Docs/Protocols/Jetstream.md §1.4).
enum JetstreamCloseCode {
    /// The connection or its session is rejected.
    static let refused: UInt16 = 4096
    /// The session has ended.
    static let sessionClosed: UInt16 = 4097
}

// MARK: Beginning and ending

extension JetstreamEngine {
    /// The parameter that contains the session token, from the header `X-Jetstream-SessionToken`.
    private static let tokenParameter = "sessiontoken"
    /// The maximum number of consecutive unusable frames.
    private static let maximumUnusable = 100

    mutating func opened(_ id: Int, _ connection: Connection) {
        connections[id] = connection
        let parameters = connection.parameters
        timers.insert(.handshake(connection: id), at: now + settings.limits.handshake)
        if let name = refusals.connection.first(where: { parameters[$0]?.lenientFlag == true }) {
            return refuse(id, Self.refusal(by: name))
        }
        guard settings.questions.contains(.connection) else { return admit(id) }
        var asked = parameters
        asked.removeValue(named: Self.tokenParameter)
        _ = ask(.connection(id), .connection(asked))
    }

    static func refusal(by name: String) -> JetstreamRefusal {
        JetstreamRefusal("rejected by the parameter \(name.excerpt(32))", type: "rejected")
    }

    /// Continues with an accepted connection.
    mutating func admit(_ id: Int) {
        guard let connection = connections[id] else { return }
        if case .string(let token)? = connection.parameters[Self.tokenParameter] {
            resume(id, token: token)
        } else {
            connections[id]?.phase = .awaitsCreate
        }
        takeWaitingFrames(of: id)
    }

    /// Closes a connection with an error object as the reason.
    mutating func refuse(_ id: Int, _ refusal: JetstreamRefusal) {
        close(id, code: JetstreamCloseCode.refused, reason: refusal.closeReason)
    }

    /// Takes a place for a connection among the authenticated ones, or closes it.
    ///
    /// The caller has changed nothing yet: a connection without a place must neither end another one nor make a session.
    ///
    /// - Returns: Whether the connection has a place.
    mutating func authenticate(_ id: Int) -> Bool {
        guard let connection = connections[id] else { return false }
        if connection.authenticate() { return true }
        close(id, code: CloseCode.tryAgainLater, reason: "there are too many connections")
        return false
    }

    mutating func close(_ id: Int, code: UInt16, reason: String = "") {
        guard let connection = connections[id] else { return }
        if case .over = connection.phase { return }
        connections[id]?.phase = .over
        for _ in connection.frames { actions.append(.received(id)) }
        connections[id]?.frames = []
        actions.append(.close(id, code: code, reason: reason))
    }

    mutating func closed(_ id: Int) {
        guard let connection = connections.removeValue(forKey: id), case .open(let session) = connection.phase else {
            return
        }
        // The original server also clears the socket of a resumed session (Docs/Protocols/Jetstream.md §5.5).
        let isCurrent = sessions[session]?.connection == id
        if settings.hasOriginalRules || isCurrent { sessions[session]?.connection = nil }
        if isCurrent { noteIdle(session) }
    }

    mutating func decided(_ question: Int, _ refusal: JetstreamRefusal?) {
        switch questions.removeValue(forKey: question) {
        case nil: break
        case .connection(let id)?:
            guard case .asked? = connections[id]?.phase else { return }
            if let refusal { refuse(id, refusal) } else { admit(id) }
        case .session(let id, let info)?:
            guard case .creates? = connections[id]?.phase else { return }
            createSession(info, on: id, refusal: refusal)
            takeWaitingFrames(of: id)
        case .fetch(let session, let index, let scope)?:
            sessions[session]?.question = nil
            finishFetch(index, of: scope, in: session, refusal: refusal)
            goOn(session)
            // Its entry may have been dropped while the fetch was decided.
            if sessions[session] != nil, sessions[session]?.connection == nil { noteIdle(session) }
        }
    }
}

// MARK: Frames

extension JetstreamEngine {
    mutating func received(_ bytes: [UInt8], on id: Int) {
        guard let connection = connections[id] else { return }
        switch connection.phase {
        case .asked, .creates:
            connections[id]?.frames.append(bytes)
        case .awaitsCreate:
            handshake(bytes, on: id)
            actions.append(.received(id))
        case .open(let session):
            if sessions[session]?.question != nil {
                sessions[session]?.frames.append((id, bytes))
            } else {
                read(bytes, on: id, session)
            }
        case .denied, .over:
            actions.append(.received(id))
        }
    }

    private mutating func takeWaitingFrames(of id: Int) {
        guard let frames = connections[id]?.frames, !frames.isEmpty else { return }
        connections[id]?.frames = []
        for frame in frames { received(frame, on: id) }
    }

    /// Reads a frame of a session.
    mutating func read(_ bytes: [UInt8], on id: Int, _ session: Int) {
        let messages = ClientFrame.messages(
            bytes,
            maximumFragments: settings.limits.fragmentsPerMessage,
            hasOriginalRules: settings.hasOriginalRules
        )
        guard let messages else {
            noteUnusable(id)
            return actions.append(.received(id))
        }
        connections[id]?.unusable = 0
        sessions[session]?.lastSeen = now
        take(messages[...], from: id, in: session)
    }

    private mutating func noteUnusable(_ id: Int) {
        guard !settings.hasOriginalRules else { return }
        connections[id]?.unusable += 1
        guard let count = connections[id]?.unusable, count >= Self.maximumUnusable else { return }
        close(id, code: CloseCode.policyViolation, reason: "\(count) frames in a row could not be used")
    }

    /// Reads the first frame of a connection without a token, which must be a single SessionCreate
    /// (Docs/Protocols/Jetstream.md §1.8).
    private mutating func handshake(_ bytes: [UInt8], on id: Int) {
        guard let value = ClientFrame.value(bytes) else { return refuse(id, .notJSON) }
        guard case .object(let object) = value, object["type"] == "SessionCreate",
            ClientMessage.index(object["index"]) != nil, let parameters = ClientMessage.parameters(object["params"])
        else { return refuse(id, .notAHandshake) }
        guard case .string(let version)? = object["version"], SemanticVersion.isValid(version) else {
            return refuse(id, .badVersion)
        }
        let info = JetstreamSessionInfo(
            id: nextSession(),
            connection: connections[id]?.parameters ?? [:],
            parameters: parameters
        )
        if let name = refusals.session.first(where: { parameters[$0]?.lenientFlag == true }) {
            return createSession(info, on: id, refusal: Self.refusal(by: name))
        }
        guard settings.questions.contains(.session) else { return createSession(info, on: id, refusal: nil) }
        connections[id]?.phase = .creates
        _ = ask(.session(id, info), .session(info))
    }
}

/// Semantic versions according to <https://semver.org>.
enum SemanticVersion {
    /// Returns whether a text is a complete version: three numbers, with optional pre-release and build metadata.
    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 256 else { return false }
        var rest = text.utf8[...]
        for position in 0..<3 {
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard !digits.isEmpty, digits.count == 1 || digits.first != 0x30 else { return false }
            rest = rest[digits.endIndex...]
            if position < 2 {
                guard rest.popFirst() == UInt8(ascii: ".") else { return false }
            }
        }
        guard let mark = rest.popFirst() else { return true }
        let parts = rest.split(separator: UInt8(ascii: "+"), maxSplits: 1, omittingEmptySubsequences: false)
        switch mark {
        case UInt8(ascii: "-"): return parts.allSatisfy(areIdentifiers)
        case UInt8(ascii: "+"): return parts.count == 1 && areIdentifiers(rest)
        default: return false
        }
    }

    private static func areIdentifiers(_ text: Substring.UTF8View) -> Bool {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { identifier in
            !identifier.isEmpty
                && identifier.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
                    default: false
                    }
                }
        }
    }
}
