import Foundation
import HeliumCore
import HeliumCrypto
import Synchronization
import Testing

@testable import HeliumKit

@Suite("Token store in a file", .timeLimit(.minutes(5)))
struct FileTokenStoreTests {
    private static let registration = DeviceRegistration(
        token: "3ea6da14e2244b531d5d93247f07ac0a",
        clockOffset: .milliseconds(-1_250),
        deviceInfoHash: "ab"
    )

    @Test("a token store in a file loads the stored token of each key, plain and encrypted", arguments: [false, true])
    func roundTrip(isSealed: Bool) async throws {
        try await withDirectory { path in
            let encryptionKey = isSealed ? try EncryptionKey.random() : nil
            let store = FileTokenStore(at: path, encryptionKey: encryptionKey)
            #expect(try await store.load(key("one")) == nil)
            try await store.save(Self.registration, for: key("one"))
            try await store.save(DeviceRegistration(token: "second-token-0002"), for: key("two"))
            let reopened = FileTokenStore(at: path, encryptionKey: encryptionKey)
            #expect(try await reopened.load(key("one")) == Self.registration)
            #expect(try await reopened.load(key("two"))?.token == "second-token-0002")
            try await reopened.remove(key("one"))
            #expect(try await store.load(key("one")) == nil)
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            #expect(text.contains("second-token-0002") != isSealed)
        }
    }

    @Test("the file of a token store and its lock are for their owner only")
    func mode() async throws {
        try await withDirectory { path in
            try await FileTokenStore(at: path).save(Self.registration, for: key("one"))
            for name in [path, path + ".lock"] {
                let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            #expect(!FileManager.default.fileExists(atPath: path + ".tmp"))
        }
    }

    @Test("a link to the file of a token store stays a link, and both names have one lock")
    func link() async throws {
        try await withDirectory { path in
            try FileManager.default.createSymbolicLink(atPath: path + ".link", withDestinationPath: path)
            try await FileTokenStore(at: path + ".link").save(Self.registration, for: key("one"))
            #expect(try await FileTokenStore(at: path).load(key("one")) == Self.registration)
            let type = try FileManager.default.attributesOfItem(atPath: path + ".link")[.type] as? FileAttributeType
            #expect(type == .typeSymbolicLink)
            #expect(!FileManager.default.fileExists(atPath: path + ".link.lock"))
        }
    }

    @Test("a token store does not replace a pipe or a device")
    func pipe() async throws {
        try await withDirectory { path in
            #expect(mkfifo(path, 0o600) == 0)
            let store = FileTokenStore(at: path, onFailure: .startAfresh)
            #expect(await failure { try await store.save(Self.registration, for: key("one")) } == .unwritable)
            let folder = (path as NSString).deletingLastPathComponent
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == [(path as NSString).lastPathComponent])
        }
    }

    @Test("clearing a token keeps the clock offset, and a newer token")
    func compareAndClear() async throws {
        try await withDirectory { path in
            let store = FileTokenStore(at: path)
            try await store.save(Self.registration, for: key("one"))
            #expect(try await store.clear(token: "another", for: key("one")) == false)
            #expect(try await store.load(key("one")) == Self.registration)
            #expect(try await store.clear(token: try #require(Self.registration.token), for: key("one")))
            #expect(try await store.load(key("one")) == DeviceRegistration(clockOffset: .milliseconds(-1_250)))
            #expect(try await store.clear(token: "t", for: key("unknown")) == false)
        }
    }

