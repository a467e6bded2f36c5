import Foundation
import TestSupport
import Testing

@testable import HeliumFiles

@Suite("Replacing files", .timeLimit(.minutes(5)))
struct FileTargetTests {
    @Test(
        "the mode of a replaced file is kept, for its owner only on request",
        arguments: [0o640, 0o600, 0o755] as [UInt32]
    )
    func mode(_ mode: UInt32) throws {
        try withFolder { folder in
            let path = folder + "/a"
            try Data("old".utf8).write(to: URL(fileURLWithPath: path))
            try FileFacts.setMode(mode, atPath: path)
            try FileTarget(path).replace(with: Array("new".utf8))
            #expect(try FileFacts(atPath: path).mode == mode)
            #expect(contents(of: path) == "new")
            try FileTarget(path).replace(with: Array("private".utf8), permissions: .ownerOnly)
            #expect(try FileFacts(atPath: path).mode == 0o600)
            #expect(try names(in: folder) == ["a"])
        }
    }

    @Test(
        "the owner and group of a replaced file are kept",
        .enabled(if: geteuid() == 0, "giving files away needs root")
    )
    func owner() throws {
        try withFolder { folder in
            let path = folder + "/a"
            try Data("old".utf8).write(to: URL(fileURLWithPath: path))
            #expect(chown(path, 12_345, 54_321) == 0 && chmod(path, 0o640) == 0)
            try FileTarget(path).replace(with: Array("new".utf8))
            let facts = try FileFacts(atPath: path)
            #expect(facts.owner == 12_345 && facts.group == 54_321 && facts.mode == 0o640 && !facts.isOwn)
        }
    }

    @Test("symbolic links are followed, also to a file that does not exist yet")
    func links() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/data", withIntermediateDirectories: false)
            for (name, destination) in [("first", "second"), ("second", "data/file"), ("absolute", folder + "/data/b")]
            {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(name)",
                    withDestinationPath: destination
                )
            }
            for round in ["created", "replaced"] {
                try FileTarget(folder + "/first").replace(with: Array(round.utf8))
                try FileTarget(folder + "/absolute").replace(with: Array(round.utf8))
                #expect(contents(of: folder + "/data/file") == round && contents(of: folder + "/data/b") == round)
            }
            #expect(try FileFacts(atPath: folder + "/first", followingLinks: false).kind == .symbolicLink)
            #expect(try names(in: folder + "/data") == ["b", "file"])
        }
    }

    @Test("folders, sockets and endless links are refused, and pipes and devices are not replaced")
    func kinds() throws {
        try withFolder { folder in
            try FileManager.default.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: "loop")
            #expect(throws: SystemError(EISDIR)) { try FileTarget(folder) }
            #expect(throws: SystemError(ELOOP)) { try FileTarget(folder + "/loop") }
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            for path in [folder + "/pipe", "/dev/null", "/dev/stdout", "/dev/fd/1"] {
                #expect(try !FileTarget(path).isReplaced, "\(path)")
            }
            let target = try FileTarget(folder + "/new")
            #expect(target.isReplaced && target.facts == nil && target.siblingMode == 0o666)
        }
    }

    @Test("a file that became a pipe in the meantime is not replaced")
    func race() throws {
        try withFolder { folder in
            let target = try FileTarget(folder + "/a")
            #expect(mkfifo(target.path, 0o600) == 0)
            #expect(throws: SystemError(EEXIST)) { try target.replace(with: Array("new".utf8)) }
            #expect(try FileFacts(atPath: target.path).kind == .pipe)
            #expect(try names(in: folder) == ["a"])
        }
    }

    @Test("a file whose owner cannot be kept is overwritten in place")
    func copied() throws {
        try withFolder { folder in
            let (path, sibling) = (folder + "/a", folder + "/b")
            try Data("a longer text".utf8).write(to: URL(fileURLWithPath: path))
            try Data("new".utf8).write(to: URL(fileURLWithPath: sibling))
            let before = try FileFacts(atPath: path)
            try FileTarget(path).copy(sibling)
            #expect(try FileFacts(atPath: path).identity == before.identity)
            #expect(contents(of: path) == "new")
            #expect(try names(in: folder) == ["a"])
        }
    }

    @Test("private contents are not copied into a file that stays open to others")
    func privateCopy() throws {
        try withFolder { folder in
            let (path, sibling) = (folder + "/a", folder + "/b")
            for (permissions, mode) in [(FileTarget.Permissions.kept, UInt32(0o664)), (.ownerOnly, 0o600)] {
                try Data("old".utf8).write(to: URL(fileURLWithPath: path))
                try FileFacts.setMode(0o664, atPath: path)
                try Data("new".utf8).write(to: URL(fileURLWithPath: sibling))
                try FileTarget(path).copy(sibling, permissions: permissions)
                #expect(try FileFacts(atPath: path).mode == mode)
                #expect(contents(of: path) == "new")
            }
        }
    }
}

