public import HeliumCore
internal import HeliumCrypto
public import HeliumEssentials
internal import Synchronization

/// Creates the `key` header of the middleware for one registered device (Docs/Protocols/Middleware.md §1).
///
/// The key has 138 characters: device id, secret id, time stamp, and the hexadecimal SHA-256 of the lower-cased
/// signature text. It is valid for 300 seconds around the server's clock and for exactly this request, so every attempt
/// must be signed again.
///
/// A signer can be shared between tasks and threads. A lock is held for about half a microsecond per key.
public final class RequestSigner: Sendable {
    /// The device id at the beginning of each key.
    ///
    /// It identifies the device to the server and is treated as a secret, so it does not appear in descriptions.
    public let deviceID: String
    /// The public id of the secret.
    public let secretID: String

    private let state: Guarded<State>

    /// Creates a signer for the device `deviceID`, which registration issued, and an application's secret.
    ///
    /// The ids and the secret are used unchanged. With the reference server, each has 32 characters.
    public init(deviceID: String, secret: Secret, secretID: String) {
        self.deviceID = deviceID
        self.secretID = secretID
        state = Guarded(State(prefix: deviceID + secret.value))
    }

    /// Returns the value of the `key` header for a request with the body `body`.
    ///
    /// - Parameters:
    ///   - input: The request as it is sent.
    ///   - body: The bytes as the server's parser receives them; with a compressing `Content-Encoding`, the bytes
    ///     before compression. `nil` and an empty body are equivalent. The body is used only if its media type is
    ///     `application/json`.
    ///   - timestamp: The server's Unix time in whole seconds: the client's clock plus the registration's offset. Fewer
    ///     than ten digits are padded, and times before 1970 count as 0, so a client with a wrong clock still sends a
    ///     well-formed key and learns the time from the response.
    public func key(for input: SignatureInput, body: Data? = nil, at timestamp: Int64) -> String {
        guard let body else { return key(for: input, body: nil as UnsafeRawBufferPointer?, at: timestamp) }
        return body.withUnsafeBytes { key(for: input, body: $0, at: timestamp) }
    }

    /// Returns the value of the `key` header for a request with the body `body`.
    package func key(for input: SignatureInput, body: UnsafeRawBufferPointer?, at timestamp: Int64) -> String {
        key(for: input, bodyHash: bodyHash(of: body, for: input), at: timestamp)
    }

    /// Returns the value of the `key` header for a request whose body has this hash; `nil` if the signature includes
    /// none.
    func key(for input: SignatureInput, bodyHash: SHA256.Digest?, at timestamp: Int64) -> String {
        key(method: input.method, at: timestamp, bodyHash: bodyHash) { text in
            text.append(contentsOf: input.scheme.utf8)
            text.append(contentsOf: "://".utf8)
            text.append(contentsOf: input.host.utf8)
            text.append(contentsOf: input.target.utf8)
        }
    }

    /// Returns a key; `appendURL` writes the part between the method and the body's hash.
    func key(
        method: String,
        at timestamp: Int64,
        bodyHash: SHA256.Digest?,
        appendURL: (inout [UInt8]) -> Void
    ) -> String {
        let digits = TimestampDigits(timestamp)
        let digest = state.withLock { state in
            state.text.removeAll(keepingCapacity: state.text.capacity <= State.keptCapacity)
            digits.append(to: &state.text)
            state.text.append(contentsOf: method.utf8)
            appendURL(&state.text)
            if let bodyHash { state.appendHex(of: bodyHash) }
            return state.digest()
        }
        let (deviceID, secretID) = (deviceID.utf8, secretID.utf8)
        let count = deviceID.count + secretID.count + digits.count + 2 * SHA256.byteCount
        return String(unsafeUninitializedCapacity: count) { out in
            var position = out.initialize(fromContentsOf: deviceID)
            position = out[position...].initialize(fromContentsOf: secretID)
            position = digits.write(to: out, at: position)
            digest.withUnsafeBytes {
                Hex.write(
                    $0,
                    to: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(out)[position...])
                )
            }
            return count
        }
    }

    /// Returns the hash of the lower-cased body, or `nil` if the server uses the empty string
    /// (Docs/Protocols/Middleware.md §1.3).
    func bodyHash(of body: UnsafeRawBufferPointer?, for input: SignatureInput) -> SHA256.Digest? {
        guard let body, !body.isEmpty, input.signsBody else { return nil }
        // A short body is hashed with the shared context. A long one uses its own, so that other callers do not wait.
        if body.count <= State.keptCapacity {
            let body = BorrowedBytes(bytes: body)
            return state.withLock { $0.bodyDigest(of: body.bytes) }
        }
        var hasher = SHA256()
        LowercasedUTF8.forEachChunk(of: body) { hasher.update($0) }
        return hasher.finalize()
    }
}

