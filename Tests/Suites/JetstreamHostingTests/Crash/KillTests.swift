import Foundation
import HeliumJSON
import TestSupport
import Testing

@testable import JetstreamHosting

@Suite("Jetstream server that is killed")
struct KillTests {
    private static let clientCount = 3

    private static let scopes = #"""
        {"classes":{"Board":{"properties":{"cards":["Card"]}},"Card":{"properties":{"x":{"type":"number","default":0}}}},
        "scopes":{"Board":{"root":"Board","initial":{"cards":[{"$uuid":"\#(PersistentClient.object(of: 0))"},
        {"$uuid":"\#(PersistentClient.object(of: 1))"},{"$uuid":"\#(PersistentClient.object(of: 2))"}]}}}}
        """#

    @Test(
        "sessions are resumed and no change is lost or doubled over kills of a server",
        .tags(.random),
        .timeLimit(.minutes(20))
    )
    func kills() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "jetstream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "scopes.json")
        try Data(Self.scopes.utf8).write(to: file)
        let store = folder.appending(path: "store.sqlite").path
        let clients = (0..<Self.clientCount).map { PersistentClient(number: $0, clientCount: Self.clientCount) }
        var random = ProofLength.random(seed: 17)
        let killCount = ProofLength.count(6, full: 300)
        for life in 0..<killCount {
            let server = try await ServerProcess.start(scopes: file.path, store: store)
            let delay = Duration.milliseconds(20 + random.below(150))
            var connections: [Int] = []
            for client in clients { connections.append(await client.connectionCount) }
            await withTaskGroup { group in
                for client in clients { group.addTask { await client.work(at: server.url) } }
                do {
                    // In every other life all clients are connected before it ends.
                    for (client, count) in zip(clients, connections) where life.isMultiple(of: 2) {
                        try await eventually { await client.connectionCount > count || server.hasEnded }
                    }
                    try await Task.sleep(for: delay)
                } catch {
                    var reports: [String] = []
                    for client in clients { reports.append(await client.report) }
                    Issue.record(error, "life \(life): \(reports) \(server.errorText)")
                }
                #expect(!server.hasEnded)
                server.killNow()
                #expect(await server.waitForEnd() == .killed, "life \(life): \(server.errorText)")
            }
        }
        for client in clients { await client.finish() }
        let server = try await ServerProcess.start(scopes: file.path, store: store)
        defer { server.killNow() }
        let working = clients.map { client in Task { await client.work(at: server.url) } }
        defer { for task in working { task.cancel() } }
        try await settle(clients)
        var resumeCount = 0
        for client in clients {
            let (last, replies, faults) = await (client.lastChange, client.replies, client.faults)
            #expect(faults.isEmpty, "\(faults)")
            #expect(last > 0)
            #expect(replies.count == last)
            #expect(replies.allSatisfy { $0.value == 1 })
            resumeCount += await client.resumeCount
            for other in clients where other.number != client.number {
                let changes = await other.lastChange
                #expect(await client.seen[other.number] ?? [] == Array(0..<changes).map { $0 + 1 })
            }
        }
        #expect(resumeCount >= Self.clientCount * (killCount / 2 - 1))
        let observer = try await TestSocket(server.url)
        _ = try await observer.create()
        let objects = try await observer.fetch()["fragments"]?.arrayValue ?? []
        for client in clients {
            let object = objects.first { $0["uuid"] == .string(PersistentClient.object(of: client.number)) }
            let last = await client.lastChange
            #expect(object?["properties", "x"]?.intValue == last)
        }
        await observer.close()
    }

    /// Waits until each client has all replies and has received all changes of the others.
    private func settle(_ clients: [PersistentClient]) async throws {
        try await eventually {
            for client in clients {
                guard await client.unanswered == 0 else { return false }
                for other in clients where other.number != client.number {
                    let (seen, last) = await (client.seen[other.number]?.last ?? 0, other.lastChange)
                    guard seen == last else { return false }
                }
            }
            return true
        }
    }
}
