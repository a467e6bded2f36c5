import HTTPTypes
import HeliumCore
import Testing

@Suite("Response head")
struct ResponseHeadTests {
    private let head = ResponseHead(
        status: 200,
        section: Array(
            "Content-Type:text/plain \r\nX-A: 1\r\nx-a:\t2\nno colon\r\n: empty name\r\nX Bad: 3\r\nETag: \"a:b\"\r\n\r\n"
                .utf8
        )
    )

    @Test("a field of a response head is found in any letter case, without surrounding spaces")
    func lookup() throws {
        #expect(head[.contentType] == "text/plain")
        #expect(head[try #require(HTTPField.Name("x-A"))] == "1")
        #expect(head[.eTag] == "\"a:b\"")
        #expect(head[.server] == nil)
    }

    @Test("a response head has all valid fields in their order")
    func all() throws {
        #expect(head.fields.map(\.name.canonicalName) == ["content-type", "x-a", "x-a", "etag"])
        #expect(head.fields[values: try #require(HTTPField.Name("x-a"))] == ["1", "2"])
    }

    @Test("a response head has the fields that it was made from")
    func roundTrip() {
        let fields: HTTPFields = [.contentType: "application/json", .eTag: "W/\"x\""]
        #expect(ResponseHead(status: 201, fields: fields).fields == fields)
    }

    @Test("the description of a response head masks credentials")
    func redaction() {
        let head = ResponseHead(status: 200, fields: [.setCookie: "sid=s3cr3t", .server: "x"])
        #expect(!"\(head)".contains("s3cr3t"))
        #expect("\(head)".contains("server: x") || "\(head)".contains("Server: x"))
        var dumped = ""
        dump(head, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
    }
}
