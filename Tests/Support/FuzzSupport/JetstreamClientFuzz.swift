import Foundation
import HeliumCore
import HeliumJSON
import JetstreamCore
import JetstreamTestModels
import TestSupport

extension FuzzTarget {
    static let jetstreamClient = FuzzTarget(
        "jetstream-client",
        examples: [
            [
                #"[{"type":"ScopeSync","index":3,"scopeIndex":0,"fragments":[{"type":"add","uuid":"@3","clsName":"Node","#
                    + #""properties":{"next":"@1","text":"a","due":1.5}},{"type":"change","uuid":"@1","clsName":"Node","#
                    + #""properties":{"nodes":["@3","@2"],"count":1}}]}]"#,
                #"[{"type":"ScopeSyncReply","index":4,"replyTo":2,"fragmentReplies":[{}]},"#
                    + #"{"type":"ScopeSyncReply","index":5,"replyTo":3,"fragmentReplies":[{"error":{"message":"no"}},{}]}]"#,
                #"{"type":"Ping","index":0,"ack":3,"resendMissing":true}"#,
            ].joined(separator: "\n"),
            [
                "!c", #"[{"type":"Ping","index":0,"ack":1,"resendMissing":true}]"#,
                #"[{"type":"ScopeSync","index":9,"scopeIndex":0,"fragments":[]}]"#,
                #"[{"type":"ScopeSync","index":3,"scopeIndex":0,"fragments":[{"type":"add","uuid":"@4","clsName":"Other","#
                    + #""properties":{"a":["@2","@1"]}},{"type":"change","uuid":"@2","clsName":"Node","properties":"#
                    + #"{"nodes":["@4","@2"],"next":"@4","leaf":"@2","tags":["a"],"done":true}}]}]"#,
                "!e", #"{"type":"ScopeSyncReply","index":3,"replyTo":2,"fragmentReplies":[{}]}"#,
            ].joined(separator: "\n"),
            [
                "!p",
                #"[{"type":"ScopeState","index":3,"scopeIndex":0,"rootUUID":"@6","fragments":[{"type":"change","#
                    + #""uuid":"@6","clsName":"Node","properties":{"next":"@7","leaf":"@8"}},{"type":"add","uuid":"@7","#
                    + #""clsName":"Node","properties":{"next":"@6"}},{"type":"add","uuid":"@8","clsName":"Leaf","#
                    + #""properties":{"node":"@7"}}]}]"#,
                "!r",
                #"[{"type":"ScopeSyncReply","index":4,"replyTo":2,"fragmentReplies":[{"modifications":{"text":"m"}}]}]"#,
                #"[{"type":"ScopeSyncReply","index":5,"replyTo":9,"fragmentReplies":[{},{}]}]"#,
            ].joined(separator: "\n"),
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "\n", "\n!c\n", "\n!e\n", "\n!p\n", "\n!r\n", "null", "true", "0", "1",
            "-1", "1e999", "9007199254740992", "\"@1\"", "\"@2\"", "\"@5\"", "\"@9\"", "\"index\":3", "\"index\":4",
            "\"replyTo\":", "\"scopeIndex\":", "\"nodes\":", "\"next\":", "\"fragments\":", "\"properties\":", "{},",
            "\"error\":{},", "\"type\":\"add\"", "\"type\":\"change\"", "\"clsName\":\"Leaf\"", "\"clsName\":\"Other\"",
            "\"resendMissing\":true", "\\ud800", "\u{301}", "[[[[[[[[",
        ],
        check: { try JetstreamClientFuzz.frames($0) }
    )
}

/// Gives frames to a client's connection, and what it delivers to a scope with models.
package enum JetstreamClientFuzz {
    /// Each line is a frame of the server to a client that has fetched a scope and changed it. `@1` stands for the identifier
    /// of object 1. Lines that begin with `!` are no frames: `!c` cuts the connection, `!e` ends the session, `!p` and `!r`
    /// pause the scope and resume it.
    ///
    /// One of four inputs goes on to models; the others end at the connection, which takes a fifth of the time.
    ///
    /// - Parameter isMeasured: Whether its cost is measured. Then there are models, and nothing is checked that costs more than
    ///   the input is long.
    package static func frames(_ bytes: [UInt8], isMeasured: Bool = false) throws {
        weak var scope: Scope?
        do {
            let client = try FuzzedClient(hasModels: isMeasured || bytes.count % 4 == 0)
            scope = client.scope
            for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                try client.take(line, number)
                if !isMeasured, number % 8 == 0 { try client.checkTree() }
            }
            if !isMeasured { try client.checkTree() }
            try client.close()
        }
        guard scope == nil else { throw FuzzFinding("the scope is not freed") }
    }
}

