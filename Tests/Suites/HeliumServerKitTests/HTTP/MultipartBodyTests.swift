import HeliumServer
import Testing

@testable import HeliumServerKit

@Suite("Bodies of multipart/form-data (RFC 7578)", .timeLimit(.minutes(5)))
struct MultipartBodyTests {
    static let type = #"multipart/form-data; boundary="=_b1""#

    private func parse(_ text: String, type: String = Self.type) throws(MultipartBody.Failure) -> MultipartBody {
        try MultipartBody(Array(text.utf8), contentType: type)
    }

    @Test("a multipart body is parsed into fields and files in order, with names, types and bytes")
    func parts() throws {
        let body = try parse(
            "preamble\r\n--=_b1\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nimage\r\n"
                + "--=_b1 \r\ncontent-disposition: form-data; filename=\"C:\\\\a\\b \\\"c\\\";.png\"; name=content\r\n"
                + "Content-Type: image/png\r\n\r\n\u{1}\r\n-\r\n--=_b2\r\n\r\n--=_b1--\r\nepilogue"
        )
        #expect(body.parts.map(\.name) == ["kind", "content"])
        #expect(body["kind"] == .init(name: "kind", fileName: nil, mediaType: nil, body: Array("image".utf8)))
        let content = try #require(body["content"])
        #expect(content.fileName == "b \"c\";.png")
        #expect(content.mediaType == "image/png")
        #expect(content.text == "\u{1}\r\n-\r\n--=_b2\r\n")
        #expect(body["other"] == nil)
    }

    @Test("a part of a multipart body in Base64 is decoded, with its line breaks")
    func base64() throws {
        let header = "--=_b1\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: BASE64\r\n\r\n"
        #expect(try parse(header + "aGVs\r\nbG8=\r\n--=_b1--")["a"]?.text == "hello")
        #expect(throws: MultipartBody.Failure.notBase64) { try parse(header + "aGVsbG8\r\n--=_b1--") }
    }

    @Test("a multipart body may be empty, and have empty parts and names in UTF-8")
    func odd() throws {
        #expect(try parse("--=_b1--").parts == [])
        let empty = try parse("--=_b1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--=_b1--")
        #expect(empty["a"]?.body == [])
        let named = try parse(
            "--=_b1\r\nContent-Disposition: form-data; name=a; filename=x; filename*=UTF-8''na%C3%AFve.txt\r\n\r\n1"
                + "\r\n--=_b1--"
        )
        #expect(named["a"]?.fileName == "naïve.txt")
        #expect(try parse("--=_b1\r\n\r\nanonymous\r\n--=_b1--").parts == [])
    }

    @Test(
        "an invalid multipart body is refused",
        arguments: [
            ("--=_b1--", "multipart/form-data", MultipartBody.Failure.noBoundary),
            ("--=_b1--", "application/json", .noBoundary),
            ("", Self.type, .malformed),
            ("nothing", Self.type, .malformed),
            ("--=_b1\r\nContent-Disposition: form-data; name=a\r\n\r\ncut", Self.type, .malformed),
            ("--=_b1\r\n\r\n--=_b1", Self.type, .malformed),
            ("--=_b1\r\n--=_b1--", Self.type, .malformed),
            ("--=_b1\r\nno colon\r\n\r\n\r\n--=_b1--", Self.type, .malformed),
        ]
    )
    func refused(_ text: String, _ type: String, _ failure: MultipartBody.Failure) {
        #expect(throws: failure) { try parse(text, type: type) }
    }

    @Test("the number of parts of a multipart body and the length of their headers are limited")
    func ceilings() throws {
        let part = "--=_b1\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n"
        #expect(try parse(String(repeating: part, count: 64) + "--=_b1--").parts.count == 64)
        #expect(throws: MultipartBody.Failure.tooManyParts) {
            try parse(String(repeating: part, count: 65) + "--=_b1--")
        }
        let long = "--=_b1\r\nX-Long: \(String(repeating: "x", count: 9000))\r\n\r\n1\r\n--=_b1--"
        #expect(throws: MultipartBody.Failure.headerTooLong) { try parse(long) }
    }

    @Test("a cut multipart body is refused, wherever it is cut")
    func cuts() throws {
        let whole = Array(
            ("--=_b1\r\nContent-Disposition: form-data; name=a\r\nContent-Type: text/plain\r\n\r\n1\r\n"
                + "--=_b1\r\n\r\n\r\n--=_b1--").utf8
        )
        for count in 0..<whole.count {
            #expect(throws: MultipartBody.Failure.self) {
                try MultipartBody(Array(whole[..<count]), contentType: Self.type)
            }
        }
        #expect(try MultipartBody(whole, contentType: Self.type).parts.count == 1)
    }
}
