import HTTPTypes
import HeliumCore
import HeliumServer
import HeliumServerTesting
import Testing

@Suite("Scopes of faults")
struct FaultScopeTests {
    @Test("a fault of a method affects requests of this method only")
    func methods() async throws {
        let memory = try MemoryServer()
        memory.server.faults.inject(.status(500), .path("/stream/0/channels", method: "post", next: 1))
        #expect(try await memory.execute(.get, "/stream/0/channels").head.status == 200)
        #expect(try await memory.execute(.post, "/stream/0/files", "{}").head.status == 400)
        #expect(memory.server.faults.count == 1)
        #expect(try await memory.execute(.post, "/stream/0/channels", "{}").head.status == 500)
        #expect(memory.server.faults.count == 0)
        memory.server.faults.inject(.busy, FaultScope.delete)
        #expect(try await memory.execute(.get, "/stream/0/channels").head.status == 200)
        #expect(try await memory.execute(.delete, "/stream/0/channels/1/messages/1").head.status == 503)
    }
}

extension FaultScope {
    fileprivate static var delete: Self {
        var scope = Self.untilRemoved
        scope.method = "DELETE"
        return scope
    }
}