/// A client of one scope, with a machine and models, on one thread and without a network.
private final class FuzzedClient {
    /// The scope; `nil` for a client without models.
    let scope: Scope?
    private let root = GraphNode(uuid: Wire.id(1))
    private var machine = FuzzedClient.joined.machine
    private var now = Duration.zero
    /// Actions that are still to be taken.
    private var actions: [ConnectionAction] = []
    private var mustReconnect = false
    private var pauses = 0
    private var sets: [ChangeSet] = []
    private var changesCount = 0
    /// The next index to send in this session.
    private var nextIndex = 2
    private var lastAck = 0
    private var isFetching = false

    /// A connection whose scope is accepted, and its state, which the scope has not applied.
    private static let joined: (machine: ConnectionMachine, actions: [ConnectionAction]) = {
        var settings = ConnectionSettings()
        settings.unacknowledgedMessages = 4
        settings.maximumFrameBytes = 2000
        settings.maximumPendingChanges = 8
        var machine = ConnectionMachine(settings: settings, random: RandomSource { 1 << 63 })
        _ = machine.handle(.fetch(ScopeID(0), name: "Graph", parameters: [:]), at: .zero)
        _ = machine.handle(.opened, at: .zero)
        _ = machine.handle(.received(Wire.session), at: .zero)
        let actions = machine.handle(.received(Wire.fetched), at: .zero)
        return (machine, actions)
    }()

    init(hasModels: Bool) throws {
        scope = hasModels ? Scope(name: "Graph", root: root) : nil
        scope?.attach(
            ScopeHooks(
                batchBegan: {},
                submit: { [unowned self] in submit($0) },
                stateApplied: { [unowned self] in stateApplied($0) }
            )
        )
        actions = Self.joined.actions
        try perform()
        // A change, and new objects with their links.
        let (child, leaf) = (GraphNode(uuid: Wire.id(5)), GraphLeaf(uuid: Wire.id(9)))
        try modify { root.count = 1 }
        try modify {
            child.next = root
            leaf.node = child
            root.leaf = leaf
            root.nodes.append(child)
        }
    }

    // MARK: Inputs

    func take(_ line: ArraySlice<UInt8>, _ number: Int) throws {
        now += .seconds(1)
        if line.first == 0x21 {
            try command(line.dropFirst().first)
        } else {
            try handle(.received(String(decoding: Wire.expanded(line), as: UTF8.self)))
        }
        if let deadline = machine.deadline, deadline <= now { try handle(.timePassed) }
        if mustReconnect { try reconnect(SocketEnd(code: 1000)) }
        try edit(number + line.count)
    }

    private func command(_ letter: UInt8?) throws {
        switch letter {
        case UInt8(ascii: "c"): try reconnect(SocketEnd(code: 1006))
        case UInt8(ascii: "e"): try reconnect(SocketEnd(code: 4097))
        case UInt8(ascii: "p"):
            pauses += 1
            scope?.pauseIncomingMessages()
        case UInt8(ascii: "r") where pauses > 0:
            pauses -= 1
            scope?.resumeIncomingMessages()
            try perform()
        default: break
        }
    }

    /// Changes the tree, in a way that follows from a number.
    private func edit(_ number: Int) throws {
        switch number % 16 {
        case 0: try modify { root.text = "\(number)" }
        case 1: try modify { root.nodes = [] }
        case 2: try modify { root.nodes.append(GraphNode(uuid: UUID())) }
        case 3: try modify { root.next = root.nodes.last }
        case 4:
            root.nodes.first?.count = Double(number)
            _ = scope?.flush()
            try perform()
        default: break
        }
    }

    private func modify(_ changes: () -> Void) throws {
        if let scope {
            sets.append(scope.modify(changes))
        } else {
            changesCount += 1
            let outgoing = OutgoingChanges(id: ChangesID(changesCount), fragments: [Wire.change])
            actions += machine.handle(.submit(ScopeID(0), outgoing), at: now)
        }
        try perform()
    }

    private func deliver(_ delivery: ScopeDelivery) {
        if let scope {
            scope.receive(delivery)
        } else if case .state = delivery {
            actions += machine.handle(.stateApplied(ScopeID(0), unsent: []), at: now)
        }
    }

    // MARK: The machine

    private func handle(_ event: ConnectionEvent) throws {
        actions += machine.handle(event, at: now)
        try perform()
    }

