import Foundation
import HeliumJSON
import JetstreamCore
import TestSupport
import Testing

/// The client's side of the exchanges in `Fixtures/jetstream`: each client's machine is told what its app does, must send the
/// frames that the exchange has, and must understand those that it receives.
@Suite("Exchanges of Fixtures/jetstream, by the client")
struct ExchangeTests {
    private static let documents = SharedDocuments.fixtures("jetstream").filter { $0.name.hasSuffix(".json") }

    @Test("the client sends its side of an exchange", arguments: documents)
    func exchange(_ document: SharedDocuments.Document) throws {
        let fixture = try JSONValue(parsing: document.contents)
        let steps = fixture["steps"]?.arrayValue ?? []
        var clients: [Int: ExchangeClient] = [:]
        for (number, step) in steps.enumerated() {
            let id = step["client"]?.intValue ?? 0
            let own = steps.filter { $0["client"]?.intValue == id }
            let next = steps[(number + 1)...].first { $0["client"]?.intValue == id }
            // A cut loses what was sent last.
            if step["receives"] != nil, next?["cut"] != nil { continue }
            try clients[id, default: ExchangeClient(own)].take(step, "step \(number)")
        }
        #expect(
            clients.values.contains { $0.frameCount > 0 && $0.deliveryCount > 0 } || document.name == "denials.json"
        )
        for client in clients.values { #expect(client.rig.sent.isEmpty, "\(client.rig.sent.short)") }
    }
}

/// One client of an exchange.
private struct ExchangeClient {
    var rig: MachineRig
    /// The frames that were compared, and the deliveries.
    private(set) var frameCount = 0
    private(set) var deliveryCount = 0
    private let codec = JetstreamCodec()
    /// Whether the exchange has the client do what ours never does. From then on its frames are the exchange's alone.
    private var isForeign = false
    /// The scopes by the server's index, and by their names.
    private var scopes: [Int: ScopeID] = [:]
    private var fetches: [Int: (id: ScopeID, name: String)] = [:]
    private var scopeCount = 0
    private var changesCount = 0
    /// The highest index that the client has received.
    private var lastReceived = 0

    /// - Parameter steps: The client's steps: the first tell how it is made.
    init(_ steps: [JSONValue]) {
        var stored: StoredSession?
        if let token = steps.first?["opens", "sessiontoken"]?.stringValue {
            // Only a session in which a change set waits is resumed by another process.
            let changes = StoredChanges(index: 1, scopeName: "Canvas", fragments: [MachineRig.change("a")])
            stored = StoredSession(
                token: token,
                parameters: [:],
                nextIndex: 2,
                lastReceived: 0,
                messages: [],
                changes: [changes]
            )
        }
        let create = steps.lazy.compactMap { $0["sends"] }.first { $0["type"] == "SessionCreate" }
        rig = MachineRig(stored: stored, parameters: create?["params"]?.objectValue ?? [:])
    }

    mutating func take(_ step: JSONValue, _ place: String) throws {
        if let parameters = step["opens"]?.objectValue {
            #expect((parameters["sessiontoken"] != nil) == (rig.machine.token != nil), "\(place)")
            rig.handle(.opened)
        } else if let frame = step["sends"] {
            if !isForeign { try send(frame, place) }
        } else if case .array(let messages)? = step["receives"] {
            try receive(messages, place)
        } else if let closing = step["closed"] {
            close(closing, place)
        } else {
            rig.handle(.closed(SocketEnd(code: 1006)))
        }
    }

    // MARK: Frames of the client

    private mutating func send(_ frame: JSONValue, _ place: String) throws {
        let message = try #require(try codec.messages(in: frame.text()).first)
        switch message {
        case .sessionCreate: break
        case .scopeFetch(let fetch):
            // A first message that is no SessionCreate.
            guard rig.machine.token != nil else { return beForeign() }
            for (_, known) in fetches where known.name == fetch.name { rig.handle(.abandon(known.id)) }
            let id = ScopeID(scopeCount)
            scopeCount += 1
            fetches[fetch.index] = (id, fetch.name)
            rig.handle(.fetch(id, name: fetch.name, parameters: fetch.parameters))
        case .scopeSync(let sync):
            // What the server has acknowledged is not sent again by ours, nor what is for a scope that was not fetched.
            if sync.index < rig.machine.nextIndexForTests { return }
            guard let id = scopes[sync.scopeIndex] else { return beForeign() }
            changesCount += 1
            let changes = OutgoingChanges(
                id: ChangesID(changesCount),
                fragments: sync.fragments,
                isAtomic: sync.isAtomic,
                procedure: sync.procedure
            )
            rig.handle(.submit(id, changes))
        case .ping(let ping):
            // Ours asks for what is missing when it resumes, and after a gap.
            if rig.sent.isEmpty, ping.resendMissing { return }
            if rig.sent.isEmpty { rig.passTime(10) }
        default: return beForeign()
        }
        let sent = rig.takeSent()
        #expect(sent == [message], "\(place): \(sent.short)")
        frameCount += 1
    }

