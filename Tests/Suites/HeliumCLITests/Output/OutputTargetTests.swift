import Foundation
import HeliumTesting
import TestSupport
import Testing

@Suite("helium request --output, to what is not a plain file", .timeLimit(.minutes(5)))
struct OutputTargetTests {
    @Test("helium request --output writes to a pipe, a device, a link and /dev/stdout, which stay what they are")
    func kinds() async throws {
        try await withTemporaryFolder { folder in
            let (pipe, link) = (folder.appendingPathComponent("pipe").path, folder.appendingPathComponent("link").path)
            let (device, file) = (
                folder.appendingPathComponent("null").path, folder.appendingPathComponent("file").path
            )
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(FileManager.default.createFile(atPath: file, contents: Data("old".utf8)) && chmod(file, 0o640) == 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
            try await FaultServer.run(faults: [.healthy]) { server async throws in
                let get = ["request", "GET", "/x", "--base-url", server.url, "--output"]
                async let read = contents(ofPipe: pipe)
                #expect(try await Tool.run(get + [pipe]).status == 0)
                #expect(await read == Data("ok".utf8))
                // In a command that runs as a task, /dev/stdout is that of the test process.
                #expect(try await Tool.run(Tool.process(get + ["/dev/stdout"])).stdout == "ok")
                #expect(try await Tool.run(get + [link]).status == 0)
                #expect(FileManager.default.contents(atPath: file) == Data("ok".utf8))
                // Only root can make a device, and not in every container.
                if mknod(device, S_IFCHR | 0o666, nullDevice) == 0 {
                    #expect(try await Tool.run(get + [device]).status == 0)
                    #expect(try attributes(of: device)[.type] as? FileAttributeType == .typeCharacterSpecial)
                }
            }
            #expect(try attributes(of: file)[.posixPermissions] as? Int == 0o640)
            #expect(try attributes(of: link)[.type] as? FileAttributeType == .typeSymbolicLink)
            #expect(try attributes(of: pipe)[.type] as? FileAttributeType != .typeRegular)
        }
    }

    private func attributes(of path: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: path)
    }

    /// Reads a pipe to its end on a thread of its own.
    private func contents(ofPipe path: String) async -> Data? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: try? FileHandle(forReadingAtPath: path)?.readToEnd())
            }
        }
    }
}

/// The number of the device `/dev/null`.
#if os(Linux)
    private let nullDevice: dev_t = 0x103
#else
    private let nullDevice: dev_t = 0x300_0002
#endif
