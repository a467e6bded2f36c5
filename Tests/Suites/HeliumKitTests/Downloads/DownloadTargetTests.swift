import Foundation
import HTTPTypes
import HeliumCrypto
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumKit

@Suite("Downloads to pipes and links", .timeLimit(.minutes(5)))
struct DownloadTargetTests {
    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 8) })

    private func run(
        clock: any HeliumClock = SystemClock(),
        _ body: (Helium, String, FaultServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(Self.content.count)\r\n\r\n"
        try await FaultServer.run({ _ in [.send(Data(head.utf8) + Self.content)] }) { server in
            let url = try #require(URL(string: server.url))
            let helium = try Helium(baseURL: url, environment: ClientEnvironment(clock: clock))
            do {
                try await body(helium, folder.path, server)
            } catch {
                await helium.close()
                throw error
            }
            await helium.close()
        }
    }

    private func type(of path: String) throws -> FileAttributeType? {
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("a download to a named pipe is hashed, and the pipe stays", arguments: [false, true])
    func pipe(isResuming: Bool) async throws {
        try await run { helium, folder, _ in
            let path = folder + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            // A link to it is as good.
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "pipe")
            async let read = contents(ofPipe: path)
            var options = DownloadOptions()
            options.sha256 = SHA256.hash(Self.content).hex
            options.resume = isResuming ? .ifPossible : .never
            let download = try await helium.get("/").download(toPath: folder + "/link", options: options)
            #expect(download.bytes == 300_000 && download.sha256 == options.sha256)
            #expect(await read == Self.content)
            #expect(try type(of: path) != .typeRegular && type(of: folder + "/link") == .typeSymbolicLink)
            #expect(try names(in: folder) == ["link", "pipe"])
        }
    }

    @Test("a download to a pipe that nobody reads ends when it is cancelled, and sends nothing")
    func unreadPipe() async throws {
        try await run { helium, folder, server in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            let download = Task { try await helium.get("/").download(toPath: folder + "/pipe") }
            download.cancel()
            await #expect(throws: CancellationError.self) { try await download.value }
            #expect(server.requestCount == 0)
        }
    }

    @Test("the time limit of a call includes the wait for the reader of a pipe, and closing the client ends it")
    func waitForReader() async throws {
        let clock = TestClock()
        try await run(clock: clock) { helium, folder, server in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            let limited = Task {
                try await failure(of: {
                    try await helium.get("/").timeout(.seconds(5)).download(toPath: folder + "/pipe")
                })
            }
            let unlimited = Task {
                try await failure(of: { try await helium.get("/").download(toPath: folder + "/pipe") })
            }
            await clock.waitForDeadlines()
            clock.advance(by: .seconds(5))
            let error = try await limited.value
            #expect(error.kind == .timedOut && error.phase == .total && error.delivery == .notSent)
            await helium.close()
            let closed = try await unlimited.value
            #expect(closed.kind == .clientClosed && closed.delivery == .notSent && server.requestCount == 0)
        }
    }

    @Test("the time limit of a call includes the wait for room in a pipe, and closing the client ends it")
    func waitForRoom() async throws {
        let clock = TestClock()
        for isLimited in [true, false] {
            try await run(clock: clock) { helium, folder, _ in
                #expect(mkfifo(folder + "/pipe", 0o600) == 0)
                let reader = open(folder + "/pipe", O_RDONLY | O_NONBLOCK)
                defer { close(reader) }
                let call = isLimited ? helium.get("/").timeout(.seconds(5)) : helium.get("/")
                let download = Task { try await failure(of: { try await call.download(toPath: folder + "/pipe") }) }
                try await eventually { try unreadBytes(reader) >= 32_768 }
                if isLimited { clock.advance(by: .seconds(5)) } else { await helium.close() }
                let error = try await download.value
                #expect(error.kind == (isLimited ? .timedOut : .clientClosed) && error.delivery == .answered)
                #expect(error.phase == (isLimited ? .total : nil))
            }
        }
    }

    @Test("a clock that skips delays does not skip the time limit of a download")
    func skippedDelays() async throws {
        try await run(clock: TestClock(skippingSleepsUpTo: .seconds(100))) { helium, folder, _ in
            let download = try await helium.get("/").timeout(.seconds(5)).download(toPath: folder + "/file")
            #expect(download.bytes == 300_000)
        }
    }

    private func unreadBytes(_ descriptor: Int32) throws -> Int {
        var count: Int32 = 0
        guard ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { throw POSIXError(.EIO) }
        return Int(count)
    }

    @Test("a download to a pipe whose reader goes away is an error of the file")
    func brokenPipe() async throws {
        try await run { helium, folder, _ in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            let reader = open(folder + "/pipe", O_RDONLY | O_NONBLOCK)
            // The reader reads far less than the body. The writer has to wait, and then has no reader.
            let gone = Task {
                var byte: UInt8 = 0
                while read(reader, &byte, 1) != 1 { await Task.yield() }
                close(reader)
            }
            let error = await #expect(throws: HeliumError.self) {
                try await helium.get("/").download(toPath: folder + "/pipe")
            }
            #expect(error?.kind == .fileFailed && error?.delivery == .answered, "\(String(describing: error))")
            await gone.value
        }
    }

    @Test(
        "a download that replaces a file keeps its mode and a link to it, and its part is private",
        arguments: [0o640, 0o600]
    )
    func keeps(mode: Int) async throws {
        try await run { helium, folder, _ in
            let path = folder + "/data/file"
            try FileManager.default.createDirectory(atPath: folder + "/data", withIntermediateDirectories: false)
            #expect(FileManager.default.createFile(atPath: path, contents: Data("old".utf8)))
            #expect(chmod(path, mode_t(mode)) == 0)
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "data/file")
            _ = try await helium.get("/").download(toPath: folder + "/link")
            #expect(FileManager.default.contents(atPath: path) == Self.content)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
            #expect(try type(of: folder + "/link") == .typeSymbolicLink)
            #expect(try names(in: folder) == ["data", "link"] && names(in: folder + "/data") == ["file"])
        }
    }
}

/// Reads a pipe to its end on a thread of its own.
private func contents(ofPipe path: String) async -> Data? {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(returning: try? FileHandle(forReadingAtPath: path)?.readToEnd())
        }
    }
}
