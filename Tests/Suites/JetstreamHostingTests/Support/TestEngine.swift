import HeliumCore
import HeliumJSON
import Synchronization
import TestSupport

@testable import JetstreamHosting

/// An engine with the sockets of a test: frames are JSON text, and time passes when the test says so.
struct TestEngine {
    var engine: JetstreamEngine
    var now: Duration = .zero
    /// The messages that came over each socket and were not looked at.
    private var messages: [Int: [JSONValue]] = [:]
    /// The number of frames that each socket got.
    private(set) var frameCounts: [Int: Int] = [:]
    private(set) var closes: [Int: Close] = [:]
    /// The open questions, oldest first.
    private(set) var questions: [(id: Int, question: JetstreamEngine.Question)] = []
    private(set) var stored: [StoreChange] = []
    private(set) var received: [Int: Int] = [:]
    private(set) var dropped: [Int] = []
    /// The sockets that have asked for a place among the authenticated ones, and whether there is one.
    private let places = Places()

    struct Close: Hashable {
        let code: UInt16
        let reason: String

        /// The type in a reason of JSON.
        var type: String? { (try? JSONValue(parsing: Array(reason.utf8)))?["type"]?.stringValue }
    }

    init(
        _ file: ScopeFile = .board,
        seed: UInt64 = 1,
        restoring state: StoredState = StoredState(),
        _ change: (inout JetstreamEngine.Settings) -> Void = { _ in }
    ) throws {
        var settings = JetstreamEngine.Settings()
        change(&settings)
        engine = try JetstreamEngine(file, settings: settings, random: .seeded(seed), restoring: state)
    }

    static func original(_ file: ScopeFile = .board) throws -> TestEngine {
        try TestEngine(file) { $0.hasOriginalRules = true }
    }

    mutating func handle(_ event: JetstreamEngine.Event) { perform(engine.handle(event, at: now)) }

    private mutating func perform(_ actions: [JetstreamEngine.Action]) {
        for action in actions {
            switch action {
            case .send(let id, let frame):
                frameCounts[id, default: 0] += 1
                messages[id, default: []] +=
                    (try? JSONValue(parsing: frame.bytes))?.arrayValue ?? [.string("not an array")]
            case .close(let id, let code, let reason): closes[id] = Close(code: code, reason: reason)
            case .drop(let id): dropped.append(id)
            case .received(let id): received[id, default: 0] += 1
            case .ask(let id, let question): questions.append((id, question))
            case .store(let change): stored.append(change)
            }
        }
    }

    // MARK: Clients

    /// The places of authenticated sockets.
    private final class Places: Sendable {
        let state = Mutex<(authenticated: [Int], areTaken: Bool)>(([], false))
    }

    /// The sockets that have a place among the authenticated ones.
    var authenticated: [Int] { places.state.withLock { $0.authenticated } }

    /// Makes sockets that are authenticated from now on find no place, or find one again.
    func setPlacesTaken(_ areTaken: Bool) { places.state.withLock { $0.areTaken = areTaken } }

    mutating func open(_ id: Int, _ parameters: JSONObject = [:], client: String = "") {
        handle(
            .opened(id, parameters: parameters, client: client) { [places] in
                places.state.withLock { state in
                    if !state.areTaken { state.authenticated.append(id) }
                    return !state.areTaken
                }
            }
        )
    }

    mutating func send(_ id: Int, _ text: String) { handle(.frame(id, Array(text.utf8))) }

    /// The messages since the last call.
    mutating func take(_ id: Int) -> [JSONValue] { messages.removeValue(forKey: id) ?? [] }

    /// The only message since the last call; null if there are none or several.
    mutating func only(_ id: Int) -> JSONValue {
        let messages = take(id)
        return messages.count == 1 ? messages[0] : .null
    }

