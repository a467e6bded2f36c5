import HeliumServerTesting
import ServerSupport

/// Runs `body` with two users of pnut's dialect.
func withPnut(_ body: (_ alice: AppNetVisitor, _ bob: AppNetVisitor) async throws -> Void) async throws {
    try await withVisitors { alice, bob async throws in
        var (alice, bob) = (alice, bob)
        alice.base = "/v1"
        bob.base = "/v1"
        try await body(alice, bob)
    }
}

extension AppNetVisitor {
    /// Creates a channel in pnut's dialect that any user may write to, and returns its id.
    func room(_ type: String = "com.example.room") async throws -> String {
        let body: TestJSON = ["type": .string(type), "acl": ["write": ["any_user": .bool(true)]]]
        let created = try await post("channels", body)
        guard created.status == 201, let id = created["id"]?.stringValue else {
            throw RawConnection.Failure.malformed(created.text)
        }
        return id
    }

    /// Writes a message in pnut's dialect and gives its id.
    func write(_ text: String, in channel: String) async throws -> String {
        let created = try await post("channels/\(channel)/messages", ["text": .string(text)])
        guard created.status == 201, let id = created["id"]?.stringValue else {
            throw RawConnection.Failure.malformed(created.text)
        }
        return id
    }

    /// The same visitor with App.net's dialect.
    var onAppNet: AppNetVisitor {
        var visitor = self
        visitor.base = "/stream/0"
        return visitor
    }
}
