import Foundation
import JetstreamCore
import JetstreamHosting
import JetstreamSoak
import JetstreamTestModels
import TestSupport
import Testing

@Suite("Trees that are dropped", .timeLimit(.minutes(5)))
struct LeakTests {
    /// Objects that shall be freed.
    private struct Census {
        private struct Entry {
            let kind: String
            weak var object: AnyObject?
        }

        private var entries: [Entry] = []
        private(set) var count = 0

        mutating func add(_ object: AnyObject) {
            entries.append(Entry(kind: "\(type(of: object))", object: object))
            count += 1
        }

        /// The number of living objects of each class.
        var living: [String: Int] {
            Dictionary(entries.lazy.filter { $0.object != nil }.map { ($0.kind, 1) }, uniquingKeysWith: +)
        }
    }

    @Test("trees with cycles and shared objects leave no memory after they are released", .tags(.random))
    @MainActor
    func trees() async throws {
        let count = ProofLength.count(60, full: 5000)
        var census = Census()
        try await GraphServer.run { server, url in
            let client = try JetstreamClient(url: url)
            client.connect()
            // A session and its scope index outlive each scope.
            for round in 0..<count { try await sync(round, by: client, &census) }
            #expect(await server.sessionCount == 1)
            await client.close()
        }
        // Tasks that followed a scope notice its end a little later.
        try? await eventually { census.living.isEmpty }
        #expect(census.living == [:])
        // The root, the scope, the set, and five objects of each round, and some that the server sent.
        #expect(census.count >= 8 * count)
    }

    @MainActor
    private func sync(_ round: Int, by client: JetstreamClient, _ census: inout Census) async throws {
        // Circles that are held when their scope is freed would stay.
        let scope = try await synced(round, by: client, &census)
        census.add(scope)
    }

    @MainActor
    private func synced(_ round: Int, by client: JetstreamClient, _ census: inout Census) async throws -> Scope {
        let root = GraphNode(uuid: UUID())
        let scope = Scope(name: "Graph", root: root, changeInterval: .milliseconds(1))
        try await client.fetch(scope)
        // With what the round before has left on the server.
        let before = scope.allObjects
        for object in before { census.add(object) }
        let nodes = (0..<4).map { _ in GraphNode(uuid: UUID()) }
        let leaf = GraphLeaf(uuid: UUID())
        let set = scope.modify {
            nodes[0].next = nodes[1]
            nodes[1].next = nodes[0]
            nodes[0].nodes = [nodes[2], nodes[3], nodes[2]]
            nodes[1].nodes = [nodes[2]]
            nodes[2].next = root
            nodes[3].leaf = leaf
            leaf.node = nodes[3]
            root.nodes = [nodes[0], nodes[1]]
        }
        for object in [set, leaf] + nodes as [AnyObject] { census.add(object) }
        try await set.completion()
        // Some leave before the tree is dropped.
        if round.isMultiple(of: 3) { try await scope.modify { root.nodes.removeFirst() }.completion() }
        if round.isMultiple(of: 5) { try await scope.modify { root.nodes = [] }.completion() }
        return scope
    }
}
