internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumFiles
internal import Synchronization

/// The engines that may hold claims in a store (Docs/Protocols/MessageBeast.md §8.3). Times are not compared, because
/// clocks jump and a suspended process keeps its claims.
package protocol ClaimOwners: Sendable {
    /// The name of this engine.
    var own: String { get }

    /// Returns whether the engine that a claim names still exists.
    func isAlive(_ owner: String) -> Bool

    /// Releases the claims of this engine.
    func end()
}

/// The only engine of a store that no other engine can open.
struct SoleOwner: ClaimOwners {
    let own: String

    func isAlive(_ owner: String) -> Bool { owner.hasSameBytes(as: own) }

    func end() {}
}

/// The engines of a file. Each engine locks its own file. The system releases the lock when the process ends for any
/// reason.
final class FileOwners: ClaimOwners {
    let own: String
    private let folder: String
    /// The locked file; `nil` after the end.
    private let lock: Guarded<Int32?>

    /// Creates and locks the file of this engine.
    ///
    /// - Throws: ``MessageBeastError`` if the file cannot be created.
    init(database path: String, name: String) throws {
        own = name
        folder = path + "-owners"
        do {
            try Folders.create(folder, mode: 0o700)
        } catch {
            throw MessageBeastError(error, "the folder of the engines' locks cannot be created")
        }
        let file = "\(folder)/\(name)"
        let descriptor = retryingInterrupted { open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard descriptor >= 0 else {
            throw MessageBeastError(.last, "the engine's lock file cannot be created")
        }
        guard retryingInterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw MessageBeastError(error, "the engine's lock file cannot be locked")
        }
        lock = Guarded(descriptor)
    }

    deinit { end() }

    func end() {
        guard let descriptor = lock.withLock({ $0.take() }) else { return }
        unlink("\(folder)/\(own)")
        close(descriptor)
    }

    func isAlive(_ owner: String) -> Bool {
        if owner.hasSameBytes(as: own) { return true }
        // The name comes from the database and must not lead to another folder.
        guard !owner.isEmpty,
            owner.utf8.allSatisfy({ $0 == 0x2D || ($0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit) })
        else { return false }
        let file = "\(folder)/\(owner)"
        let other = retryingInterrupted { open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard other >= 0 else { return errno != ENOENT }
        defer { close(other) }
        guard retryingInterrupted({ flock(other, LOCK_EX | LOCK_NB) }) == 0 else { return true }
        unlink(file)
        return false
    }
}

extension RandomSource {
    /// Returns a UUID of version 4 (RFC 9562 §5.4).
    func uuid() -> String {
        let high = bits() & ~0xF000 | 0x4000
        let low = bits() & ~(0xC << 60) | (0x8 << 60)
        func digits(_ number: UInt64, _ count: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: count - text.count) + text
        }
        let text = digits(high, 16) + digits(low, 16)
        var parts: [Substring] = []
        var rest = Substring(text)
        for count in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return parts.joined(separator: "-")
    }
}
