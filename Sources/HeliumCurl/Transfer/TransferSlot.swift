import CLibcurl
import HTTPTypes
import HeliumCore
import HeliumEssentials
import HeliumWire
import Synchronization

/// An easy handle and its memory, used for one transfer after the other.
///
/// `@unchecked Sendable`: a slot has exactly one owner at a time, and only the owner accesses it: pool → caller
/// (``prepare(_:)``) → loop thread (from being added until being removed) → caller (reading the outcome) → pool. The
/// slot of a stream stays with the loop thread, which returns it to the pool itself. Each transfer of ownership goes
/// through the lock of ``TransferLoop`` or through ``waiter``, which order the memory accesses. The one exception,
/// ``cancelledGeneration``, is atomic.
final class TransferSlot: @unchecked Sendable {
    let easy: UnsafeMutableRawPointer
    let worker: LoopWorker
    var turn: LoopTurn { worker.turn }
    var driver: any LoopDriver { worker.driver }

    // MARK: Options last set on the handle, so that only changes are set again

    var origin: Origin?
    var originURL: OpaquePointer?
    var hostField: String?
    var verb = Verb.none
    var customMethod: String?
    var version: Int?
    var connectLimit: Duration??
    var isStreamBuffered = false
    var isPipeWaiting = false

    // MARK: The request

    let lines = FieldLines()
    /// Keeps the bytes alive that libcurl sends.
    var requestBody: Data?
    /// The memory for small bodies; allocated for the first one.
    private var smallBody: UnsafeMutableRawPointer?

    // MARK: The transfer

    /// Identifies one use of the slot. It is changed when the slot is taken out of the pool.
    var generation: UInt64 = 0
    /// The last generation for which cancellation was requested. It is written under the loop's lock, together with the
    /// entry in the inbox, so a thread that has taken the inbox since then reads this value too.
    let cancelledGeneration = Atomic<UInt64>(0)
    /// The generation that the loop owns, else 0. Used on the loop thread only, regardless of ownership.
    var activeGeneration: UInt64 = 0
    /// The index in the loop's array of active slots. Used on the loop thread only.
    var activeIndex = 0
    var isActive = false
    var isTouched = false

    /// Set before ``waiter`` is resumed, and read after that. The runtime orders the two as well, but Thread Sanitizer
    /// does not see that order if the resumption comes before the wait.
    let handOver = Atomic<Bool>(false)
    var waiter: Waiter?
    var stream: StreamSource?
    /// The body that is read while it is sent.
    var upload: UploadFeed?
    /// The number of bytes of it that libcurl had sent at the last check of the time.
    var uploadedBytes: curl_off_t = 0
    let limits = TransferLimits()
    let head = HeadParser()
    var body = BodyBuffer()
    var bodyLimit = 0
    /// The decoder of a collected body with a content coding. A stream's body is decoded by its consumer.
    var decoder: ContentDecoder?
    /// The maximum ratio of the decoded body to its input; `nil` for no maximum.
    var ratioLimit: Int?
    /// The observer of the TLS connection's end, for a body that has no other end.
    var tlsEnd: TLSEnd?
    /// Whether ``decoder`` or ``tlsEnd`` was set. Few transfers have one. For the others this flag avoids accesses to
    /// these variables, each of which is checked for overlapping ones.
    var isBodyChecked = false
    var isHeadDelivered = false
    /// The number of times that libcurl was about to send the request.
    var sendCount = 0
    /// The last socket that was opened for the request.
    var openedSocket: curl_socket_t?
    /// The local port of the connection that the request was sent on.
    var localPort: Int32 = 0
    var abort: TransferAbort?
    var code = CURLE_OK
    let errorText: UnsafeMutablePointer<CChar>

    /// Whether the request uses HTTP/2 in clear text with prior knowledge, which the loop tracks.
    var isPriorKnowledge = false
    /// The state in that tracking. Used on the loop thread only.
    var priorKnowledge = PriorKnowledge.State.none
    /// Whether the request was not allowed to open a connection. Used on the loop thread only.
    var isRefused = false
    /// Whether an address of the host is one to which the transport may not connect.
    var isAddressRefused = false

