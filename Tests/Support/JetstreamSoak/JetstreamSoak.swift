import Foundation
import HeliumConcurrency
import HeliumJSON
import JetstreamCore
import JetstreamHosting
import Synchronization
import TestSupport

/// Clients that change one tree over real sockets, which are cut again and again: in the end all trees are equal, nothing is
/// pending, and the server has applied each change set once, in the order of its client.
package struct JetstreamSoak {
    private let clientCount: Int
    private let cuts: Int
    private let seed: UInt64

    package init(clients: Int = 3, cuts: Int, seed: UInt64) {
        (clientCount, self.cuts, self.seed) = (clients, cuts, seed)
    }

    /// The events of a run and the errors that it found.
    package struct Report: Sendable {
        package var setCount = 0
        package var refusedCount = 0
        /// The sockets with which sessions went on.
        package var resumedCount = 0
        package var wrong: [String] = []
    }

    package func run() async throws -> Report {
        let written = WriteLog()
        return try await GraphServer.run(clients: clientCount) {
            $0.jetstream.authorization.write = { try written.take($0) }
        } _: { server, url in
            let clients = try (1...clientCount).map { try SoakClient(url: url, number: $0, seed: seed) }
            var report = Report()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in clients {
                    group.addTask { await client.countResumptions() }
                    try await client.join()
                }
                try await withThrowingTaskGroup(of: Void.self) { work in
                    for client in clients { work.addTask { try await client.work() } }
                    try await cut(server, clients)
                    for client in clients { await client.stop() }
                    try await work.waitForAll()
                }
                // The reply to a refused set comes behind all changes of the others, and makes none.
                for client in clients { try await client.catchUp() }
                try await compare(clients, with: server, written, &report)
                for client in clients { await client.close() }
                try await group.waitForAll()
            }
            for client in clients {
                report.wrong += await client.wrong
                report.resumedCount += await client.resumedCount
            }
            if report.resumedCount < cuts {
                report.wrong.append("\(cuts) cuts were followed by \(report.resumedCount) resumed sessions")
            }
            return report
        }
    }

    /// Cuts all sockets at random moments: mostly when each client has caught up, sometimes as soon as one has.
    private func cut(_ server: JetstreamControl, _ clients: [SoakClient]) async throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<cuts {
            for client in random.oneIn(4) ? [random.pick(clients)] : clients { try await client.catchUp() }
            await server.dropSockets()
        }
    }

    private func compare(
        _ clients: [SoakClient],
        with server: JetstreamControl,
        _ written: WriteLog,
        _ report: inout Report
    ) async throws {
        let objects = await server.objects(in: "Graph")
        let tree = objects.map { GraphText.line($0.uuid, $0.properties) }
        if await server.sessionCount != clients.count { report.wrong.append("a session was lost") }
        for (index, client) in clients.enumerated() {
            let (number, count) = (index + 1, await client.setCount)
            report.setCount += count
            report.refusedCount += await client.refusedCount
            let own = await client.tree()
            if own != tree {
                let difference = zip(own, tree).first { $0 != $1 }
                report.wrong.append(
                    "client \(number) has \(own.count) objects, the server \(tree.count): \(String(describing: difference))"
                )
            }
            let applied = written.counts(of: GraphServer.id(number))
            if applied != (0..<count).map({ Double($0 + 1) }) {
                report.wrong.append("client \(number) made \(count) sets, the server applied \(applied.count)")
            }
            let nodes = objects.first { $0.uuid == GraphServer.id(number) }?.properties["nodes"]?.arrayValue
            if await client.nodes.map({ JSONValue.string($0.uuidString.lowercased()) }) != nodes {
                report.wrong.append("client \(number): the nodes that it added are not those of the server")
            }
        }
    }
}

/// The values that clients have written to the counters of their nodes.
private final class WriteLog: Sendable {
    private let counts = Guarded<[UUID: [Double]]>([:])

    func take(_ write: JetstreamWrite) throws {
        if write.property == "text", write.value == "refuse" { throw JetstreamRefusal("not this text") }
        guard write.property == "count", !write.isAdd, let count = write.value.doubleValue else { return }
        counts.withLock { $0[write.uuid, default: []].append(count) }
    }

    func counts(of node: UUID) -> [Double] { counts.withLock { $0[node] ?? [] } }
}