    private mutating func beForeign() {
        isForeign = true
        rig.sent = []
    }

    // MARK: Frames of the server

    private mutating func receive(_ messages: [JSONValue], _ place: String) throws {
        let text = JSONValue.array(messages).text().replacing("\"TOKEN\"", with: "\"token-1\"")
        let wasUnestablished = rig.machine.token == nil
        let before = rig.news.count
        rig.handle(.received(text))
        let deliveries = rig.takeDeliveries().map(\.1)
        deliveryCount += deliveries.count
        var expected: [String] = []
        for message in messages {
            let index = message["index"]?.intValue ?? 0
            let isDuplicate = index > 0 && index <= lastReceived
            lastReceived = max(lastReceived, index)
            let fetch = message["replyTo"]?.intValue.flatMap { fetches[$0] }
            switch message["type"]?.stringValue {
            case "SessionCreateReply":
                #expect((rig.end?.kind == .sessionDenied) == (message["error"] != nil), "\(place)")
                #expect(rig.end?.server?.type == message["error", "type"]?.stringValue, "\(place)")
            case "ScopeFetchReply":
                if let scopeIndex = message["scopeIndex"]?.intValue {
                    scopes[scopeIndex] = fetch?.id
                } else {
                    expected.append("ended \(message["error", "type"]?.stringValue ?? "")")
                }
            case "ScopeState": expected.append("state \(message["fragments"]?.arrayValue?.count ?? 0)")
            case "ScopeSync" where !isDuplicate: expected.append("sync \(message["fragments"]?.text() ?? "")")
            case "ScopeSyncReply" where !isDuplicate && !isForeign:
                let replies = message["fragmentReplies"]?.arrayValue ?? []
                expected.append("settled \(replies.map { $0["error"] == nil })")
            default: break
            }
        }
        #expect(deliveries.map(Self.text) == expected, "\(place)")
        for case .state in deliveries {
            if let id = scopes.values.max(by: { $0.rawValue < $1.rawValue }) {
                rig.handle(.stateApplied(id, unsent: []))
            }
        }
        if wasUnestablished, rig.end == nil { #expect(rig.news.count > before, "\(place)") }
    }

    private static func text(_ delivery: ScopeDelivery) -> String {
        switch delivery {
        case .state(let state, _): return "state \(state.fragments.count)"
        case .sync(let fragments): return "sync \(JSONValue.array(fragments.map(\.exchangeForm)).text())"
        case .settled(_, .replied(let replies)): return "settled \(replies.map(\.isAccepted))"
        case .settled(let id, let outcome): return "settled \(id.rawValue) \(MachineRig.text(outcome))"
        case .ended(let error): return "ended \(error.server?.type ?? "")"
        }
    }

    private mutating func close(_ closing: JSONValue, _ place: String) {
        let reason: JSONValue = ["message": "closed", "type": closing["type"] ?? .null]
        let (hadToken, hadEnded) = (rig.machine.token != nil, rig.end != nil)
        rig.handle(.closed(SocketEnd(code: closing["code"]?.intValue ?? 0, reason: reason.text())))
        if hadToken {
            #expect(rig.machine.token == nil, "\(place)")
            let isLost = rig.news.contains { event in
                if case .lost(let error) = event { error.server?.type == closing["type"]?.stringValue } else { false }
            }
            #expect(isLost, "\(place)")
        } else if !hadEnded {
            #expect(rig.end?.kind == .connectionDenied, "\(place)")
            #expect(rig.end?.server?.type == closing["type"]?.stringValue, "\(place)")
        }
        rig.sent = []
    }
}

extension SyncFragment {
    /// The fragment as the exchanges have it.
    fileprivate var exchangeForm: JSONValue {
        [
            "type": .string(kind.rawValue), "uuid": .string(uuid.uuidString.lowercased()),
            "clsName": .string(className), "properties": .object(properties),
        ]
    }
}
