import HTTPTypes
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

private let form = "multipart/form-data; boundary=x"

@Suite("Maximum sizes of bodies by route", .timeLimit(.minutes(5)))
struct BodyLimitTests {
    @Test(
        "the maximum size of a body is that of its route and its type, not of a word in its path",
        arguments: [
            ("POST", "/stream/0/files", form, true), ("POST", "/stream/0/files", "application/json", false),
            ("PUT", "/stream/0/files/1", "application/json", false), ("PUT", "/stream/0/files/1", form, false),
            ("PUT", "/stream/0/files/1/content", "application/json", true),
            ("PUT", "/v1/files/1/content", "image/png", true), ("POST", "/v1/files", form, true),
            ("PATCH", "/v1/files/1", "application/json", false),
            ("POST", "/files/stream/0/posts", "application/json", false),
            ("POST", "/files/stream/0/posts", form, false),
            ("POST", "/stream/0/users/me/avatar", form, true),
            ("POST", "/stream/0/users/me/cover", "application/json", false),
            ("POST", "/v1/users/me/avatar", form, true),
            ("POST", "/stream/0/channels/1/messages", form, false), ("PATCH", "/stream/0/users/me", form, false),
        ]
    )
    func limits(method: String, target: String, type: String, isLong: Bool) async throws {
        try await withAppNet { alice async throws in
            let limits = ServerLimits()
            let head = ServerRequest(
                method: try #require(HTTPRequest.Method(method)),
                target: target,
                host: "127.0.0.1",
                socketScheme: "http",
                fields: [
                    .authorization: "Bearer \(alice.token ?? "")", .contentType: type, .contentLength: "20000000",
                ],
                address: "127.0.0.1"
            )
            let service = alice.running.server[AppNetService.self]
            guard case .read(let bytes, let isProved, _) = await service.admission(of: head, limits: limits) else {
                Issue.record("the request is refused")
                return
            }
            #expect(isProved)
            #expect(bytes == (isLong ? AppNetMaxima().uploadBytes + 65_536 : limits.bodyBytes))
        }
    }

    @Test("the content of a file is not parsed, and no token is taken from it")
    func content() async throws {
        try await withAppNet { alice async throws in
            let body = #"{"access_token":"\#(alice.token ?? "")"}"#
            let answer = try await alice.anonymous.send("PUT", "files/1/content", body)
            #expect(answer.status == 401)
        }
    }
}