    // The continuation of the caller. It is resumed exactly once: the loop delivers each slot that was submitted, and
    // takes the waiter out of the slot first. Debug builds, and with them the tests, check that. The check costs every
    // request an object.
    #if DEBUG
        typealias Waiter = CheckedContinuation<Void, Never>
    #else
        typealias Waiter = UnsafeContinuation<Void, Never>
    #endif

    /// The kind of request that is set in libcurl.
    enum Verb { case none, get, head, post, upload }

    /// The size up to which bodies are copied: `Data` may store small ones inline, at no stable address.
    static let smallBodyCapacity = 4096
    /// The size of libcurl's read buffer for a stream. With a quarter of it, large bodies took a fifth more CPU time.
    static let streamReadBytes = 256 << 10
    /// The size of libcurl's read buffer for a collected body. libcurl allocates it for each transfer, and waits for the
    /// socket once for each time that it fills the buffer. Its default is a quarter of this.
    static let collectedReadBytes = 64 << 10
    /// The default size of libcurl's upload buffer.
    static let ordinaryUploadBytes = 64 << 10
    /// The content codings that requests offer, which ``ContentDecoder`` decodes.
    static let contentCodings = TransportRequest.contentCodings

    /// Creates a slot. Returns `nil` if out of memory.
    init?(worker: LoopWorker) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.worker = worker
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setConstants()
    }

    deinit {
        curl_easy_cleanup(easy)
        if let originURL { curl_url_cleanup(originURL) }
        errorText.deallocate()
        smallBody?.deallocate()
    }

    /// Returns the memory for small bodies.
    func smallBodyMemory() -> UnsafeMutableRawPointer {
        if let smallBody { return smallBody }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: TransferSlot.smallBodyCapacity, alignment: 16)
        smallBody = memory
        return memory
    }

    /// Returns the continuation to resume, and clears it.
    func takeWaiter() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }

    /// Clears everything of the last transfer. After a failure, resets the state of the handle as well.
    func clean() {
        requestBody = nil
        stream = nil
        upload = nil
        waiter = nil
        if isBodyChecked {
            isBodyChecked = false
            decoder = nil
            tlsEnd = nil
        }
        head.shrink(to: 16 << 10)
        body.reset()
        if code != CURLE_OK || abort != nil {
            curl_easy_reset(easy)
            origin = nil
            verb = .none
            customMethod = nil
            version = nil
            connectLimit = nil
            isStreamBuffered = false
            isPipeWaiting = false
            setConstants()
        }
    }

    /// Sets the options that apply to every transfer.
    private func setConstants() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        setCallbacks(context)
        set(CURLOPT_PRIVATE, context)
        set(CURLOPT_ERRORBUFFER, errorText)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_NOPROGRESS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROXY, "")
        // Without this, libcurl searches the environment for exceptions from the proxy, for every request.
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_BUFFERSIZE, TransferSlot.collectedReadBytes)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        TLSEnd.watch(easy)
        for authorities in Self.authorities(of: worker.configuration) { set(authorities.option, authorities.path) }
        _ = helium_easy_allow_http_only(easy)
        _ = helium_easy_abandon_lookups(easy)
    }
}

// MARK: Trust

extension TransferSlot {
    /// The options for the trusted authorities: none, or both, including `nil`. libcurl has a default for each option,
    /// and trusts the authorities of both.
    static func authorities(of configuration: CurlTransport.Configuration) -> [(option: CURLoption, path: String?)] {
        let (file, directory) = (configuration.certificateAuthorityFile, configuration.certificateAuthorityDirectory)
        return file == nil && directory == nil ? [] : [(CURLOPT_CAINFO, file), (CURLOPT_CAPATH, directory)]
    }
}

// MARK: Setters

extension TransferSlot {
    @discardableResult
    func set(_ option: CURLoption, _ value: Int) -> Bool { helium_easy_set_long(easy, option, value) == CURLE_OK }

    @discardableResult
    func set(_ option: CURLoption, _ value: String?) -> Bool { helium_easy_set_string(easy, option, value) == CURLE_OK }

    @discardableResult
    func set(_ option: CURLoption, _ value: UnsafeRawPointer?) -> Bool {
        helium_easy_set_pointer(easy, option, value) == CURLE_OK
    }
}
