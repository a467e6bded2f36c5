import AppNet
import HeliumServer
import HeliumServerTesting
import Testing

@Suite("Searches by rank, against the embedded server", .timeLimit(.minutes(5)))
struct RankedSearchTests {
    @Test(
        "a search for channels by rank has every match once, the most popular first",
        arguments: AppNetDialect.allCases
    )
    func channels(dialect: AppNetDialect) async throws {
        try await withEmbeddedServer { server in
            let world = try await ServerWorld(server.ready.appNet, dialect)
            var quiet: [AppNetChannel.ID] = []
            var popular: [AppNetChannel.ID] = []
            // Bob subscribes to those that the world makes.
            for number in 0..<45 {
                if number % 5 == 0 {
                    popular.append(try await world.channel(type: "com.example.ranked"))
                } else {
                    let draft = AppNetChannel(type: "com.example.ranked", readers: ACL(isPublic: true))
                    quiet.append(try #require(try await world.alice.channels.create(draft).id))
                }
            }
            var found: [AppNetChannel.ID] = []
            var search = ChannelSearch()
            search.type = "com.example.ranked"
            for try await channel in world.alice.search.channels(search) {
                found.append(try #require(channel.id))
                if found.count > 100 { break }
            }
            #expect(found == popular.reversed() + quiet.reversed())
        }
    }
}
