internal import Dispatch
public import HeliumCore
public import HeliumCrypto
public import HeliumEssentials

/// Keeps registrations in one file that several processes may share.
///
/// The file is JSON with mode 0600, or sealed with AES-256-GCM where a key is given. A change is written to a sibling
/// file, flushed and renamed over the old one, so that a crash leaves the old or the new contents, whole. Changes are
/// exclusive between processes by `flock` on the sibling `NAME.lock`; the others wait, up to ``lockTimeout``.
///
/// File access runs on a queue of the store's own, never on Swift's cooperative threads. Waiting for the lock holds no
/// thread and can be cancelled; a change that began is finished.
public final class FileTokenStore: TokenStore {
    /// Where the file is.
    public let path: String
    /// The longest wait for another process's change.
    public let lockTimeout: Duration

    /// The policy for contents that cannot be used and for a file that cannot be written.
    public let failurePolicy: StoreFailurePolicy

    private let file: TokenStoreFile
    private let clock: any HeliumClock
    private let queue = DispatchQueue(label: "helium.token-store")

    /// A store in the file at `path`, whose directory must exist; the file itself is made by the first save.
    ///
    /// - Parameters:
    ///   - path: The file; `path.lock`, `path.tmp` and `path.corrupt` beside it are the store's too.
    ///   - encryptionKey: Seals the contents. Default: nil, plain JSON.
    ///   - onFailure: What to do with contents that cannot be used. Default: ``StoreFailurePolicy/fail``.
    ///   - maximumByteCount: A larger file is neither read nor written. Default: 1 MiB.
    ///   - lockTimeout: The longest wait for another process. Default: 5 seconds.
    ///   - clock: Measures that wait. Default: the machine's.
    public init(
        at path: String,
        encryptionKey: EncryptionKey? = nil,
        onFailure: StoreFailurePolicy = .fail,
        maximumByteCount: Int = 1 << 20,
        lockTimeout: Duration = .seconds(5),
        clock: any HeliumClock = SystemClock()
    ) {
        self.path = path
        self.lockTimeout = lockTimeout
        self.clock = clock
        failurePolicy = onFailure
        file = TokenStoreFile(path: path, key: encryptionKey, maximumByteCount: maximumByteCount)
    }

    /// The registration stored for `key`; nil if there is none, or no file.
    ///
    /// - Throws: ``TokenStoreError``.
    public func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? {
        // A rename replaces the file at once: reading needs no lock.
        let (file, policy) = (file, failurePolicy)
        let read = try await onQueue { () throws(TokenStoreError) -> TokenStoreDocument? in
            do throws(TokenStoreError) {
                return try file.read()
            } catch {
                if policy.startsAfresh { return nil }
                throw error
            }
        }
        if let read { return read[key] }
        // Bad contents are put aside under the lock; somebody may have replaced them meanwhile.
        return try await change { $0[key] }
    }

    /// Stores `registration` for `key` in place of what was there.
    ///
    /// - Throws: ``TokenStoreError``; what was stored before is then still there. `CancellationError` while waiting.
    public func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws {
        guard registration.isStorable else {
            throw TokenStoreError(.invalidToken, at: path, "a token has 1 to 1024 printable ASCII characters")
        }
        try await change { $0[key] = registration }
    }

    /// Forgets the token stored for `key` if it is still `token`.
    ///
    /// - Throws: ``TokenStoreError``; `CancellationError` while waiting.
    @discardableResult
    public func clear(token: String, for key: TokenStoreKey) async throws -> Bool {
        try await change { $0[key]?.clear(token: token) ?? false }
    }

    /// Removes all that is stored for `key`.
    ///
    /// - Throws: ``TokenStoreError``; `CancellationError` while waiting.
    public func remove(_ key: TokenStoreKey) async throws {
        try await change { $0[key] = nil }
    }

    /// Makes the file that a change would be written to, and removes it.
    ///
    /// - Throws: ``TokenStoreError`` of kind ``TokenStoreError/Kind/unwritable``; what ``save(_:for:)`` throws where another
    ///   process holds the lock.
    public func checkWritable() async throws {
        let file = file
        let _: Void = try await locked { () throws(TokenStoreError) in try file.checkWritable() }
    }
}

extension FileTokenStore {
    /// A store in the file at `url`, with the defaults of the other initialiser.
    public convenience init(at url: URL, encryptionKey: EncryptionKey? = nil, onFailure: StoreFailurePolicy = .fail) {
        self.init(at: url.path(percentEncoded: false), encryptionKey: encryptionKey, onFailure: onFailure)
    }

    /// Applies `body` to the contents under the lock, trying again while another process holds it.
    private func change<R: Sendable>(_ body: @escaping @Sendable (inout TokenStoreDocument) -> R) async throws -> R {
        let (file, policy) = (file, failurePolicy)
        return try await locked { () throws(TokenStoreError) in try file.change(policy: policy, body) }
    }

    /// Runs `body`, which returns `nil` as long as another process holds the lock.
    private func locked<R: Sendable>(
        _ body: @escaping @Sendable () throws(TokenStoreError) -> R?
    ) async throws -> R {
        var waited = Duration.zero
        var pause = Duration.milliseconds(1)
        while true {
            try Task.checkCancellation()
            let result = try await onQueue(body)
            if let result { return result }
            guard waited < lockTimeout else {
                throw TokenStoreError(.lockTimedOut, at: path, "another process holds the lock")
            }
            // Jitter, so that processes that wait together do not try together.
            let sleep = min(pause * Double.random(in: 0.5...1), lockTimeout - waited)
            try await clock.sleep(for: sleep)
            waited += sleep
            pause = min(pause * 2, .milliseconds(20))
        }
    }

    private func onQueue<R: Sendable>(
        _ body: @escaping @Sendable () throws(TokenStoreError) -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
