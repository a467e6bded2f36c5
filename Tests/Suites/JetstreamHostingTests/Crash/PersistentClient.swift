import Foundation
import HeliumJSON

/// A client of raw frames that survives its server: it keeps what is not acknowledged, sends it again, and counts what it
/// sees. Written from the page (Jetstream.md §1.5-§1.7).
actor PersistentClient {
    let number: Int
    private let clientCount: Int
    private var token = ""
    /// The highest index of the server, without gaps.
    private var serverIndex = 0
    /// The index of our last message.
    private var clientIndex = 0
    private var retained: [(index: Int, text: String)] = []
    /// The number of the last change.
    private(set) var lastChange = 0
    /// The number of replies to each of our changes.
    private(set) var replies: [Int: Int] = [:]
    /// The changes of each other client, in the order in which they came.
    private(set) var seen: [Int: [Int]] = [:]
    /// Everything that should not happen.
    private(set) var faults: [String] = []
    private(set) var resumeCount = 0
    /// The number of connections over which a session was begun or resumed.
    private(set) var connectionCount = 0
    /// Whether messages beyond a gap are to be expected: before the answer to our ping.
    private var isResuming = false
    private var mayChange = true
    private var stage = "idle"
    private var lastEnd = "none"

    init(number: Int, clientCount: Int) {
        self.number = number
        self.clientCount = clientCount
    }

    /// Returns the id of the object that only this client changes.
    static func object(of number: Int) -> String { id(100 + number) }

    /// The changes that are not answered.
    var unanswered: Int { lastChange - replies.count }

    /// From now on nothing is changed any more.
    func finish() { mayChange = false }

    /// Works with a server until the connection breaks.
    func work(at url: URL) async {
        do {
            stage = "connecting"
            let socket = try await TestSocket(url, fields: token.isEmpty ? [:] : ["X-Jetstream-SessionToken": token])
            stage = token.isEmpty ? "creating a session" : "resuming"
            if token.isEmpty {
                token = try await socket.create()
            } else {
                try await resume(over: socket)
            }
            connectionCount += 1
            stage = "exchanging"
            try await exchange(over: socket)
        } catch {
            // The server is gone, or should be.
            lastEnd = "\(stage): \(error)"
        }
    }

    /// The stage of the client and the end of its last connection, for the report of a failure.
    var report: String { "client \(number): \(stage), last end: \(lastEnd)" }

    private func resume(over socket: TestSocket) async throws {
        isResuming = true
        resumeCount += 1
        try await socket.send(#"{"type":"Ping","index":0,"ack":\#(serverIndex),"resendMissing":true}"#)
        while true {
            let message = try await socket.next()
            guard message["type"] == "Ping" else {
                take(message)
                continue
            }
            isResuming = false
            let ack = message["ack"]?.intValue ?? 0
            if ack > clientIndex { faults.append("the server acknowledges \(ack) of \(clientIndex)") }
            retained.removeAll { $0.index <= ack }
            for item in retained { try await socket.send(item.text) }
            return
        }
    }

    private func exchange(over socket: TestSocket) async throws {
        if clientIndex == 0 {
            try await send(over: socket) { #"{"type":"ScopeFetch","index":\#($0),"name":"Board","params":{}}"# }
        }
        while true {
            while mayChange, unanswered < 8 {
                lastChange += 1
                let change = lastChange
                try await send(over: socket) { index in
                    #"{"type":"ScopeSync","index":\#(index),"scopeIndex":0,"fragments":[{"type":"change","uuid":"#
                        + #""\#(Self.object(of: number))","clsName":"Card","properties":{"x":\#(change)}}]}"#
                }
            }
            take(try await socket.next())
            if serverIndex % 20 == 0 {
                try await socket.send(#"{"type":"Ping","index":0,"ack":\#(serverIndex),"resendMissing":false}"#)
            }
        }
    }

    private func send(over socket: TestSocket, _ text: (Int) -> String) async throws {
        clientIndex += 1
        let text = text(clientIndex)
        retained.append((clientIndex, text))
        try await socket.send(text)
    }

    private func take(_ message: JSONValue) {
        guard let index = message["index"]?.intValue, index > serverIndex else { return }
        guard index == serverIndex + 1 else {
            if !isResuming { faults.append("message \(index) comes after \(serverIndex)") }
            return
        }
        serverIndex = index
        if message["type"] == "ScopeSyncReply" {
            if message["fragmentReplies"] != [[:]] { faults.append("a change was refused") }
            // The fetch is message 1.
            replies[(message["replyTo"]?.intValue ?? 0) - 1, default: 0] += 1
        } else if message["type"] == "ScopeSync" {
            for fragment in message["fragments"]?.arrayValue ?? [] {
                let owner = (0..<clientCount).first { fragment["uuid"] == .string(Self.object(of: $0)) } ?? -1
                seen[owner, default: []].append(fragment["properties", "x"]?.intValue ?? -1)
            }
        } else if message["type"] == "ScopeState" {
            for fragment in message["fragments"]?.arrayValue ?? [] {
                guard let owner = (0..<clientCount).first(where: { fragment["uuid"] == .string(Self.object(of: $0)) }),
                    let change = fragment["properties", "x"]?.intValue, owner != number
                else { continue }
                // What was before our time counts as seen.
                seen[owner] = Array(1...max(change, 1)).filter { $0 <= change }
            }
        }
    }
}