    @Test("two token stores on one file lose no concurrent changes, and one clear succeeds")
    func parallel() async throws {
        try await withDirectory { path in
            let stores = (0..<2).map { _ in FileTokenStore(at: path, lockTimeout: .seconds(600)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<60 {
                    group.addTask {
                        try await stores[index % 2].save(DeviceRegistration(token: "t\(index)"), for: key("\(index)"))
                    }
                }
                try await group.waitForAll()
            }
            for index in 0..<60 {
                #expect(try await stores[0].load(key("\(index)"))?.token == "t\(index)")
            }
            let cleared = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<20 {
                    group.addTask { try await stores[index % 2].clear(token: "t7", for: key("7")) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(cleared == 1)
        }
    }

    @Test("a token store waits for another process's lock until the deadline or a cancellation")
    func heldLock() async throws {
        try await withDirectory { path in
            // flock belongs to the open file: a second descriptor is as good as a second process.
            let descriptor = open(path + ".lock", O_RDWR | O_CREAT, 0o600)
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            let impatient = FileTokenStore(at: path, lockTimeout: .milliseconds(30))
            #expect(await failure { try await impatient.save(Self.registration, for: key("one")) } == .lockTimedOut)
            let patient = FileTokenStore(at: path, lockTimeout: .seconds(600))
            let waiting = Task { try await patient.save(Self.registration, for: key("one")) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            close(descriptor)
            try await patient.save(Self.registration, for: key("one"))
        }
    }

    /// A clock of a busy machine, on which each pause takes a second.
    private final class BusyClock: HeliumClock {
        private let pauses = Guarded(0)

        var pauseCount: Int { pauses.withLock { $0 } }
        var wallTime: Duration { uptime }
        var uptime: Duration { .seconds(pauseCount) }
        func sleep(for duration: Duration) async throws { pauses.withLock { $0 += 1 } }
    }

    @Test("the time limit of a lock is measured with the clock, however long the pauses take")
    func busyMachine() async throws {
        try await withDirectory { path in
            let descriptor = open(path + ".lock", O_RDWR | O_CREAT, 0o600)
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            let clock = BusyClock()
            let store = FileTokenStore(at: path, lockTimeout: .seconds(5), clock: clock)
            #expect(await failure { try await store.save(Self.registration, for: key("one")) } == .lockTimedOut)
            #expect(clock.pauseCount == 5)
            close(descriptor)
        }
    }

    @Test("a failed write of a token store keeps the old contents")
    func failedWrite() async throws {
        try await withDirectory { path in
            let store = FileTokenStore(at: path)
            try await store.save(Self.registration, for: key("one"))
            // A directory in the temporary file's place lets every write fail, for root too.
            try FileManager.default.createDirectory(atPath: path + ".tmp", withIntermediateDirectories: false)
            #expect(await failure { try await store.save(DeviceRegistration(), for: key("one")) } == .unwritable)
            #expect(try await store.load(key("one")) == Self.registration)
            let small = FileTokenStore(at: path, maximumByteCount: 300)
            try FileManager.default.removeItem(atPath: path + ".tmp")
            let long = DeviceRegistration(token: String(repeating: "t", count: 500))
            #expect(await failure { try await small.save(long, for: key("two")) } == .tooLarge)
            #expect(try await store.load(key("one")) == Self.registration)
        }
    }

    @Test("every changed byte of an encrypted token store is detected, and a wrong key")
    func tampering() async throws {
        try await withDirectory { path in
            let encryptionKey = try EncryptionKey.random()
            let store = FileTokenStore(at: path, encryptionKey: encryptionKey)
            try await store.save(Self.registration, for: key("one"))
            let url = URL(fileURLWithPath: path)
            let sealed = try Data(contentsOf: url)
            for index in sealed.indices {
                var altered = sealed
                altered[index] ^= 0x10
                try altered.write(to: url)
                #expect(await failure { try await store.load(key("one")) } == .undecryptable)
            }
            try sealed.dropLast().write(to: url)
            #expect(await failure { try await store.load(key("one")) } == .undecryptable)
            try sealed.write(to: url)
            #expect(try await store.load(key("one")) == Self.registration)
            let other = FileTokenStore(at: path, encryptionKey: try EncryptionKey.random())
            #expect(await failure { try await other.load(key("one")) } == .undecryptable)
            #expect(await failure { try await FileTokenStore(at: path).load(key("one")) } == .undecryptable)
            try Data(#"{"version":1,"entries":[]}"#.utf8).write(to: url)
            #expect(await failure { try await store.load(key("one")) } == .undecryptable)
        }
    }

    @Test(
        "a corrupt token store is a typed error or moved aside, by its policy",
        arguments: ["", "{", "[]", "null", #"{"version":2,"entries":[]}"#, #"{"version":1,"entries":[{}]}"#]
    )
    func corrupt(text: String) async throws {
        try await withDirectory { path in
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let strict = FileTokenStore(at: path)
            #expect(await failure { try await strict.load(key("one")) } == .corrupt)
            #expect(await failure { try await strict.save(Self.registration, for: key("one")) } == .corrupt)
            let lenient = FileTokenStore(at: path, onFailure: .startAfresh)
            #expect(try await lenient.load(key("one")) == nil)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".corrupt")) == Data(text.utf8))
            try await lenient.save(Self.registration, for: key("one"))
            #expect(try await strict.load(key("one")) == Self.registration)
        }
    }

    @Test("a directory instead of the file, a missing directory and a huge file are typed errors")
    func unreadable() async throws {
        try await withDirectory { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(await failure { try await FileTokenStore(at: path).load(key("one")) } == .unreadable)
            let lenient = FileTokenStore(at: path, onFailure: .startAfresh)
            try await lenient.save(Self.registration, for: key("one"))
            #expect(try await lenient.load(key("one")) == Self.registration)
            let small = FileTokenStore(at: path, maximumByteCount: 16)
            #expect(await failure { try await small.load(key("one")) } == .tooLarge)
            let nowhere = FileTokenStore(at: path + "/none/store")
            #expect(await failure { try await nowhere.save(Self.registration, for: key("one")) } == .unwritable)
        }
    }

    @Test("a token that is invalid in a header is not stored", arguments: ["", "a b", "a\r\nb", "ä"])
    func invalidToken(token: String) async throws {
        try await withDirectory { path in
            let store = FileTokenStore(at: path)
            let registration = DeviceRegistration(token: token)
            #expect(await failure { try await store.save(registration, for: key("one")) } == .invalidToken)
        }
    }

    @Test("the description of a token store shows no token")
    func redaction() {
        var dumped = ""
        dump(Self.registration, to: &dumped)
        for text in ["\(Self.registration)", String(reflecting: Self.registration), dumped] {
            let isClean = !text.contains("3ea6da")
            #expect(isClean)
        }
    }

    private func key(_ name: String) -> TokenStoreKey { testKey(name) }

    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory.appendingPathComponent("tokens").path)
    }

    private func failure<R>(_ body: () async throws -> R) async -> TokenStoreError.Kind? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? TokenStoreError)?.kind
        }
    }
}

func testKey(_ secretID: String) -> TokenStoreKey {
    TokenStoreKey(devicesURL: URL(fileURLWithPath: "/devices"), secretID: secretID)
}
