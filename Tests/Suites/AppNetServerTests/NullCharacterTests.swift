import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

/// SQLite's texts end at U+0000. A server that accepted the character would lose the text after it, and report success.
@Suite("Text with U+0000 for App.net", .timeLimit(.minutes(5)))
struct NullCharacterTests {
    @Test(
        "App.net refuses U+0000 in JSON, forms, files, paths and parameters, in both dialects",
        arguments: ["/stream/0", "/v1"]
    )
    func appNet(_ base: String) async throws {
        try await withAppNet { alice in
            let channel = try await alice.createChannel()
            let form = "application/x-www-form-urlencoded"
            let raw = #"{"type":"com.example.a","value":{"k":"a\u0000b"}}"#
            let name = #"{"type":"com.example.a","value":{"a\u0000b":1}}"#
            let boundary = "multipart/form-data; boundary=b"
            let metadata =
                "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\na\u{0}b\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\ncom.example.a\r\n--b--\r\n"
            let fileName =
                "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\ncom.example.a\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a\u{0}b\"\r\n\r\nx\r\n--b--\r\n"
            let calls: [(String, String, String?, String)] = [
                ("POST", "channels/\(channel)/messages", #"{"text":"a\u0000b"}"#, "application/json"),
                ("POST", "channels/\(channel)/messages", #"{"text":"a","annotations":[\#(raw)]}"#, "application/json"),
                ("POST", "channels/\(channel)/messages", #"{"text":"a","annotations":[\#(name)]}"#, "application/json"),
                ("POST", "posts", #"{"text":"a\u0000b"}"#, "application/json"),
                ("POST", "posts", "text=a%00b", form),
                ("PATCH", "users/me", #"{"name":"a\u0000b"}"#, "application/json"),
                ("POST", "files", #"{"type":"com.example.a","name":"a\u0000b"}"#, "application/json"),
                ("POST", "files", metadata, boundary), ("POST", "files", fileName, boundary),
                ("GET", "channels/search?q=a%00b", nil, form), ("GET", "channels/search?q=%00", nil, form),
                ("GET", "users/@bob%00x", nil, form),
            ]
            for (method, path, body, type) in calls {
                let answer = try await alice.send(method, "\(base)/\(path)", body, type: type)
                #expect(answer.status == 400 && answer.message.contains("U+0000"), "\(method) \(path): \(answer.text)")
            }
            #expect(try await alice.get("users/me/messages").arrayValue?.isEmpty == true)
            #expect(try await alice.get("users/me/posts").arrayValue?.isEmpty == true)
            #expect(try await alice.get("users/me/files").arrayValue?.isEmpty == true)
        }
    }
}
