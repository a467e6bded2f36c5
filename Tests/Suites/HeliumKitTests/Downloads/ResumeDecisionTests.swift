import HTTPTypes
import Testing

@testable import HeliumKit

@Suite("Resuming a download")
struct ResumeDecisionTests {
    private static let tagged = DownloadPart(bytes: 100, validator: .tag("\"a\""), total: 250)
    private static let unsized = DownloadPart(bytes: 100, validator: .tag("\"a\""), total: nil)
    private static let dated = DownloadPart(
        bytes: 100,
        validator: .date("Sun, 06 Nov 1994 08:49:37 GMT"),
        total: 250
    )

    private static let table: [(String, DownloadPart?, Int, HTTPFields, ResumeDecision)] = [
        ("a first answer", nil, 200, [.contentLength: "250"], .restart(total: 250)),
        ("a first answer of unknown length", nil, 200, [:], .restart(total: nil)),
        ("a length that is none", nil, 200, [.contentLength: "+5"], .restart(total: nil)),
        ("a compressed one", nil, 200, [.contentLength: "9", .contentEncoding: "gzip"], .restart(total: nil)),
        ("a part unasked", nil, 206, [.contentRange: "bytes 0-9/10"], .refuse("")),
        ("no range, unasked", nil, 416, [.contentRange: "bytes */10"], .refuse("")),
        ("the rest", tagged, 206, [.contentRange: "bytes 100-249/250"], .append(total: 250)),
        (
            "the rest with its tag", tagged, 206, [.contentRange: "bytes 100-249/250", .eTag: "\"a\""],
            .append(total: 250)
        ),
        (
            "the rest of a size unknown till now", unsized, 206, [.contentRange: "bytes 100-249/250"],
            .append(total: 250)
        ),
        ("the rest, its size not told", tagged, 206, [.contentRange: "bytes 100-249/*"], .append(total: 250)),
        ("the rest, no size known", unsized, 206, [.contentRange: "bytes 100-249/*"], .append(total: nil)),
        ("the rest by date", dated, 206, [.contentRange: "bytes 100-249/250"], .append(total: 250)),
        ("another's rest", tagged, 206, [.contentRange: "bytes 100-249/250", .eTag: "\"b\""], .askForAll),
        (
            "another's rest by date", dated, 206,
            [.contentRange: "bytes 100-249/250", .lastModified: "Sun, 06 Nov 1994 08:49:38 GMT"], .askForAll
        ),
        ("another size", tagged, 206, [.contentRange: "bytes 100-250/251"], .askForAll),
        ("another place", tagged, 206, [.contentRange: "bytes 99-249/250"], .askForAll),
        ("not to the end", tagged, 206, [.contentRange: "bytes 100-200/250"], .askForAll),
        ("compressed", tagged, 206, [.contentRange: "bytes 100-249/250", .contentEncoding: "br"], .askForAll),
        (
            "identity by name", tagged, 206, [.contentRange: "bytes 100-249/250", .contentEncoding: "Identity"],
            .append(total: 250)
        ),
        ("no place told", tagged, 206, [:], .askForAll),
        ("several parts", tagged, 206, [.contentType: "multipart/byteranges; boundary=x"], .askForAll),
        ("nonsense", tagged, 206, [.contentRange: "bytes 100-99/250"], .askForAll),
        ("the resource has changed", tagged, 200, [.contentLength: "300"], .restart(total: 300)),
        ("all is there", unsized, 416, [.contentRange: "bytes */100"], .complete),
        ("more is there than was announced", tagged, 416, [.contentRange: "bytes */100"], .askForAll),
        ("all of another", unsized, 416, [.contentRange: "bytes */100", .eTag: "\"b\""], .askForAll),
        ("the resource is shorter", unsized, 416, [.contentRange: "bytes */99"], .askForAll),
        ("nothing told", unsized, 416, [:], .askForAll),
    ]

    @Test("each response to a resumed download has one meaning", arguments: table.indices)
    func decides(row: Int) {
        let (name, part, status, fields, expected) = Self.table[row]
        let decision = ResumeDecision(part: part, head: ResponseHead(status: status, fields: fields))
        if case .refuse = expected, case .refuse = decision { return }
        #expect(decision == expected, "\(name)")
    }

    @Test(
        "Content-Range is parsed by RFC 9110 only",
        arguments: [
            ("bytes 0-499/1234", true), ("bytes 0-0/1", true), ("Bytes 5-9/*", true), ("bytes */7", true),
            ("bytes */*", false), ("bytes 5-4/10", false), ("bytes 5-10/10", false), ("items 0-1/2", false),
            ("bytes -1-2/5", false), ("bytes 0-1", false), ("bytes 0-1/2/3", false), ("bytes +0-1/2", false),
            ("bytes 0-99999999999999999999/*", false), ("", false), ("bytes", false),
        ]
    )
    func contentRange(text: String, isValid: Bool) { #expect((ContentRange(text) != nil) == isValid) }

    @Test("only strong validators resume a download")
    func validators() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let table: [(HTTPFields, DownloadValidator?)] = [
            ([.eTag: "\"a\""], .tag("\"a\"")), ([.eTag: "W/\"a\""], nil), ([.eTag: "a"], nil), ([.eTag: "\""], nil),
            ([.eTag: "\"a\"b\""], nil), ([.eTag: "\"a\",\"b\""], nil),
            ([.lastModified: date, .date: "Sun, 06 Nov 1994 08:50:37 GMT"], .date(date)),
            ([.lastModified: date, .date: "Sun, 06 Nov 1994 08:50:36 GMT"], nil),
            ([.lastModified: date], nil), ([.lastModified: "yesterday", .date: date], nil), ([:], nil),
            ([.lastModified: "W/\(date)", .date: "Sun, 06 Nov 1994 08:50:37 GMT"], nil),
            ([.lastModified: "\"\(date)", .date: "Sun, 06 Nov 1994 08:50:37 GMT"], nil),
            ([.eTag: "W/\"a\"", .lastModified: date, .date: "Mon, 07 Nov 1994 08:50:37 GMT"], nil),
        ]
        for (fields, expected) in table {
            #expect(DownloadValidator(ResponseHead(status: 200, fields: fields)) == expected, "\(fields)")
        }
    }

    @Test("a record beside a part counts only with a strong validator and a size that a resource can have")
    func records() throws {
        let url = try RequestURL("https://api.example.com/a")
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let table: [(DownloadValidator, Int64?, Bool)] = [
            (.tag("\"a\""), 7, true), (.tag("\"a\""), nil, true), (.date(date), 0, true), (.tag("\"a\""), -1, false),
            (.tag("W/\"a\""), 7, false), (.tag(""), 7, false), (.tag("\"a\", \"b\""), 7, false),
            (.tag("\"a\r\nb\""), 7, false), (.date(""), 7, false), (.date("yesterday"), 7, false),
            (.date(" \(date)"), 7, false),
        ]
        for (validator, total, isValid) in table {
            let record = DownloadRecord(url: url, validator: validator, total: total)
            let read = DownloadRecord(try record.bytes, for: url)
            #expect(read == (isValid ? record : nil), "\(record)")
        }
        let record = DownloadRecord(url: url, validator: .tag("\"a\""), total: 7)
        #expect(DownloadRecord(try record.bytes, for: try RequestURL("https://api.example.com/b")) == nil)
    }
}
