import Foundation
import HTTPTypes
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCore

@Suite("Bodies that are read while they are sent")
struct UploadBodyTests {
    private func request(_ content: RequestContent, _ configure: (inout ClientOptions) -> Void = { _ in }) async throws
        -> TransportRequest
    {
        let transport = MockTransport(answers: [.empty()])
        try await makePipeline(transport, configure: configure).call(.put, "/x", content).value()
        return try #require(transport.requests.first)
    }

    @Test("a file as a body has its size and type, and can be read again", arguments: [0, 1, 600_000])
    func file(size: Int) async throws {
        try await TemporaryFolder.with { folder in
            let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let url = URL(fileURLWithPath: folder + "/clip.mp4")
            try content.write(to: url)
            let request = try await request(.file(at: url))
            let upload = try #require(request.upload)
            #expect(request.fields[.contentType] == "video/mp4" && request.body == nil)
            #expect(upload.length == Int64(size) && upload.isReplayable)
            for _ in 0..<2 { #expect(try await upload.collected() == content) }
        }
    }

    @Test("the size of a file is read for each call")
    func sizes() async throws {
        try await TemporaryFolder.with { folder in
            let url = URL(fileURLWithPath: folder + "/log")
            let content = RequestContent.file(at: url, contentType: "text/plain")
            for size in [3, 5] {
                try Data(count: size).write(to: url)
                #expect(try await request(content).upload?.length == Int64(size))
            }
        }
    }

    @Test("a file that changes its size is refused before and while it is read", arguments: [-1, 1])
    func changes(by difference: Int) async throws {
        try await TemporaryFolder.with { folder in
            let url = URL(fileURLWithPath: folder + "/file")
            let size = 600_000
            try Data(count: size).write(to: url)
            let upload = try #require(try await request(.file(at: url)).upload)
            let source = try await upload.open()
            _ = try await source.next()
            #expect(truncate(url.path, off_t(size + difference)) == 0)
            await #expect(throws: UploadFailure.self) { while try await source.next() != nil {} }
            await #expect(throws: UploadFailure.self) { try await upload.open() }
        }
    }

    @Test("a body from what is not a regular file is refused", arguments: ["/", "/none", ""])
    func noFile(name: String) async throws {
        try await TemporaryFolder.with { folder in
            let upload = try #require(try await request(.file(atPath: name.isEmpty ? "" : folder + name)).upload)
            await #expect(throws: UploadFailure.self) { try await upload.open() }
        }
    }

    @Test("a stream as a body is read once")
    func once() async throws {
        let chunks = ["a", "", "bc"].map { Data($0.utf8) }
        let content = RequestContent.stream(isReplayable: false) {
            AsyncStream { continuation in
                for chunk in chunks { continuation.yield(chunk) }
                continuation.finish()
            }
        }
        let upload = try #require(try await request(content).upload)
        #expect(upload.length == nil && !upload.isReplayable)
        #expect(try await upload.collected() == Data("abc".utf8))
        await #expect(throws: UploadFailure.self) { try await upload.open() }
    }

    @Test("a streamed body uses HTTP/1.1 unless the call chooses another version")
    func version() async throws {
        let content = RequestContent.upload(UploadBody(Data([1])))
        #expect(try await request(content).version == .http1)
        #expect(try await request(content) { $0.streamHTTPVersion = .automatic }.version == .automatic)
        #expect(try await request(.bytes(Data([1]))).version == .automatic)
        let transport = MockTransport(answers: [.empty()])
        try await makePipeline(transport).call(.put, "/x", content).httpVersion(.http2PriorKnowledge).value()
        #expect(transport.requests.first?.version == .http2PriorKnowledge)
    }

    @Test(
        "the media type of a file follows its extension",
        arguments: [
            ("a.json", "application/json"), ("B.PNG", "image/png"), ("a.tar.gz", "application/gzip"),
            ("folder.png/file", "application/octet-stream"), ("none", "application/octet-stream"),
            ("odd.", "application/octet-stream"),
        ]
    )
    func types(name: String, type: String) { #expect(FileMediaTypes.type(ofFileNamed: name) == type) }
}

@Suite("Progress of transfers")
struct ProgressTests {
    @Test("progress is reported first, once in each interval, and at the end")
    func throttle() {
        var throttle = ProgressThrottle()
        let steps: [(Int64, Int, Bool)] = [
            (0, 0, true), (1, 0, false), (2, 99, false), (3, 100, true), (4, 150, false), (5, 199, false),
            (6, 201, true),
        ]
        for (completed, milliseconds, isDue) in steps {
            let decision = throttle.isDue(completed, at: .milliseconds(milliseconds))
            #expect(decision == isDue, "\(completed)")
        }
        for (completed, isDue) in [(Int64(6), false), (7, true), (7, false)] {
            let decision = throttle.isDueAtEnd(completed)
            #expect(decision == isDue, "\(completed) at the end")
        }
    }

    @Test("an upload reports its beginning and end for each attempt, also from memory")
    func upload() async throws {
        let clock = TestClock()
        let told = Guarded<[TransferProgress]>([])
        let transport = MockTransport(answers: [.empty()])
        let pipeline = try makePipeline(transport, clock: clock)
        try await pipeline.call(.post, "/", .bytes(Data(count: 150_000)))
            .uploadProgress { progress in told.withLock { $0.append(progress) } }.value()
        let request = try #require(transport.requests.first)
        let upload = try #require(request.upload)
        #expect(request.body == nil && upload.length == 150_000 && upload.isReplayable)
        for _ in 0..<2 {
            told.withLock { $0 = [] }
            let source = try await upload.open()
            while try await source.next() != nil { clock.advance(by: .milliseconds(60)) }
            // Asked for at 0, 60, 120 and 180 milliseconds.
            #expect(told.withLock { $0.map(\.completed) } == [0, 131_072, 150_000])
            #expect(told.withLock { $0.allSatisfy { $0.total == 150_000 } })
            #expect(told.withLock { $0.last?.fraction } == 1)
        }
        told.withLock { $0 = [] }
        let source = try await upload.openUnobserved()
        while try await source.next() != nil {}
        #expect(told.withLock { $0.isEmpty })
    }
}