    /// Opens a socket with a new session.
    ///
    /// - Returns: The token.
    @discardableResult
    mutating func session(_ id: Int, _ parameters: String = "{}") -> String {
        open(id)
        send(id, #"{"type":"SessionCreate","index":0,"version":"0.2.0","params":\#(parameters)}"#)
        return only(id)["sessionToken"]?.stringValue ?? ""
    }

    /// Fetches a scope with message 1.
    ///
    /// - Returns: The state.
    @discardableResult
    mutating func fetch(_ id: Int, _ scope: String = "Board", index: Int = 1) -> JSONValue {
        send(id, #"{"type":"ScopeFetch","index":\#(index),"name":"\#(scope)","params":{}}"#)
        return take(id).last ?? .null
    }

    /// Opens a socket, makes a session and fetches the scope.
    mutating func join(_ id: Int, _ scope: String = "Board") {
        session(id)
        fetch(id, scope)
    }

    /// Sends a sync to the first scope.
    ///
    /// - Returns: The replies.
    @discardableResult
    mutating func sync(_ id: Int, index: Int, _ fragments: String, _ more: String = "") -> [JSONValue] {
        send(
            id,
            #"{"type":"ScopeSync","index":\#(index),"scopeIndex":0,"fragments":\#(fragments)\#(more)}"#
        )
        return only(id)["fragmentReplies"]?.arrayValue ?? []
    }

    mutating func update(_ query: JSONObject = [:], _ operators: JSONObject) -> JetstreamUpdateResult {
        guard let (result, actions) = engine.update("Board", query, operators, at: now) else {
            return JetstreamUpdateResult()
        }
        perform(actions)
        return result
    }

    mutating func answer(_ refusal: JetstreamRefusal? = nil) {
        guard !questions.isEmpty else { return }
        handle(.decided(questions.removeFirst().id, refusal))
    }

    /// Lets time pass, timer by timer.
    mutating func advance(_ seconds: Double) {
        let end = now + .seconds(seconds)
        while let deadline = engine.deadline, deadline <= end {
            now = max(now, deadline)
            handle(.timer)
        }
        now = end
    }

    // MARK: Objects

    /// The objects of the scope as a state has them.
    mutating func objects(_ scope: String = "Board") -> [JSONValue] {
        engine.state(of: scope)?["fragments"]?.arrayValue ?? []
    }

    mutating func object(_ uuid: String) -> JSONValue? { objects().first { $0["uuid"] == .string(uuid) } }
}

extension RandomSource {
    static func seeded(_ seed: UInt64) -> RandomSource {
        let random = Mutex(SeededRandom(seed: seed))
        return RandomSource { random.withLock { $0.next() } }
    }
}

/// Identifiers of the tests: `id(1)` is 00000000-0000-4000-8000-000000000001.
func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
}

extension ScopeFile {
    /// A root with a value of each kind, object 1, with one card, object 2.
    static let board =
        (try? ScopeFile(JSONValue(parsing: Array(boardText.utf8))))
        ?? ScopeFile(classes: [], scopes: [])

    static let boardText = #"""
        {"enumerations": {"Kind": {"type": "number", "values": [0, 1]}, "Mark": {"type": "string", "values": ["a", "b"]}},
         "classes": {
           "Board": {"properties": {
             "name": "string", "count": {"type": "number", "default": 7}, "done": "boolean", "due": "date",
             "kind": {"type": "Kind", "default": 0}, "tags": ["string"], "numbers": ["number"], "dates": ["date"],
             "marks": ["Mark"], "card": "Card", "cards": ["Card"], "other": ["Other"]},
            "procedures": {
              "rename": [{"type": "change", "class": "Board", "properties": {"name": "$new"}}],
              "grow": [{"type": "add", "class": "Card", "additional": true},
                       {"type": "change", "class": "Board", "properties": {"cards": "$insert"}}],
              "shrink": [{"type": "change", "class": "Board", "properties": {"cards": "$remove"}}],
              "clear": [{"type": "change", "class": "Board", "properties": {"name": null}, "additional": true}]}},
           "Card": {"properties": {"text": "string", "x": "number", "next": "Card", "board": "Board"}},
           "Special": {"inherits": "Card", "properties": {"extra": "string"}},
           "Other": {"properties": {"text": "string"}}},
         "scopes": {"Board": {"root": "Board", "initial": {
           "$uuid": "00000000-0000-4000-8000-000000000001", "name": "Demo",
           "cards": [{"$uuid": "00000000-0000-4000-8000-000000000002", "text": "first"}]}}},
         "refuse": {"connection": ["Deny"], "session": ["deny"], "fetch": ["deny"]}}
        """#
}
