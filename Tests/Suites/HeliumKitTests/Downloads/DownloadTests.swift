import Foundation
import HTTPTypes
import HeliumCrypto
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumKit

@Suite("Downloads to files", .timeLimit(.minutes(5)))
struct DownloadTests {
    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 8) })

    /// A folder and a client for a server that goes by `script`.
    private func run(
        _ script: @escaping FaultServer.Script,
        _ body: (Helium, String, FaultServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await FaultServer.run(script) { server in
            let url = try #require(URL(string: server.url))
            try await withHelium(baseURL: url) { helium in try await body(helium, folder.path, server) }
        }
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func contents(of path: String) -> Data? { FileManager.default.contents(atPath: path) }

    /// A server that knows ranges, and breaks the first `cuts` answers off after half of what they announce.
    private static func ranges(
        _ content: Data = content,
        tag: String = "\"v1\"",
        cuts: Int = 0
    ) -> FaultServer.Script {
        { request in
            let from = request.value(of: "Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            let isSame = request.value(of: "If-Range") == tag
            let start = isSame ? from ?? 0 : 0
            let rest = content.dropFirst(start)
            var head = "HTTP/1.1 \(start > 0 ? 206 : 200) Test\r\nETag: \(tag)\r\nContent-Length: \(rest.count)\r\n"
            if start > 0 { head += "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n" }
            let isCut = request.number <= cuts
            let sent = isCut ? rest.prefix(rest.count / 2) : rest
            return [.send(Data("\(head)\r\n".utf8) + sent)] + (isCut ? [.close] : [])
        }
    }

    @Test("a downloaded file is complete, with no other file beside it")
    func whole() async throws {
        try await run(Self.ranges()) { helium, folder, server in
            let path = folder + "/clip.mp4"
            try Data("old".utf8).write(to: URL(fileURLWithPath: path))
            let told = Guarded<[TransferProgress]>([])
            var options = DownloadOptions()
            options.sha256 = SHA256.hash(Self.content).hex.uppercased()
            options.progress = { progress in told.withLock { $0.append(progress) } }
            let download = try await helium.get("/clip").download(to: URL(fileURLWithPath: path), options: options)
            #expect(download.bytes == Int64(Self.content.count) && !download.isResumed && download.head.status == 200)
            #expect(download.sha256 == SHA256.hash(Self.content).hex && download.attempts.count == 1)
            let (first, last) = (try #require(download.timings.firstByte), try #require(download.timings.total))
            #expect(first > .zero && last >= first && !download.timings.isConnectionReused)
            #expect(contents(of: path) == Self.content)
            #expect(try names(in: folder) == ["clip.mp4"])
            let progress = told.withLock { $0 }
            #expect(progress.first == TransferProgress(completed: 0, total: 300_000))
            #expect(progress.last == TransferProgress(completed: 300_000, total: 300_000))
            #expect(server.requests.first?.value(of: "Accept-Encoding") == "identity")
            #expect(server.requests.first?.value(of: "Range") == nil)
        }
    }

    @Test("the timeout of a call limits the whole download", arguments: [true, false])
    func timeLimit(isEndless: Bool) async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunk = "400\r\n\(String(repeating: "x", count: 1024))\r\n"
        let body: FaultServer.Action = isEndless ? .endless(chunk) : .hang
        try await run({ _ in [.send(head + chunk), body] }) { helium, folder, _ in
            let call = helium.get("/").timeout(.seconds(1))
            let error = try await failure(of: { try await call.download(toPath: folder + "/file") })
            #expect(error.kind == .timedOut && error.phase == .total && error.delivery == .answered)
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("the bytes of a download are limited by default")
    func defaultCeiling() async throws {
        let length = DownloadOptions.defaultMaximumBytes + 1
        try await run({ _ in [.answer(announcing: Int(length), body: "x"), .hang] }) { helium, folder, _ in
            let error = try await failure(of: { try await helium.get("/").download(toPath: folder + "/file") })
            #expect(error.kind == .ceilingExceeded && error.ceiling == .bodyBytes)
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("a partial compressed body makes no file")
    func halfCompressed() async throws {
        // A server may compress although it was asked not to: the beginning of a gzip body.
        let half = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 0x4B])
        try await run({ _ in [.answer(fields: ["Content-Encoding: gzip"], body: half)] }) { helium, folder, _ in
            let error = try await failure(of: { try await helium.get("/").download(toPath: folder + "/file") })
            #expect(error.kind == .malformedResponse && error.delivery == .answered)
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("an empty download is an empty file")
    func empty() async throws {
        try await run({ _ in [.answer(body: "")] }) { helium, folder, _ in
            let download = try await helium.get("/").download(toPath: folder + "/none")
            #expect(download.bytes == 0)
            #expect(contents(of: folder + "/none") == Data())
        }
    }

    @Test("an interrupted download is resumed where it stopped, as often as needed")
    func resumes() async throws {
        try await run(Self.ranges(cuts: 3)) { helium, folder, server in
            var options = DownloadOptions()
            options.resume = .ifPossible
            options.sha256 = SHA256.hash(Self.content).hex
            let get = helium.get("/clip")
            for _ in 0..<3 {
                let error = try await failure(of: { try await get.download(toPath: folder + "/a", options: options) })
                #expect(error.kind == .connectionLost)
                #expect(try names(in: folder) == [".a.partial", ".a.partial-of"])
            }
            let download = try await get.download(toPath: folder + "/a", options: options)
            #expect(download.isResumed && download.head.status == 206 && download.bytes == 300_000)
            #expect(contents(of: folder + "/a") == Self.content)
            #expect(try names(in: folder) == ["a"])
            #expect(
                server.requests.map { $0.value(of: "Range") } == [
                    nil, "bytes=150000-", "bytes=225000-", "bytes=262500-",
                ]
            )
            #expect(server.requests.dropFirst().allSatisfy { $0.value(of: "If-Range") == "\"v1\"" })
        }
    }

    @Test("an interrupted download leaves no part unless it can be resumed")
    func leavesNothing() async throws {
        for (tag, resume) in [("\"v1\"", DownloadOptions.Resumption.never), ("W/\"v1\"", .ifPossible)] {
            try await run(Self.ranges(tag: tag, cuts: 1)) { helium, folder, _ in
                var options = DownloadOptions()
                options.resume = resume
                _ = try await failure(of: {
                    try await helium.get("/").download(toPath: folder + "/a", options: options)
                })
                #expect(try names(in: folder).isEmpty)
            }
        }
    }

    /// Leaves the part of an earlier download of half the content.
    private func leavePart(_ helium: Helium, _ folder: String, path: String = "/clip") async throws -> DownloadOptions {
        var options = DownloadOptions()
        options.resume = .ifPossible
        _ = try await failure(of: { try await helium.get(path).download(toPath: folder + "/a", options: options) })
        #expect(try names(in: folder) == [".a.partial", ".a.partial-of"])
        return options
    }

    @Test("the part of an earlier download is read before the request, within the time limit")
    func partBeforeRequest() async throws {
        try await run(Self.ranges(cuts: 1)) { helium, folder, server in
            var options = try await leavePart(helium, folder)
            options.sha256 = SHA256.hash(Self.content).hex
            let get = helium.get("/clip")
            let late = try await failure(of: {
                try await get.timeout(.zero).download(toPath: folder + "/a", options: options)
            })
            #expect(late.kind == .timedOut && late.phase == .total && late.delivery == .notSent)
            #expect(server.requestCount == 1 && late.message.contains("partial file"))
            let download = try await get.timeout(.seconds(60)).download(toPath: folder + "/a", options: options)
            #expect(download.isResumed && download.sha256 == options.sha256)
            #expect(contents(of: folder + "/a") == Self.content)
        }
    }

    @Test("a changed resource is downloaded from the beginning")
    func changed() async throws {
        let new = Data("something else".utf8)
        try await run({ request in
            request.number == 1 ? Self.ranges(cuts: 1)(request) : Self.ranges(new, tag: "\"v2\"")(request)
        }) { helium, folder, _ in
            let options = try await leavePart(helium, folder)
            let download = try await helium.get("/clip").download(toPath: folder + "/a", options: options)
            #expect(!download.isResumed && contents(of: folder + "/a") == new)
            #expect(try names(in: folder) == ["a"])
        }
    }

    @Test("a part of another URL is not resumed")
    func otherURL() async throws {
        try await run(Self.ranges(cuts: 1)) { helium, folder, server in
            let options = try await leavePart(helium, folder)
            let download = try await helium.get("/other").download(toPath: folder + "/a", options: options)
            #expect(!download.isResumed && contents(of: folder + "/a") == Self.content)
            #expect(server.requests.last?.value(of: "Range") == nil)
        }
    }

    @Test("a response that does not fit the part leads to one request for the whole")
    func asksForAll() async throws {
        for answer in [
            FaultServer.Action.answer(206, fields: ["Content-Range: bytes 7-9/10"], body: "abc"),
            .answer(416, fields: ["Content-Range: bytes */5"], body: "no"),
        ] {
            try await run({ request in
                request.number == 2 ? [answer] : Self.ranges(cuts: 1)(request)
            }) { helium, folder, server in
                let options = try await leavePart(helium, folder)
                let download = try await helium.get("/clip").download(toPath: folder + "/a", options: options)
                #expect(!download.isResumed && contents(of: folder + "/a") == Self.content)
                #expect(server.requestCount == 3 && server.requests.last?.value(of: "Range") == nil)
            }
        }
    }

    @Test("a complete part is verified and becomes the file")
    func completePart() async throws {
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n"
        try await run({ request in
            request.number == 1
                ? [.send(head), .close] : [.answer(416, fields: ["Content-Range: bytes */5"], body: "no")]
        }) { helium, folder, _ in
            var options = try await leavePart(helium, folder)
            options.sha256 = SHA256.hash("whole".utf8).hex
            let download = try await helium.get("/clip").download(toPath: folder + "/a", options: options)
            #expect(download.isResumed && download.bytes == 5 && download.head.status == 416)
            #expect(contents(of: folder + "/a") == Data("whole".utf8))
        }
    }

    @Test("an error response keeps the part of a download")
    func keepsPartThroughFailures() async throws {
        try await run({ request in
            request.number == 2 ? [.answer(503, body: "busy")] : Self.ranges(cuts: 1)(request)
        }) { helium, folder, _ in
            let options = try await leavePart(helium, folder)
            let error = try await failure(of: {
                try await helium.get("/clip").retry(.never).download(toPath: folder + "/a", options: options)
            })
            #expect(error.status == 503)
            #expect(try await helium.get("/clip").download(toPath: folder + "/a", options: options).isResumed)
        }
    }

    @Test("a download with another SHA-256 is deleted, and the target stays as it was", arguments: [false, true])
    func integrity(resumes: Bool) async throws {
        try await run(Self.ranges(cuts: resumes ? 1 : 0)) { helium, folder, _ in
            var options = resumes ? try await leavePart(helium, folder) : DownloadOptions()
            try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/a"))
            options.sha256 = String(repeating: "0", count: 64)
            let error = try await failure(of: {
                try await helium.get("/clip").download(toPath: folder + "/a", options: options)
            })
            #expect(error.kind == .integrityFailed && error.delivery == .answered)
            #expect(try names(in: folder) == ["a"] && contents(of: folder + "/a") == Data("old".utf8))
        }
    }

    @Test("a download beyond its limit is refused, whether it is announced or not")
    func ceiling() async throws {
        let chunks = [String](repeating: String(repeating: "x", count: 1000), count: 10)
        for actions in [[FaultServer.Action.answer(body: Self.content)], [.unfinishedChunks(chunks), .hang]] {
            try await run({ _ in actions }) { helium, folder, _ in
                var options = DownloadOptions()
                options.maximumBytes = 5000
                let error = try await failure(of: {
                    try await helium.get("/").download(toPath: folder + "/a", options: options)
                })
                #expect(error.kind == .ceilingExceeded && error.ceiling == .bodyBytes)
                #expect(try names(in: folder).isEmpty)
            }
        }
    }

    @Test("an error response makes no file")
    func notFound() async throws {
        try await run({ _ in [.answer(404, body: "none")] }) { helium, folder, _ in
            let error = try await failure(of: { try await helium.get("/").download(toPath: folder + "/a") })
            #expect(error.status == 404 && error.bodyExcerpt == "none")
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("a link in place of a part is not followed")
    func link() async throws {
        try await run(Self.ranges()) { helium, folder, server in
            let victim = URL(fileURLWithPath: folder + "/victim")
            try Data("untouched".utf8).write(to: victim)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/.a.partial",
                withDestinationPath: victim.path
            )
            var options = DownloadOptions()
            options.resume = .ifPossible
            let error = try await failure(of: {
                try await helium.get("/").download(toPath: folder + "/a", options: options)
            })
            #expect(error.kind == .fileFailed)
            #expect(contents(of: victim.path) == Data("untouched".utf8) && contents(of: folder + "/a") == nil)
        }
    }

    @Test("an error of the file system fails the download before a request, or keeps the target")
    func fileSystem() async throws {
        try await run({ _ in [.answer(body: "new")] }) { helium, folder, server in
            var error = try await failure(of: { try await helium.get("/").download(toPath: folder + "/none/a") })
            #expect(error.kind == .fileFailed && error.delivery == .notSent && server.requestCount == 0)
            for path in ["", folder + "/"] {
                error = try await failure(of: { try await helium.get("/").download(toPath: path) })
                #expect(error.kind == .invalidRequest && server.requestCount == 0)
            }
            try FileManager.default.createDirectory(atPath: folder + "/full/of", withIntermediateDirectories: true)
            error = try await failure(of: { try await helium.get("/").download(toPath: folder + "/full") })
            #expect(error.kind == .fileFailed && error.delivery == .notSent && server.requestCount == 0)
            #expect(try names(in: folder) == ["full"])
        }
    }

    @Test("two downloads cannot resume one part at the same time")
    func locks() async throws {
        let gate = FaultServer.Gate()
        try await run({ request in
            [.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 2\r\n\r\na"), .send(whenOpen: gate, "b")]
        }) { helium, folder, server in
            var options = DownloadOptions()
            options.resume = .ifPossible
            let first = Task { [options] in try await helium.get("/").download(toPath: folder + "/a", options: options)
            }
            #expect(await server.wait { $0.requestCount == 1 })
            let error = try await failure(of: {
                try await helium.get("/").download(toPath: folder + "/a", options: options)
            })
            #expect(error.kind == .fileFailed && error.message.contains("another download"))
            let other = Task { try await helium.get("/").download(toPath: folder + "/a") }
            #expect(await server.wait { $0.requestCount == 2 })
            gate.open()
            gate.open()
            #expect(try await first.value.bytes == 2)
            #expect(try await other.value.bytes == 2)
            #expect(try names(in: folder) == ["a"])
        }
    }

    @Test("cancelling ends a download and keeps its part")
    func cancel() async throws {
        try await run({ _ in [.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 9\r\n\r\nabc"), .hang] }) {
            helium,
            folder,
            server in
            var options = DownloadOptions()
            options.resume = .ifPossible
            let (begun, continuation) = AsyncStream<Void>.makeStream()
            options.progress = { progress in if progress.completed == 0 { continuation.yield() } }
            let task = Task { [options] in try await helium.get("/").download(toPath: folder + "/a", options: options) }
            for await _ in begun { break }
            let written = FileManager.default
            #expect(
                await server.wait { _ in
                    (try? written.attributesOfItem(atPath: folder + "/.a.partial")[.size] as? Int) == 3
                }
            )
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(contents(of: folder + "/.a.partial") == Data("abc".utf8))
        }
    }

    @Test("the record beside a part has no URL")
    func recordIsPrivate() async throws {
        try await run(Self.ranges(cuts: 1)) { helium, folder, _ in
            _ = try await leavePart(helium, folder, path: "/clip?token=secret")
            let record = String(decoding: contents(of: folder + "/.a.partial-of") ?? Data(), as: UTF8.self)
            #expect(record.contains("v1") && !record.contains("secret") && !record.contains("127.0.0.1"))
        }
    }
}

extension FaultServer.ReceivedRequest {
    fileprivate func value(of name: String) -> String? {
        lines.dropFirst().first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }
}
