import Foundation
import HTTPTypes
import HeliumCore
import HeliumJSON
import JetstreamCore
import Testing

/// A connection machine with a scripted peer: it keeps the time, the frames that were sent and the deliveries.
struct MachineRig {
    static let root = UUID(uuidString: "0a5f0f6e-0c5c-4d9a-8f5e-aa0000000001") ?? UUID()

    var machine: ConnectionMachine
    var now = Duration.zero
    /// The messages that were sent since they were last taken.
    var sent: [JetstreamMessage] = []
    var deliveries: [(ScopeID, ScopeDelivery)] = []
    var news: [SessionEvent] = []
    var refusals: [JetstreamError] = []
    var closeCount = 0
    var end: JetstreamError?
    /// The last index of the server in this session.
    var serverIndex = 0
    /// The content of the store: written by each `save`, and what was sent before it was.
    var stored: StoredSession?
    private let codec = JetstreamCodec()

    init(
        random: Double = 0.5,
        stored: StoredSession? = nil,
        parameters: JSONObject = [:],
        _ change: (inout ConnectionSettings) -> Void = { _ in }
    ) {
        var settings = ConnectionSettings()
        change(&settings)
        let bits = UInt64(random * 0x1p53) << 11
        machine = ConnectionMachine(
            parameters: parameters,
            settings: settings,
            random: RandomSource { bits },
            stored: stored
        )
    }

    mutating func handle(_ event: ConnectionEvent) {
        for action in machine.handle(event, at: now) {
            switch action {
            case .save: stored = machine.storedSession
            case .send(let frame): sent += (try? codec.messages(in: frame)) ?? []
            case .closeSocket: closeCount += 1
            case .deliver(let id, let delivery): deliveries.append((id, delivery))
            case .refuse(_, let error): refusals.append(error)
            case .report(let event): news.append(event)
            case .end(let error): end = error
            }
        }
    }

    mutating func receive(_ messages: JetstreamMessage...) { receive(messages) }

    mutating func receive(_ messages: [JetstreamMessage]) { handle(.received(codec.text(of: messages))) }

    /// A frame comes that is larger than 2,000 bytes. A WebSocket with that ceiling ends; another gives it to the machine.
    mutating func receiveTooMuch(endingSocket: Bool) {
        guard !endingSocket else {
            let failure = TransportFailure(.ceilingExceeded, delivery: .answered, message: "more than 2000 bytes")
            let request = RequestSummary(method: .get, url: "ws://127.0.0.1/")
            return handle(.closed(SocketEnd(code: 1006, error: HeliumError(failure, request: request))))
        }
        let before = closeCount
        handle(.received(String(repeating: " ", count: 2001)))
        if closeCount > before { handle(.closed(SocketEnd(code: 1000))) }
    }

    /// Lets time pass up to the machine's next deadline, which must be so far away.
    mutating func passTime(_ seconds: Double) {
        now += .milliseconds(Int64(seconds * 1000))
        handle(.timePassed)
    }

    mutating func takeSent() -> [JetstreamMessage] {
        defer { sent = [] }
        return sent
    }

    mutating func takeDeliveries() -> [(ScopeID, ScopeDelivery)] {
        defer { deliveries = [] }
        return deliveries
    }

    mutating func nextServerIndex() -> Int {
        serverIndex += 1
        return serverIndex
    }
}

// MARK: Usual beginnings

extension MachineRig {
    /// Opens a socket and a session.
    mutating func establish(token: String = "token-1") {
        serverIndex = 0
        handle(.opened)
        receive(.sessionCreateReply(.init(sessionToken: token)))
    }

    /// A session with a fetched scope whose state was applied. What was sent and delivered is taken.
    mutating func establishScope(_ id: Int = 0, name: String = "Canvas", scopeIndex: Int = 0) {
        handle(.fetch(ScopeID(id), name: name, parameters: [:]))
        if machine.token == nil { establish() }
        grantFetch(id, scopeIndex: scopeIndex)
        handle(.stateApplied(ScopeID(id), unsent: []))
        _ = (takeSent(), takeDeliveries())
        news = []
    }

    /// Replies to the last fetch, and sends the state.
    mutating func grantFetch(_ id: Int = 0, scopeIndex: Int = 0) {
        let replyTo = machine.nextIndexForTests - 1
        receive(
            .scopeFetchReply(.init(index: nextServerIndex(), replyTo: replyTo, scopeIndex: scopeIndex)),
            state(scopeIndex: scopeIndex)
        )
    }

    mutating func state(scopeIndex: Int = 0) -> JetstreamMessage {
        let fragment = SyncFragment(.change, uuid: Self.root, className: "Canvas", properties: ["name": "Demo"])
        return .scopeState(
            .init(index: nextServerIndex(), scopeIndex: scopeIndex, rootUUID: Self.root, fragments: [fragment])
        )
    }

    /// A sync of the server that sets the root's name.
    mutating func sync(_ name: String, scopeIndex: Int = 0) -> JetstreamMessage {
        .scopeSync(.init(index: nextServerIndex(), scopeIndex: scopeIndex, fragments: [Self.change(name)]))
    }

    mutating func reply(to index: Int, _ replies: [FragmentReply] = [FragmentReply()]) -> JetstreamMessage {
        .scopeSyncReply(.init(index: nextServerIndex(), replyTo: index, fragmentReplies: replies))
    }

    static func change(_ name: String) -> SyncFragment {
        SyncFragment(.change, uuid: root, className: "Canvas", properties: ["name": .string(name)])
    }

    static func changes(_ id: Int, _ name: String = "new") -> OutgoingChanges {
        OutgoingChanges(id: ChangesID(id), fragments: [change(name)])
    }

    mutating func submit(_ id: Int, _ name: String = "new", scope: Int = 0) {
        handle(.submit(ScopeID(scope), Self.changes(id, name)))
    }

    /// The outcomes among the deliveries: `1 replied`, `2 reverted unanswered maybeSent`.
    mutating func takeOutcomes() -> [String] {
        takeDeliveries().compactMap { _, delivery in
            guard case .settled(let id, let outcome) = delivery else { return nil }
            return "\(id.rawValue) \(Self.text(outcome))"
        }
    }

    static func text(_ outcome: ChangesOutcome) -> String {
        switch outcome {
        case .replied(let replies): replies.allSatisfy(\.isAccepted) ? "replied" : "refused"
        case .reverted(let error): "reverted \(error.kind) \(error.delivery.rawValue)"
        case .unknown(let error): "unknown \(error.kind) \(error.delivery.rawValue)"
        }
    }
}

extension ConnectionMachine {
    /// The index of the client's next numbered message.
    var nextIndexForTests: Int { storedSession?.nextIndex ?? 1 }
}

extension [JetstreamMessage] {
    /// A short form: `Ping 3`, `Ping 3 resend`, `ScopeSync 2`.
    var short: [String] {
        map { message in
            switch message {
            case .sessionCreate: "SessionCreate"
            case .scopeFetch(let fetch): "ScopeFetch \(fetch.index) \(fetch.name)"
            case .scopeSync(let sync): "ScopeSync \(sync.index)"
            case .ping(let ping): "Ping \(ping.ack)\(ping.resendMissing ? " resend" : "")"
            default: "\(message)"
            }
        }
    }
}
