import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting

// What reads bodies of any service: failures, line streams, archives.
extension CostCase {
    static let bodies: [CostCase] = [
        CostCase(
            "error-bodies",
            slots: [
                "‹›", "<html><title>‹›</title>", "<html>‹›", #"{"type":"‹›","title":"t"}"#, #"{"‹›":1}"#, "text ‹›",
            ],
            repeated: ["<html>‹<p>›", "<html>‹<!---->›", "<html>‹<title></title>›", #"{‹"a¤":[{"b":1}],›"c":1}"#]
        ) { bytes in
            for contentType in ["text/html; charset=iso-8859-1", "application/problem+json", "text/plain", nil] {
                let body = ErrorBody(status: 500, contentType: contentType, body: Data(bytes))
                _ = body.redacted(by: Redactor(secrets: ["a secret of mine"])).description
            }
        },
        CostCase("file-names", slots: ["‹›", "a/‹›.txt", "a.‹›/b"]) {
            _ = MultipartForm.Part.file(atPath: String(decoding: $0, as: UTF8.self), name: "a")
        },
        CostCase("redaction", slots: ["‹›"], repeated: ["‹0f›", "‹s3cretvalu›", "‹S›", "‹s3cretvalue›"]) {
            let redactor = Redactor(secrets: ["s3cretvalue", "another-secret"])
            _ = redactor.redact(String(decoding: $0, as: UTF8.self))
        },
        CostCase(
            "failures",
            slots: [
                #"{"errors":[{"code":"‹›","msg":"m"}]}"#, #"{"errors":[{"code":"c","id":"‹›","in":"‹›","msg":"‹›"}]}"#,
            ],
            repeated: [#"{"errors":[‹{"code":"c¤"},›0]}"#, #"{"errors":[‹"a text in place of an object",›0]}"#]
        ) { bytes in
            for status in [400, 401, 500] {
                let transport = Answering(status: status, body: bytes)
                var options = ClientOptions()
                options.retry = .never
                options.timeouts = PhaseTimeouts()
                options.timeouts.total = nil
                options.envelope = .middleware
                let authorizer = try FieldAuthorizer(
                    name: .authorization,
                    prefix: "Bearer ",
                    secret: Secret("s3cret-token")
                )
                let pipeline = try FuzzPipeline.make(transport: transport, authorizer: authorizer, options: options)
                do {
                    try await RequestBuilder(.get, "/a", reader: PlainReaders.nothing, pipeline: pipeline).value()
                } catch {
                    _ = "\(error)"
                }
            }
        },
        CostCase(
            "events",
            slots: ["data: ‹›\n\n", "‹›: a\n\n", "id: ‹›\n\n"],
            repeated: ["‹data: a\n›\n", "‹data: a\n\n›", "‹\r›", "‹retry: 1\n›"]
        ) {
            for size in [7, 4096] {
                _ = LineStreamFuzz.events(
                    in: LineStreamFuzz.chunks(of: $0, size),
                    lineBytes: 1 << 20,
                    eventBytes: 1 << 20
                )
            }
        },
        CostCase("lines", slots: ["‹›\n"], repeated: ["‹a\n›", "‹\r\n›", "‹\r›"]) {
            for size in [7, 4096] {
                _ = LineStreamFuzz.lines(in: LineStreamFuzz.chunks(of: $0, size), .all, limit: 1 << 20)
                _ = LineStreamFuzz.lines(in: LineStreamFuzz.chunks(of: $0, size), .lineFeeds, limit: 1 << 20)
            }
        },
        CostCase(
            "har",
            slots: [
                #"{"log":{"version":"1.2","creator":{"name":"‹›","version":"0"},"entries":[]}}"#,
                archive(#"{"name":"‹›","value":"v"}"#), archive(#"{"name":"n","value":"‹›"}"#),
            ],
            repeated: [archive(#"‹{"name":"n¤","value":"v"},›{"name":"n","value":"v"}"#)]
        ) {
            let har = try HAR(Data($0), upTo: 1 << 24)
            _ = (try? har.encoded(), try? ReplayTransport(har))
        },
    ]

    private static func archive(_ headers: String) -> String {
        #"{"log":{"version":"1.2","creator":{"name":"H","version":"0"},"entries":[{"startedDateTime":"#
            + #""2016-02-12T08:00:07.000Z","time":12.5,"request":{"method":"GET","url":"https://api.example.com/t?a=b","#
            + #""httpVersion":"HTTP/1.1","headers":[\#(headers)],"queryString":[],"cookies":[],"headersSize":-1,"#
            + #""bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"h2","headers":[\#(headers)],"#
            + #""cookies":[],"content":{"size":3,"mimeType":"text/plain","text":"abc"},"redirectURL":"","headersSize":-1,"#
            + #""bodySize":-1},"cache":{},"timings":{"send":0,"wait":6.5,"receive":2}}]}}"#
    }
}

/// Answers every request the same.
struct Answering: HTTPTransport {
    let status: Int
    let body: [UInt8]

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let head = ResponseHead(status: status, section: Array("Content-Type: application/json\r\n".utf8))
        return TransportResponse(head: head, body: .collected(Data(body)))
    }

    func shutdown() async {}
}
