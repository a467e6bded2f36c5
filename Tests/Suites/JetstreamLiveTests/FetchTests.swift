import Foundation
import HeliumCore
import HeliumJSON
import HeliumWebSocket
import JetstreamCore
import JetstreamHosting
import JetstreamSoak
import JetstreamTestModels
import TestSupport
import Testing

@Suite("Fetching over real sockets", .timeLimit(.minutes(5)))
@MainActor
struct FetchTests {
    private func client(_ url: URL, _ change: (inout JetstreamClientOptions) -> Void = { _ in }) throws
        -> JetstreamClient
    {
        var options = JetstreamClientOptions()
        options.backoff.firstDelay = .milliseconds(2)
        change(&options)
        let client = try JetstreamClient(url: url, options: options)
        client.connect()
        return client
    }

    private func fetch(_ client: JetstreamClient) async throws -> Scope {
        let scope = Scope(name: "Graph", root: GraphNode(uuid: UUID()), changeInterval: .milliseconds(1))
        try await client.fetch(scope)
        return scope
    }

    private final class Counter {
        var count = 0
    }

    private func root(_ scope: Scope?) -> GraphNode? { scope?.root as? GraphNode }

    @Test(
        "a released scope can be fetched again in its session, and repeated changes are applied once",
        arguments: [JetstreamConfiguration.Compatibility.none, .original]
    )
    func again(compatibility: JetstreamConfiguration.Compatibility) async throws {
        try await GraphServer.run {
            $0.jetstream.compatibility = compatibility
        } _: { server, url in
            let (mine, other) = (try client(url), try client(url))
            var scope: Scope? = try await fetch(mine)
            scope?.modify { root(scope)?.text = "first" }
            scope = nil
            let theirs = try await fetch(other)
            try await eventually {
                do {
                    scope = try await fetch(mine)
                    return true
                } catch let error as JetstreamError where error.kind == .invalidScope {
                    // It is being let go of.
                    return false
                }
            }
            #expect(await server.sessionCount == 2)
            #expect(root(scope)?.text == "first")
            let counter = Counter()
            root(scope)?.observeChangeImmediately(counter) { counter.count += 1 }
            try await theirs.modify { root(theirs)?.nodes = [GraphNode(uuid: UUID())] }.completion()
            try await theirs.modify { root(theirs)?.text = "last" }.completion()
            try await eventually { root(scope)?.text == "last" }
            #expect(root(scope)?.nodes.count == 1 && counter.count == 2)
            let set = scope?.modify { root(scope)?.nodes = [] }
            try await set?.completion()
            try await eventually { root(theirs)?.nodes.isEmpty == true }
            await mine.close()
            await other.close()
        }
    }

    @Test("a paused scope does not hold up another scope of the client")
    func pausedBeside() async throws {
        try await GraphServer.run {
            $0.jetstream.scopes.scopes.append(.init(name: "Other", root: "Node"))
        } _: { server, url in
            let client = try client(url)
            let graph = try await fetch(client)
            let other = Scope(name: "Other", root: GraphNode(uuid: UUID()), changeInterval: .milliseconds(1))
            try await client.fetch(other)
            graph.pauseIncomingMessages()
            // More than may wait for a scope that is slow. The reply comes after them.
            for number in 1...100 { try await server.update("Graph", ["$set": ["text": .string("\(number)")]]) }
            try await other.modify { root(other)?.text = "mine" }.completion()
            #expect(root(graph)?.text == nil)
            graph.resumeIncomingMessages()
            try await eventually { root(graph)?.text == "100" }
            await client.close()
        }
    }

    @Test("a state that is larger than a frame ends the fetch with an error, and the client continues")
    func oversizedState() async throws {
        try await GraphServer.run { server, url in
            let nodes = (0..<200).map { _ in JSONValue.object(["text": "a node with a text"]) }
            try await server.update("Graph", ["$set": ["nodes": .array(nodes)]])
            let client = try client(url) {
                $0.webSocket.limits.messageBytes = 10_000
                $0.webSocket.limits.frameBytes = 10_000
            }
            let error = await #expect(throws: JetstreamError.self) { _ = try await fetch(client) }
            #expect(error?.kind == .ceilingExceeded && error?.delivery == .answered)
            try await server.update("Graph", ["$set": ["nodes": []]])
            #expect(try await fetch(client).count == 1)
            await client.close()
        }
    }
}