    private func submit(_ set: ChangeSet) -> JetstreamError? {
        changesCount += 1
        let id = set.changesID ?? ChangesID(changesCount)
        set.changesID = id
        var refusal: JetstreamError?
        for action in machine.handle(.submit(ScopeID(0), set.outgoing(as: id)), at: now) {
            if case .refuse(_, let error) = action { refusal = error } else { actions.append(action) }
        }
        return refusal
    }

    private func stateApplied(_ unsent: [ChangeSet]) {
        let unsent = unsent.compactMap { set in set.changesID.map { set.outgoing(as: $0) } }
        actions += machine.handle(.stateApplied(ScopeID(0), unsent: unsent), at: now)
    }

    /// Takes the actions, and those that follow from them.
    private func perform() throws {
        var next = 0
        while next < actions.count {
            switch actions[next] {
            case .send(let frame): try check(frame)
            case .closeSocket: mustReconnect = true
            case .deliver(_, let delivery): deliver(delivery)
            case .save, .refuse, .report, .end: break
            }
            next += 1
        }
        actions = []
    }

    private func reconnect(_ end: SocketEnd) throws {
        mustReconnect = false
        try handle(.closed(end))
        guard machine.wantsSocket else { return }
        isFetching = false
        try handle(.opened)
        guard machine.token == nil else { return }
        try handle(.received(Wire.session))
        if isFetching { try handle(.received(Wire.fetched)) }
    }

    func close() throws {
        while pauses > 0 { try command(UInt8(ascii: "r")) }
        try handle(.close)
        guard sets.allSatisfy({ $0.state != .syncing }), scope?.changeSets.isEmpty != false else {
            throw FuzzFinding("a change set is not settled")
        }
        guard machine.handle(.close, at: now).isEmpty else { throw FuzzFinding("a client that has ended acts") }
        // Circles of objects are their owner's to break.
        for case let node as GraphNode in scope?.allObjects ?? [] {
            (node.next, node.nodes, node.leaf) = (nil, [], nil)
        }
    }

    // MARK: Checks

    /// Numbered messages leave without gaps, and acknowledgements do not go back.
    private func check(_ frame: String) throws {
        guard case .object(let message) = try JSONValue(parsing: frame), let type = message["type"]?.stringValue,
            let index = message["index"]?.intValue
        else { throw FuzzFinding("\(frame) is no message") }
        switch type {
        case "SessionCreate":
            (nextIndex, lastAck) = (1, 0)
        case "Ping":
            guard index == 0, let ack = message["ack"]?.intValue, ack >= lastAck else {
                throw FuzzFinding("\(frame) acknowledges less than before")
            }
            lastAck = ack
        case "ScopeFetch", "ScopeSync":
            guard 1...nextIndex ~= index else { throw FuzzFinding("message \(index) comes instead of \(nextIndex)") }
            nextIndex = max(nextIndex, index + 1)
            isFetching = isFetching || type == "ScopeFetch"
            let fragments = message["fragments"]?.arrayValue ?? []
            guard fragments.allSatisfy({ $0["properties"]?.objectValue != nil }) else {
                throw FuzzFinding("a fragment has no properties")
            }
        default: throw FuzzFinding("a client sends \(type)")
        }
    }

    /// The scope has the objects that the root reaches, each once.
    func checkTree() throws {
        guard let scope else { return }
        let objects = scope.allObjects
        guard objects.count == scope.count, Set(objects.map(\.uuid)).count == objects.count else {
            throw FuzzFinding("the scope has \(scope.count) objects, and its root reaches \(objects.count)")
        }
        guard objects.allSatisfy({ scope.object(id: $0.uuid) === $0 }) else {
            throw FuzzFinding("an object is not found by its identifier")
        }
    }
}

/// Texts of the wire.
private enum Wire {
    static let session = #"[{"type":"SessionCreateReply","index":0,"sessionToken":"t"}]"#

    static let fetched = text(
        #"[{"type":"ScopeFetchReply","index":1,"replyTo":1,"scopeIndex":0},{"type":"ScopeState","index":2,"scopeIndex":0,"#
            + #""rootUUID":"@1","fragments":[{"type":"change","uuid":"@1","clsName":"Node","properties":{"nodes":["@2"]}},"#
            + #"{"type":"add","uuid":"@2","clsName":"Node","properties":{"text":"two","next":"@1"}}]}]"#
    )

    static let change = SyncFragment(.change, uuid: id(1), className: "Node", properties: ["count": 1])

    static func id(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number)))
    }

    static func expanded(_ line: ArraySlice<UInt8>) -> [UInt8] { JetstreamHostingFuzz.expanded(line) }

    private static func text(_ short: String) -> String {
        String(decoding: expanded(Array(short.utf8)[...]), as: UTF8.self)
    }
}
