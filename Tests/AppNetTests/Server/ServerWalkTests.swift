import HeliumServer
import HeliumServerTesting
import Testing

@testable import AppNet

@Suite("Every call of App.net, made against the embedded server", .timeLimit(.minutes(10)))
struct ServerWalkTests {
    /// What the server has not of pnut.io, which it says: polls, revisions, presence in a channel, and what nobody made.
    private static let missing: Set<String> = [
        "polls.create", "polls.get", "polls.byIDs", "polls.own", "polls.respond", "polls.delete", "polls.search",
        "posts.revise", "posts.revisions", "configuration.operation", "users.badge", "users.presentInChannel",
        "users.presenceInChannel", "users.setPresenceInChannel",
    ]

    @Test("is answered as the page says, in either dialect", arguments: AppNetDialect.allCases)
    func walk(dialect: AppNetDialect) async throws {
        let calls = Dictionary(uniqueKeysWithValues: CallTable.all.map { ($0.name, $0) })
        try await withEmbeddedServer { server in
            let world = try await ServerWorld(server.ready.appNet, dialect)
            let cases = ServerCase.all.filter { $0.name != "token.revoke" }
            for test in cases + ServerCase.all.filter({ $0.name == "token.revoke" }) {
                let call = try #require(calls[test.name], "\(test.name)")
                do {
                    try await test.call(world)
                    #expect(call.endpoint(in: dialect) != nil, "\(test.name)")
                } catch let error as AppNetError {
                    if call.endpoint(in: dialect) == nil {
                        #expect(error.kind == .unsupportedByDialect, "\(test.name): \(error)")
                    } else {
                        let isMissing = dialect == .pnut && Self.missing.contains(test.name)
                        #expect(isMissing && [404, 405].contains(error.status), "\(test.name): \(error)")
                    }
                } catch {
                    Issue.record(error, "\(test.name)")
                }
            }
        }
    }

    @Test("is made here once")
    func coverage() {
        let names = ServerCase.all.map(\.name)
        #expect(Set(names) == Set(CallTable.all.map(\.name)))
        #expect(Set(names).count == names.count)
    }
}
