import Foundation
import HTTPTypes
import HeliumKit
import Synchronization

extension Check {
    static let methods: [Check] =
        [HTTPRequest.Method.get, .post, .put, .patch, .delete].flatMap { method in
            [
                Check("\(method.rawValue) /\(method.rawValue.lowercased())") { bin in
                    let path = "/\(method.rawValue.lowercased())"
                    let echo = try await bin.helium.request(method, path, returning: Echo.self).value()
                    try expect(echo.url, is: bin.url.absoluteString + path, "the URL")
                },
                Check("\(method.rawValue) /anything tells the method") { bin in
                    let echo = try await bin.helium.request(method, "/anything", returning: Echo.self).value()
                    try expect(echo.method, is: method.rawValue, "the method")
                },
            ]
        } + [
            Check("HEAD has fields and no body") { bin in
                let answer = try await bin.helium.head("/get").response()
                try expect(answer.status, is: 200, "the status")
                guard (answer[.contentLength].flatMap { Int($0) } ?? 0) > 0 else { throw Disagreement("no length") }
            },
            Check("OPTIONS") { bin in
                let answer = try await bin.helium.request(.options, "/get").response()
                guard answer[.allow]?.contains("GET") == true else {
                    throw Disagreement("Allow is \(answer[.allow] ?? "-")")
                }
            },
        ]

    static let fields: [Check] = [
        Check("parameters, sorted, repeated, escaped") { bin in
            let echo = try await bin.helium.get("/anything", returning: Echo.self)
                .parameters(["q": "a b&c=d/ü+", "list": [1, 2], "empty": ""]).value()
            try expect(
                echo.args,
                is: ["q": .one("a b&c=d/ü+"), "list": .many(["1", "2"]), "empty": .one("")],
                "the parameters"
            )
        },
        Check("path replacements stay in their segment") { bin in
            let echo = try await bin.helium.get("/anything/:a/end", returning: Echo.self)
                .pathReplacements(["a": "x y?ü"]).value()
            try expect(echo.url.removingPercentEncoding, is: "\(bin.url.absoluteString)/anything/x y?ü/end", "the URL")
        },
        Check("fields, User-Agent") { bin in
            let echo = try await bin.helium.get("/headers", returning: Headers.self)
                .fields(["X-Interop": "a, b"]).value()
            try expect(echo.headers["X-Interop"], is: "a, b", "the field")
            try expect(echo.headers["User-Agent"], is: ClientOptions().userAgent, "User-Agent")
        },
        Check("/response-headers, also repeated ones") { bin in
            let answer = try await bin.helium.get("/response-headers").parameters(["X-Two": ["a", "b"]]).response()
            try expect(answer.fields[values: .init("X-Two") ?? .accept], is: ["a", "b"], "the field")
        },
        Check("/cookies are not kept") { bin in
            _ = try await bin.helium.get("/cookies/set/a/b").redirects(.never).acceptableStatusCodes(302..<303).value()
            let kept = try await bin.helium.get("/cookies", returning: Cookies.self).value()
            try expect(kept.cookies, is: [:], "the cookies")
            let sent = try await bin.helium.get("/cookies", returning: Cookies.self).field(.cookie, "c=d").value()
            try expect(sent.cookies, is: ["c": "d"], "the cookies")
        },
    ]

    static let bodies: [Check] = [
        Check("/anything echoes a text") { bin in
            let echo = try await bin.helium.post("/anything", body: .text("Grüße\r\n"), returning: Echo.self).value()
            try expect(echo.data, is: "Grüße\r\n", "the body")
        },
        Check("/anything echoes JSON") { bin in
            let echo = try await bin.helium.put("/anything", body: ["a": 1, "b": -2], returning: Echo.self).value()
            try expect(echo.json, is: ["a": 1, "b": -2], "the body")
        },
        Check("/anything reads a form") { bin in
            let form = RequestContent.form(["a": "b c&ü=", "d": ["1", "2"]])
            let echo = try await bin.helium.post("/anything", body: form, returning: Echo.self).value()
            try expect(echo.form, is: ["a": .one("b c&ü="), "d": .many(["1", "2"])], "the form")
        },
        Check("/anything reads multipart: fields, files, streams") { bin in
            var form = MultipartForm()
            form.append(.text("Ferien in Zürich\r\n--helium", name: "title"))
            form.append(.text("one", name: "tag"))
            form.append(.text("two", name: "tag"))
            form.append(.data(Data("a,b\r\n\r\n".utf8), name: "table", fileName: "naïve \"x\".csv"))
            let body = UploadBody(length: 11, isReplayable: true) { OneChunk(Data("hello world".utf8)) }
            form.append(.upload(body, name: "note", fileName: "n.txt"))
            let echo = try await bin.helium.post("/anything", body: .multipart(form), returning: Echo.self).value()
            try expect(
                echo.form,
                is: ["title": .one("Ferien in Zürich\r\n--helium"), "tag": .many(["one", "two"])],
                "the form"
            )
            try expect(echo.files, is: ["table": .one("a,b\r\n\r\n"), "note": .one("hello world")], "the files")
        },
        Check("an upload of announced length") { bin in
            let body = UploadBody(length: 100_000, isReplayable: true) { OneChunk(Data(repeating: 97, count: 100_000)) }
            let echo = try await bin.helium.put("/anything", body: .upload(body), returning: Echo.self).value()
            try expect(echo.data?.utf8.count, is: 100_000, "the size")
            try expect(echo.headers["Content-Length"], is: "100000", "Content-Length")
        },
        Check("an upload in chunks") { bin in
            let body = UploadBody(length: nil, isReplayable: true) { OneChunk(Data(repeating: 98, count: 70_000)) }
            let echo = try await bin.helium.post("/anything", body: .upload(body), returning: Echo.self).value()
            try expect(echo.headers["Transfer-Encoding"], is: "chunked", "Transfer-Encoding")
            try expect(echo.data, is: String(repeating: "b", count: 70_000), "the body")
        },
    ]

    private struct Headers: Decodable, Sendable { let headers: [String: String] }
    private struct Cookies: Decodable, Sendable { let cookies: [String: String] }
}

/// A body in one piece.
private final class OneChunk: UploadSource {
    private let rest: Mutex<Data?>

    init(_ data: Data) { rest = Mutex(data) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
    }

    func cancel() {}
}
