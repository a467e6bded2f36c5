import HeliumServer
import HeliumServerTesting
import Testing

@testable import AppNet

@Suite("Every call of App.net, made against the embedded server", .timeLimit(.minutes(10)))
struct ServerWalkTests {
    @Test(
        "every call of App.net gets its documented response from the embedded server, in either dialect",
        arguments: AppNetDialect.allCases
    )
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
                        Issue.record(error, "\(test.name)")
                    }
                } catch {
                    Issue.record(error, "\(test.name)")
                }
            }
        }
    }

    @Test("every call of App.net is made to the embedded server by one test")
    func coverage() {
        let names = ServerCase.all.map(\.name)
        #expect(Set(names) == Set(CallTable.all.map(\.name)))
        #expect(Set(names).count == names.count)
    }
}
