import Foundation
import HeliumCore
import HeliumJSON
import HeliumWebSocket
import JetstreamCore
import JetstreamTestModels
import TestSupport

/// A client that changes the tree as fast as its change sets are settled.
///
/// Each set counts its own node up by one, so that the server sees which sets it applied, and in which order. Only this client
/// adds nodes to its own; the rest of a set is by chance, and touches what others change too.
actor SoakClient {
    /// The most sets that wait for their reply.
    private static let window = 4

    private let client: JetstreamClient
    private let number: Int
    private let scope: Scope
    private let root: GraphNode
    private var random: SeededRandom
    private var isStopped = false
    private var pending: [ChangeSet] = []
    /// The nodes below its own, as the sets so far have left them.
    private(set) var nodes: [UUID] = []
    private(set) var setCount = 0
    /// The sets of which a part was refused.
    private(set) var refusedCount = 0
    private(set) var resumedCount = 0
    /// Outcomes that no set may have.
    private(set) var wrong: [String] = []

    init(url: URL, number: Int, seed: UInt64) throws {
        var options = JetstreamClientOptions()
        // The cuts come sooner than a connection has lasted: with the default, each wait would be longer than the last.
        options.backoff.firstDelay = .milliseconds(2)
        options.backoff.maximumDelay = .milliseconds(10)
        client = try JetstreamClient(url: url, options: options)
        self.number = number
        root = GraphNode(uuid: UUID())
        scope = Scope(name: "Graph", root: root, changeInterval: .milliseconds(1))
        random = SeededRandom(seed: seed &+ UInt64(number))
    }

    /// Counts the sockets with which the session goes on, until the client is closed.
    func countResumptions() async {
        for await event in client.sessionEvents {
            if case .resumed = event { resumedCount += 1 }
        }
    }

    func join() async throws {
        client.connect()
        try await client.fetch(scope)
    }

    /// Changes the tree until ``stop()``, and waits until all is settled.
    func work() async throws {
        while !isStopped {
            change()
            if pending.count >= Self.window { try await settleOldest() } else { await Task.yield() }
        }
        while !pending.isEmpty { try await settleOldest() }
    }

    func stop() { isStopped = true }

    /// Returns when a set that is made now is settled: the client is connected again, and has received what came before.
    func catchUp() async throws {
        let set = scope.modify { mine?.text = "refuse" }
        _ = try? await set.completion()
        if set.error?.kind != .changesRefused { wrong.append("client \(number): a refused set is \(set.state)") }
    }

    func close() async {
        await client.close()
        if !scope.changeSets.isEmpty { wrong.append("client \(number): \(scope.changeSets.count) sets are pending") }
    }

    /// The tree, a line for each object.
    func tree() -> [String] {
        scope.allObjects.compactMap { $0 as? GraphNode }.map { node in
            GraphText.line(
                node.uuid,
                text: node.text,
                count: node.count,
                next: node.next?.uuid,
                nodes: node.nodes.map(\.uuid)
            )
        }
    }

    // MARK: Changes

    private var mine: GraphNode? { scope.object(id: GraphServer.id(number)) as? GraphNode }

    private func change() {
        guard let mine else { return wrong.append("client \(number): its node is gone") }
        setCount += 1
        let set = scope.modify {
            mine.count = Double(setCount)
            switch random.below(8) {
            case 0, 1:
                let node = GraphNode(uuid: UUID(uuid: random.uuid()))
                node.next = mine
                mine.nodes.append(node)
            case 2 where mine.nodes.count > 20: mine.nodes.removeFirst(10)
            case 3: root.text = "\(number).\(setCount)"
            case 4: root.text = "refuse"
            case 5: root.next = random.pick(scope.allObjects) as? GraphNode
            case 6: root.nodes.first?.text = "first, by \(number)"
            default: mine.text = "\(setCount)"
            }
        }
        nodes = mine.nodes.map(\.uuid)
        pending.append(set)
    }

    private func settleOldest() async throws {
        let set = pending.removeFirst()
        do {
            try await set.completion()
        } catch let error as JetstreamError where error.kind == .changesRefused && set.state == .partiallyReverted {
            refusedCount += 1
        } catch let error as JetstreamError {
            wrong.append("client \(number): a set is \(set.state): \(error)")
        }
    }
}

/// Objects as text, in one form for clients and the server.
enum GraphText {
    static func line(_ uuid: UUID, text: String?, count: Double, next: UUID?, nodes: [UUID]) -> String {
        "\(uuid) \(text ?? "-") \(count) \(next?.uuidString ?? "-") \(nodes.map(\.uuidString))"
    }

    static func line(_ uuid: UUID, _ properties: JSONObject) -> String {
        line(
            uuid,
            text: properties["text"]?.stringValue,
            count: properties["count"]?.doubleValue ?? 0,
            next: properties["next"]?.stringValue.flatMap { UUID(uuidString: $0) },
            nodes: (properties["nodes"]?.arrayValue ?? []).compactMap { UUID(uuidString: $0.stringValue ?? "") }
        )
    }
}

extension SeededRandom {
    fileprivate mutating func uuid() -> uuid_t {
        withUnsafeBytes(of: (next(), next())) { $0.loadUnaligned(as: uuid_t.self) }
    }
}