@Suite("Writing pipes and devices", .timeLimit(.minutes(5)))
struct DirectOutputTests {
    /// More than a pipe holds.
    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })

    @Test("a named pipe is written once it is read, and stays one")
    func pipe() async throws {
        try await withFolder { folder in
            let path = folder + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let writing = Task {
                let output = try await DirectOutput(FileTarget(path))
                try await output.write(Self.content)
            }
            let read = await PipeReader.contents(of: path)
            try await writing.value
            #expect(read == Self.content)
            #expect(try FileFacts(atPath: path).kind == .pipe)
        }
    }

    @Test("waiting for a pipe's reader, and for room, ends when the task is cancelled", arguments: [false, true])
    func cancelled(hasReader: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let reader = hasReader ? open(path, O_RDONLY | O_NONBLOCK) : -1
            defer { if reader >= 0 { close(reader) } }
            let writing = Task { try await DirectOutput(FileTarget(path)).write(Self.content) }
            writing.cancel()
            await #expect(throws: CancellationError.self) { try await writing.value }
        }
    }

    @Test("a reader of a pipe that goes away is an error, and not a signal")
    func brokenPipe() async throws {
        try await withFolder { folder in
            let path = folder + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            let output = try await DirectOutput(FileTarget(path))
            close(reader)
            // Where the process ignores the signal anyway, the test would show nothing.
            let before = signal(SIGPIPE, SIG_DFL)
            defer { signal(SIGPIPE, before) }
            await #expect(throws: SystemError(EPIPE)) { try await output.write(Self.content) }
        }
    }

    @Test("a device that is written stays a device", .enabled(if: geteuid() == 0, "making devices needs root"))
    func device() async throws {
        try await withFolder { folder in
            let path = folder + "/null"
            // Containers may forbid making it.
            guard mknod(path, S_IFCHR | 0o666, nullDevice) == 0 else { return }
            let before = try FileFacts(atPath: path)
            try await DirectOutput(FileTarget(path)).write(Self.content)
            #expect(try FileFacts(atPath: path) == before && before.kind == .characterDevice)
        }
    }

    @Test("the path of a descriptor shares its position")
    func descriptor() async throws {
        try await withFolder { folder in
            let path = folder + "/log"
            try Data("first\n".utf8).write(to: URL(fileURLWithPath: path))
            let descriptor = open(path, O_WRONLY | O_APPEND)
            defer { close(descriptor) }
            try await DirectOutput(FileTarget("/dev/fd/\(descriptor)")).write(Data("second\n".utf8))
            #expect(contents(of: path) == "first\nsecond\n")
        }
    }
}

/// Reads a pipe to its end on a thread of its own.
private enum PipeReader {
    static func contents(of path: String) async -> Data? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: try? FileHandle(forReadingAtPath: path)?.readToEnd())
            }
        }
    }
}

private func contents(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
}

private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

private func withFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-files-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
}

private func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-files-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

/// The number of the device `/dev/null`.
#if os(Linux)
    private let nullDevice: dev_t = 0x103
#else
    private let nullDevice: dev_t = 0x300_0002
#endif
