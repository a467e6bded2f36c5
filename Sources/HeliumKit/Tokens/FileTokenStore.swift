internal import HeliumConcurrency
public import HeliumCore
public import HeliumCrypto
public import HeliumEssentials

/// A token store in one file that several processes may share.
///
/// The file is JSON with mode 0600, or encrypted with AES-256-GCM if a key is given. A change is written to a sibling
/// file, flushed and renamed over the old one, so that a crash leaves either the old or the new contents complete.
/// Changes of several processes exclude each other with `flock` on the sibling `NAME.lock`. The others wait up to
/// `lockTimeout`.
///
/// If the file belongs to another user, so that this process may not give it the mode 0600, changes fail with
/// ``TokenStoreError/Kind/unwritable``.
///
/// File access runs on the store's own thread, never on Swift's cooperative threads. Waiting for the lock blocks no
/// thread and can be cancelled. A change that has started is completed.
public final class FileTokenStore: TokenStore {
    /// The path of the file.
    public let path: String
    /// The longest wait for another process's change.
    package let lockTimeout: Duration

    /// The policy for contents that cannot be used and for a file that cannot be written.
    public let failurePolicy: StoreFailurePolicy

    private let file: TokenStoreFile
    private let clock: any HeliumClock
    private let worker = BlockingWorker()

    /// Creates a store in the file at `path`. Its directory must exist; the first save creates the file.
    ///
    /// - Parameters:
    ///   - path: The file. The store also uses `path.lock`, `path.tmp` and `path.corrupt` beside it.
    ///   - encryptionKey: The key that encrypts the contents. Default: `nil`, plain JSON.
    ///   - onFailure: The policy for contents that cannot be used. Default: ``StoreFailurePolicy/fail``.
    ///   - maximumByteCount: The maximum size. A larger file is neither read nor written. Default: 1 MiB.
    ///   - lockTimeout: The longest wait for another process. Default: 5 seconds.
    ///   - clock: The clock that measures this wait. Default: the machine's.
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

    /// Returns the registration stored for `key`, or `nil` if there is none or no file.
    ///
    /// - Throws: ``TokenStoreError``.
    public func load(_ key: TokenStoreKey) async throws -> DeviceRegistration? {
        // A rename replaces the file atomically, so reading needs no lock.
        let (file, policy) = (file, failurePolicy)
        let read = try await worker.run { () throws(TokenStoreError) -> TokenStoreDocument? in
            do throws(TokenStoreError) {
                return try file.read()
            } catch {
                if policy.startsAfresh { return nil }
                throw error
            }
        }
        if let read { return read[key] }
        // Unusable contents are moved aside under the lock. Another process may have replaced them in the meantime.
        return try await change { $0[key] }
    }

    /// Stores `registration` for `key` and replaces an existing one.
    ///
    /// - Throws: ``TokenStoreError``, with the previous contents unchanged; `CancellationError` while waiting.
    public func save(_ registration: DeviceRegistration, for key: TokenStoreKey) async throws {
        guard registration.isStorable else {
            throw TokenStoreError(.invalidToken, at: path, "a token has 1 to 1024 printable ASCII characters")
        }
        try await change { $0[key] = registration }
    }

    /// Deletes the token stored for `key` if it is still `token`. Returns whether it was deleted.
    ///
    /// - Throws: ``TokenStoreError``; `CancellationError` while waiting.
    @discardableResult
    public func clear(token: String, for key: TokenStoreKey) async throws -> Bool {
        try await change { $0[key]?.clear(token: token) ?? false }
    }

    /// Deletes everything that is stored for `key`.
    ///
    /// - Throws: ``TokenStoreError``; `CancellationError` while waiting.
    public func remove(_ key: TokenStoreKey) async throws {
        try await change { $0[key] = nil }
    }

    /// Creates the file that a change would be written to, and deletes it.
    ///
    /// - Throws: ``TokenStoreError`` of kind ``TokenStoreError/Kind/unwritable``; the errors of ``save(_:for:)`` if
    ///   another process holds the lock.
    public func checkWritable() async throws {
        let file = file
        let _: Void = try await locked { () throws(TokenStoreError) in try file.checkWritable() }
    }
}

extension FileTokenStore {
    /// Creates a store in the file at `url`, with the defaults of the other initialiser.
    public convenience init(at url: URL, encryptionKey: EncryptionKey? = nil, onFailure: StoreFailurePolicy = .fail) {
        self.init(at: url.path(percentEncoded: false), encryptionKey: encryptionKey, onFailure: onFailure)
    }

    /// Applies `body` to the contents under the lock, and tries again while another process holds the lock.
    private func change<R: Sendable>(_ body: @escaping @Sendable (inout TokenStoreDocument) -> R) async throws -> R {
        let (file, policy) = (file, failurePolicy)
        return try await locked { () throws(TokenStoreError) in try file.change(policy: policy, body) }
    }

    /// Runs `body` until it returns a value. It returns `nil` while another process holds the lock.
    private func locked<R: Sendable>(
        _ body: @escaping @Sendable () throws(TokenStoreError) -> R?
    ) async throws -> R {
        let start = clock.uptime
        var pause = Duration.milliseconds(1)
        while true {
            try Task.checkCancellation()
            let result = try await worker.run(body)
            if let result { return result }
            // Attempts and pauses that take longer than planned count too.
            let left = lockTimeout.withinCentury - (clock.uptime - start)
            guard left > .zero else {
                throw TokenStoreError(.lockTimedOut, at: path, "another process holds the lock")
            }
            // The jitter prevents waiting processes from trying at the same time.
            try await clock.sleep(for: min(pause * Double.random(in: 0.5...1), left))
            pause = min(pause * 2, .milliseconds(20))
        }
    }
}
