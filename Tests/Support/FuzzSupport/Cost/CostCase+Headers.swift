import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit

// What reads fields of responses, and URLs.
extension CostCase {
    static let headers: [CostCase] = [
        CostCase(
            "links",
            slots: ["‹›", "<‹›>; rel=next", "<a>; rel=\"‹›\""],
            repeated: ["‹<a¤>; rel=\"next\", ›", "<a>‹; b=\"c\"›"]
        ) {
            _ = LinkHeader(String(decoding: $0, as: UTF8.self))
        },
        CostCase(
            "references",
            slots: ["‹›", "/‹›", "https://‹›/", "?a=‹›"],
            repeated: ["‹../›", "‹a/../›", "‹/›", "/‹a/›../", "http://‹a.›"]
        ) {
            let base = try RequestURL("https://api.example.com/a/b?c=d")
            let url = try base.resolving(String(decoding: $0, as: UTF8.self))
            _ = (url.absoluteString, url.redacted)
        },
        // What a template's values are: they may be ids and names that came from a service.
        CostCase("templates", slots: ["‹›", "a/‹›"], repeated: ["‹../›", "‹%2e/›"]) {
            let pipeline = try FuzzPipeline.make(path: "/base")
            let text = String(decoding: $0, as: UTF8.self)
            let builder = RequestBuilder(.get, "/a/:id/b", reader: PlainReaders.nothing, pipeline: pipeline)
            _ = try? builder.pathReplacements(["id": text]).transportRequest().url.target
            let literal = builder.pathReplacements(PathReplacements([":id": text]), mode: .literal)
            _ = try? literal.transportRequest().url.target
            var parameters = QueryParameters()
            parameters[text] = .list([text, text])
            let query = RequestBuilder(.get, "/q", reader: PlainReaders.nothing, pipeline: pipeline)
            _ = try? query.parameters(parameters).transportRequest().url.target
        },
        CostCase("retry-after", slots: ["‹›", "Sun, 06 Nov 1994 08:49:37 ‹›", "0.‹›"]) {
            for name in ["Retry-After", "X-RateLimit-Reset", "Date"] {
                let head = ResponseHead(status: 429, section: Array("\(name): ".utf8) + $0 + [13, 10])
                _ = ServerDelay.read(from: head, now: .zero)
            }
            _ = HTTPDate.parse(String(decoding: $0, as: UTF8.self))
        },
        CostCase(
            "media-types",
            slots: ["‹›", "text/html; charset=\"‹›\"", "a/‹›"],
            repeated: ["a/b‹;c¤=d›", "a/b‹;›"]
        ) {
            let text = String(decoding: $0, as: UTF8.self)
            let type = MediaType(text)
            _ = (type?.essence, type?.charset, type?.isHTML)
            _ = ContentRange(text)
        },
        CostCase("content-range", slots: ["‹›", "bytes ‹›", "bytes 0-‹›/1"]) {
            _ = ContentRange(String(decoding: $0, as: UTF8.self))
        },
        CostCase(
            "fields",
            slots: ["Location: ‹›\r\n", "‹›: a\r\n", "Content-Type: ‹›\r\nWWW-Authenticate: ‹›\r\n"],
            repeated: ["‹X-A¤: b\r\n›", "‹Set-Cookie: b\r\n›"]
        ) {
            let head = ResponseHead(status: 401, section: $0)
            for field in head.fields { _ = (field.name, field.value) }
            _ = (head[.contentType], head[.location], head.fields[values: .wwwAuthenticate])
        },
    ]
}
