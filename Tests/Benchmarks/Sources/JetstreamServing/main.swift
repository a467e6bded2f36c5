import BenchmarkHarness
import Foundation
import JetstreamHosting

// The changes of one client that ten others get, by a Jetstream server and by a server that only passes frames on:
// wall-clock time, with all clients in the same process.

let isQuick = ProcessInfo.processInfo.environment["HELIUM_BENCH_QUICK"] != nil
let changes = isQuick ? 1_000 : 10_000
let rounds = isQuick ? 3 : 7
let receivers = 10

/// Nanoseconds a change until all receivers have all changes.
func measure(_ writer: Peer, _ readers: [Peer], from first: Int) async throws -> Double {
    let time = try await ContinuousClock().measure {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in readers { group.addTask { try await reader.read(changes, from: first) } }
            group.addTask { try await writer.write(changes, from: first, window: 100) }
            try await group.waitForAll()
        }
    }
    return time / .nanoseconds(1) / Double(changes)
}

func peers(_ make: () async throws -> Peer) async throws -> (writer: Peer, readers: [Peer]) {
    var readers: [Peer] = []
    for _ in 0..<receivers { readers.append(try await make()) }
    return (try await make(), readers)
}

let file = try ScopeFile(
    parsing: Data(
        #"{"classes":{"Node":{"properties":{"name":"string","x":"number"}}},"scopes":{"Nodes":{"root":"Node","initial":{}}}}"#
            .utf8
    )
)
var configuration = JetstreamServer.Configuration(scopes: file)
configuration.port = 0
let server = try JetstreamServer(configuration)
let running = Task { try await server.run() }
let url = try await server.ready().webSocket
let bare = try await BareFanOut()
guard let bareURL = URL(string: "ws://127.0.0.1:\(bare.port)/") else { throw ServingError(description: "no URL") }

let ours = try await peers { try await Peer(url: url, scope: "Nodes") }
let theirs = try await peers { try await Peer(bare: bareURL) }
_ = try await measure(ours.writer, ours.readers, from: 0)
_ = try await measure(theirs.writer, theirs.readers, from: 0)
var times: (ours: [Double], theirs: [Double]) = ([], [])
for round in 1...rounds {
    let first = round * changes
    if round.isMultiple(of: 2) { times.theirs.append(try await measure(theirs.writer, theirs.readers, from: first)) }
    times.ours.append(try await measure(ours.writer, ours.readers, from: first))
    if !round.isMultiple(of: 2) { times.theirs.append(try await measure(theirs.writer, theirs.readers, from: first)) }
}
for peer in ours.readers + theirs.readers + [ours.writer, theirs.writer] { await peer.close() }
try await bare.close()
running.cancel()
try await running.value
print(
    [
        OperationResult(group: "jetstream-serving", operation: "a change to 10 clients", bytes: 0, rounds: times.ours),
        OperationResult(group: "jetstream-serving", operation: "bare fan-out", bytes: 0, rounds: times.theirs),
    ].json
)
