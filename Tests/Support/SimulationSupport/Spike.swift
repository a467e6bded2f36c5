import Foundation
import GRDB
import HTTPTypes
import HeliumCore
import HeliumDatabase
import HeliumServer
import HeliumServerTesting
import HeliumTesting

/// The smallest system that has a part of each kind: two actors, a race with a time limit, a database and a server.
enum Spike: SimulatedSystem {
    static let name = "spike"

    static func simulate(_ simulation: Simulation) async throws {
        let clock = simulation.clock
        let server = try EmbeddedServer(.repeatable(clock: clock, random: simulation.random("server")))
        let transport = TracingTransport(try InMemoryTransport(server, clock: clock), simulation.trace)
        let database = try DatabaseQueue()
        database.add(transactionObserver: TransactionTracer("notes", simulation.trace), extent: .databaseLifetime)
        let access = DatabaseAccess(database, .inline)
        _ = try await access.write { database in
            try database.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, author TEXT NOT NULL)")
        }
        let api = SpikeAPI(transport: transport)
        let channel = try await api.createChannel()
        let authors = ["alice", "bob"].map { name in
            SpikeAuthor(name, channel: channel, api: api, access: access, clock: clock, random: simulation.random(name))
        }
        try await withThrowingTaskGroup { group in
            for author in authors { group.addTask { try await author.write(5) } }
            try await group.waitForAll()
        }
        let stored = try await access.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM note") ?? 0 }
        simulation.trace.event("stored \(stored)")
    }
}

/// Writes messages to the server and notes of them into the database, some of them too late.
private actor SpikeAuthor {
    private let name: String
    private let channel: String
    private let api: SpikeAPI
    private let access: DatabaseAccess
    private let clock: TestClock
    private let random: RandomSource

    init(
        _ name: String,
        channel: String,
        api: SpikeAPI,
        access: DatabaseAccess,
        clock: TestClock,
        random: RandomSource
    ) {
        self.name = name
        self.channel = channel
        self.api = api
        self.access = access
        self.clock = clock
        self.random = random
    }

    func write(_ count: Int) async throws {
        for number in 0..<count {
            let pause = Duration.milliseconds(Int64(random.bits() % 100))
            let (api, access, clock, name, channel) = (api, access, clock, name, channel)
            do {
                // Half of them are not over before the limit.
                try await Deadline(after: .milliseconds(50), clock: clock).race {
                    try await clock.sleep(for: pause)
                    try await api.createMessage("\(name) \(number)", as: name, in: channel)
                    _ = try await access.write { database in
                        try database.execute(sql: "INSERT INTO note (author) VALUES (?)", arguments: [name])
                    }
                }
            } catch is DeadlineExceeded {
                continue
            }
        }
    }
}

/// The calls of the spike, with nothing between them and the transport.
private struct SpikeAPI {
    let transport: TracingTransport

    func createChannel() async throws -> String {
        let body = #"{"type":"com.example.simulation"}"#
        let data = try await post("channels", body, as: "alice")
        let document = try JSONDecoder().decode(JSONValue.self, from: data)
        guard let id = document["data"]?["id"]?.stringValue else {
            throw SimulationOptions.Fault("no channel was created")
        }
        return id
    }

    func createMessage(_ text: String, as user: String, in channel: String) async throws {
        // The channel is alice's; a message of bob's is refused, with an id of the error that the seed decides.
        _ = try await post("channels/\(channel)/messages", #"{"text":"\#(text)"}"#, as: user)
    }

    private func post(_ path: String, _ body: String, as user: String) async throws -> Data {
        let request = TransportRequest(
            method: .post,
            url: try RequestURL("http://127.0.0.1/stream/0/\(path)"),
            fields: [.authorization: "Bearer \(user)-token", .contentType: "application/json"],
            body: Data(body.utf8)
        )
        guard case .collected(let data) = try await transport.execute(request).body else { return Data() }
        return data
    }
}
