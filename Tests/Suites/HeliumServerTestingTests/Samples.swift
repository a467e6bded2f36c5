import AppNet
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Testing

/// The samples of the documentation, run.
@Suite("Samples: the server in memory", .timeLimit(.minutes(5)))
struct InMemorySamples {
    @Test("sample of the server in memory: a client")
    func client() async throws {
        // sample
        let clock = TestClock()
        let server = try EmbeddedServer(.repeatable(clock: clock, random: RandomSource { 4 }))
        let transport = try InMemoryTransport(server, clock: clock)
        var configuration = AppNetConfiguration(token: "alice-token", baseURL: transport.ready.appNet.root)
        configuration.environment.clock = clock
        configuration.environment.transport = transport
        let client = try AppNetClient(configuration: configuration)
        // end of sample
        let user = try await client.users.get(.me)
        #expect(user.username == "alice")
    }

    @Test("sample of the server in memory: a transport")
    func transport() async throws {
        // sample
        let clock = TestClock()
        let server = try EmbeddedServer(.repeatable(clock: clock, random: RandomSource { 4 }))
        let transport = try InMemoryTransport(server, clock: clock)
        // end of sample
        #expect(transport.ready.appNet.users.map(\.username) == ["alice", "bob"])
    }

    @Test("sample of the server in memory: a filled channel")
    func filling() async throws {
        let memory = try MemoryServer()
        let server = memory.server
        #expect(try await memory.createChannel() == "1")
        // sample
        try await server.appNet.fillChannel("1", count: 450, by: "alice") { .init(text: "Message \($0)") }
        // end of sample
    }
}