extension RequestSigner: CustomStringConvertible, CustomReflectable {
    /// The secret's id, without the secret and the device id.
    public var description: String { "RequestSigner(secretID: \(secretID))" }

    /// No children, so that `dump` shows neither the secret nor the device id.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// `@unchecked Sendable`: the bytes are only read, and only while the calling function waits. The state does not keep
/// them.
private struct BorrowedBytes: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
}

/// The memory and hash state that are reused for each key.
private struct State: ~Copyable {
    /// The capacity that is kept. Memory for a longer text is released.
    static let keptCapacity = 16_384

    /// The device id and the secret, unchanged. With 32 characters each, they fill exactly one block of SHA-256.
    let prefix: [UInt8]
    /// The state after hashing the prefix; `nil` if the prefix is not ASCII, because letter case may then depend on
    /// context.
    var absorbedPrefix: SHA256?
    var hasher = SHA256()
    /// The part of the signature text after the prefix.
    var text: [UInt8] = []

    init(prefix: String) {
        self.prefix = Array(prefix.utf8)
        text.reserveCapacity(512)
        var lowered = self.prefix
        if lowered.withUnsafeMutableBytes({ LowercasedUTF8.lowercaseASCII($0) }) {
            var absorbed = SHA256()
            lowered.withUnsafeBytes { absorbed.update($0) }
            absorbedPrefix = consume absorbed
        } else {
            absorbedPrefix = nil
        }
    }

    mutating func appendHex(of digest: SHA256.Digest) {
        let start = text.count
        text.append(contentsOf: repeatElement(0, count: 2 * SHA256.byteCount))
        text.withUnsafeMutableBytes { text in
            digest.withUnsafeBytes { Hex.write($0, to: UnsafeMutableRawBufferPointer(rebasing: text[start...])) }
        }
    }

    /// Returns the hash of the lower-cased prefix and text.
    mutating func digest() -> SHA256.Digest {
        if absorbedPrefix != nil, text.withUnsafeMutableBytes({ LowercasedUTF8.lowercaseASCII($0) }) {
            absorb()
            text.withUnsafeBytes { hasher.update($0) }
            return hasher.finalizeWithoutReset()
        }
        // The final-sigma rule depends on characters across the boundary, so the whole text is lower-cased at once.
        hasher.reset()
        (prefix + text).withUnsafeBytes { whole in LowercasedUTF8.forEachChunk(of: whole) { hasher.update($0) } }
        return hasher.finalizeWithoutReset()
    }

    mutating func bodyDigest(of body: UnsafeRawBufferPointer) -> SHA256.Digest {
        hasher.reset()
        LowercasedUTF8.forEachChunk(of: body) { hasher.update($0) }
        return hasher.finalizeWithoutReset()
    }

    private mutating func absorb() {
        switch absorbedPrefix {
        case .some(let absorbed): hasher.reset(to: absorbed)
        case .none: hasher.reset()
        }
    }
}

/// The decimal digits of a time stamp, at least ten, without an allocation.
private struct TimestampDigits {
    private let value: UInt64
    let count: Int

    init(_ timestamp: Int64) {
        value = UInt64(max(0, timestamp))
        var count = 10
        var rest = value / 10_000_000_000
        while rest > 0 {
            count += 1
            rest /= 10
        }
        self.count = count
    }

    func append(to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: repeatElement(0, count: count))
        text.withUnsafeMutableBufferPointer { _ = write(to: $0, at: start) }
    }

    func write(to out: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        var rest = value
        for index in stride(from: start + count - 1, through: start, by: -1) {
            out[index] = UInt8(truncatingIfNeeded: rest % 10) + 48
            rest /= 10
        }
        return start + count
    }
}
