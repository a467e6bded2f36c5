import AppNet
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Connectivity", .timeLimit(.minutes(2)))
struct ConnectivityTests {
    @Test("while the service is out of reach nothing is tried, and when it is back everything is sent", .behaviour(54))
    func app() async throws {
        let world = try await BeastWorld()
        let connectivity = AppConnectivity(isReachable: true)
        let manager = try MessageManager(
            client: world.client,
            account: world.account,
            store: .memory,
            connectivity: connectivity
        )
        try await manager.start()
        let channel = try await manager.privateChannel(ofType: BeastWorld.journal).id
        connectivity.isReachable = false
        world.wire.fail()
        try await eventually { manager.outbox.isUnreachable }
        world.wire.forget()
        let created = try await manager.create(Message(text: "Tea"), in: channel)
        guard case .blocked = try await manager.fetchNewest(in: channel) else {
            Issue.record("the fetch was not blocked")
            return
        }
        #expect(world.wire.requests.isEmpty)
        // An explicit call tries in any case.
        try await manager.sendAll(in: channel)
        #expect(world.wire.requests.count { $0.hasPrefix("POST ") } == 1)
        #expect(try await manager.page(of: channel).messages.first?.sendAttemptsCount == 0)
        world.wire.set(nil)
        connectivity.isReachable = true
        try await eventually { try await manager.message(id: try #require(created.message.id))?.state == .sent }
        await manager.stop()
    }

    @Test("a user stream tells of reachability, and of news that are fetched")
    func userStream() async throws {
        try await withEmbeddedServer { server in
            let user = try #require(server.ready.appNet.users.first)
            let configuration = AppNetConfiguration(
                token: Secret(user.token),
                dialect: .appNet,
                baseURL: server.ready.appNet.root,
                userStreamURL: server.ready.appNet.userStream
            )
            let client = try AppNetClient(configuration: configuration)
            let account = try #require(try await client.users.get(.me).id)
            let first = try MessageManager(client: client, account: account, store: .memory)
            let channel = try await first.privateChannel(ofType: BeastWorld.journal).id
            let stream = client.userStream()
            let second = try MessageManager(
                client: client,
                account: account,
                store: .memory,
                connectivity: UserStreamConnectivity(stream: stream, channels: [channel])
            )
            _ = try await second.privateChannel(ofType: BeastWorld.journal)
            try await second.start()
            try await eventually { server.appNet.subscriptionCount > 0 }
            _ = try await first.create(Message(text: "From the other device"), in: channel)
            try await eventually {
                try await second.page(of: channel).messages.map { $0.message.text } == ["From the other device"]
            }
            await second.stop()
            await first.stop()
            await stream.close()
            await client.close()
        }
    }
}
