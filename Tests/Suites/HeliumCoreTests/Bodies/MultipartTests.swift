import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore

@Suite("Multipart forms")
struct MultipartTests {
    private func encode(_ form: MultipartForm) async throws -> (body: Data, upload: UploadBody, type: String) {
        let encoding = MultipartEncoding(random: .system)
        let upload = try encoding.body(of: form)
        return (try await upload.collected(), upload, encoding.contentType)
    }

    @Test("a multipart form is parsed into the same texts, bytes, files and headers")
    func roundTrip() async throws {
        try await TemporaryFolder.with { folder in
            let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let path = folder + "/holiday.JPEG"
            try content.write(to: URL(fileURLWithPath: path))
            let form = MultipartForm([
                .text("Grüße\r\n--helium-", name: "title"),
                .data(Data([0, 13, 10, 45, 45]), name: "raw", fileName: "a.bin", fields: [.contentLanguage: "de"]),
                .file(atPath: path, name: "photo"),
                .upload(UploadBody(Data("stream".utf8)), name: "stream", fileName: "s.txt", contentType: "text/x-log"),
                .text("", name: "empty", contentType: "text/plain"),
            ])
            let (body, upload, type) = try await encode(form)
            let parts = try MultipartParser(contentType: type).parts(of: body)
            #expect(
                parts.map(\.body) == [
                    Data("Grüße\r\n--helium-".utf8), Data([0, 13, 10, 45, 45]), content, Data("stream".utf8), Data(),
                ]
            )
            #expect(
                parts.map(\.header) == [
                    ["Content-Disposition: form-data; name=\"title\""],
                    [
                        "Content-Disposition: form-data; name=\"raw\"; filename=\"a.bin\"",
                        "Content-Type: application/octet-stream", "Content-Language: de",
                    ],
                    [
                        "Content-Disposition: form-data; name=\"photo\"; filename=\"holiday.JPEG\"",
                        "Content-Type: image/jpeg",
                    ],
                    [
                        "Content-Disposition: form-data; name=\"stream\"; filename=\"s.txt\"",
                        "Content-Type: text/x-log",
                    ],
                    ["Content-Disposition: form-data; name=\"empty\"", "Content-Type: text/plain"],
                ]
            )
            #expect(upload.length == Int64(body.count) && upload.isReplayable)
            #expect(try await upload.collected() == body)
        }
    }

    @Test("one part of unknown length, or that is read only once, makes the whole form so")
    func unknown() throws {
        let once = UploadBody(length: nil, isReplayable: false) { throw UploadFailure("never") }
        let upload = try MultipartEncoding(random: .system).body(
            of: MultipartForm([.text("a", name: "b"), .upload(once, name: "c")])
        )
        #expect(upload.length == nil && !upload.isReplayable)
    }

    @Test(
        "names in a multipart form are escaped as by browsers",
        arguments: [
            ("plain", "plain"), ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("ä %22 \\", "ä %22 \\"),
            ("\r\"\n", "%0D%22%0A"),
        ]
    )
    func escaping(name: String, expected: String) async throws {
        let (body, _, type) = try await encode(MultipartForm([.data(Data(), name: name, fileName: name)]))
        let part = try #require(try MultipartParser(contentType: type).parts(of: body).first)
        #expect(part.header.first == "Content-Disposition: form-data; name=\"\(expected)\"; filename=\"\(expected)\"")
    }

    @Test("the boundary of a multipart form has 128 random bits of the given source")
    func boundary() {
        let numbers = Guarded<[UInt64]>([0x0123_4567_89AB_CDEF, 0x1])
        let random = RandomSource { numbers.withLock { $0.removeFirst() } }
        let content = RequestContent.multipart(MultipartForm(), random: random)
        #expect(content.contentType == "multipart/form-data; boundary=helium-0123456789abcdef0000000000000001")
        #expect(MultipartEncoding(random: .system).boundary != MultipartEncoding(random: .system).boundary)
    }

    @Test(
        "an invalid multipart form fails before any I/O",
        arguments: [
            ("no part", MultipartForm()),
            ("no name", MultipartForm([.text("a", name: "")])),
            ("media type", MultipartForm([.text("a", name: "b", contentType: "text/plain\r\nX: y")])),
            (
                "the field Content-Disposition",
                MultipartForm([.text("a", name: "b", fields: [.contentDisposition: "x"])])
            ),
            ("the field Content-Type", MultipartForm([.text("a", name: "b", fields: [.contentType: "text/html"])])),
        ]
    )
    func invalid(reason: String, form: MultipartForm) async throws {
        let transport = MockTransport(answers: [.empty()])
        let pipeline = try makePipeline(transport)
        let error = try await failure { try await pipeline.call(.post, "/", .multipart(form)).value() }
        #expect(error.kind == .invalidRequest && error.delivery == .notSent && error.message.contains(reason))
        #expect(transport.requests.isEmpty)
    }

    @Test("a missing file in a form fails when it is opened, and one that shrinks while it is read")
    func badFiles() async throws {
        try await TemporaryFolder.with { folder in
            let (_, missing, _) = (
                0,
                try MultipartEncoding(random: .system).body(
                    of: MultipartForm([.file(atPath: folder + "/none", name: "f")])
                ), 0
            )
            await #expect(throws: UploadFailure.self) { try await missing.collected() }
            let lying = UploadBody(length: 5, isReplayable: true) { try await UploadBody(Data("four".utf8)).open() }
            let upload = try MultipartEncoding(random: .system).body(
                of: MultipartForm([.upload(lying, name: "a"), .text("b", name: "c")])
            )
            await #expect(throws: UploadFailure.self) { try await upload.collected() }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let contentDisposition = Self(constant: "Content-Disposition")
}

/// A folder for the time of a test.
enum TemporaryFolder {
    static func with<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("helium-bodies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url.path)
    }
}

extension UploadBody {
    /// All of the body, as a transport would read it.
    func collected() async throws -> Data {
        let source = try await open()
        defer { source.cancel() }
        var data = Data()
        while let chunk = try await source.next() { data += chunk }
        return data
    }
}
