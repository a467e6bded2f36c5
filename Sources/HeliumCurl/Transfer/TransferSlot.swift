import CLibcurl
import HTTPTypes
import HeliumCore
import HeliumEssentials
import Synchronization

/// An easy handle with the memory that goes with it, used for one transfer after the other.
///
/// `@unchecked Sendable`: a slot has exactly one owner at a time, and only the owner touches it:
/// pool → caller (``prepare(_:)``) → loop thread (from being added until being removed) → caller (reading the outcome)
/// → pool. Of a stream the loop thread stays the owner and returns the slot itself. Each hand-over goes through the lock
/// of ``TransferLoop`` or through ``waiter``, which order the memory accesses. The one exception,
/// ``cancelledGeneration``, is atomic.
final class TransferSlot: @unchecked Sendable {
    let easy: UnsafeMutableRawPointer
    let worker: LoopWorker
    var turn: LoopTurn { worker.turn }
    var driver: any LoopDriver { worker.driver }

    // MARK: What was last set on the handle, so that only changes are set again

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

    var lines = FieldLines()
    /// Keeps the bytes alive that libcurl sends from.
    var requestBody: Data?
    var smallBody: UnsafeMutableRawPointer

    // MARK: The transfer

    /// Tells one use of the slot from the next; changed by whoever takes it out of the pool.
    var generation: UInt64 = 0
    /// The last generation whose cancellation was asked for. Written under the loop's lock, together with the news for the loop's
    /// thread: who has taken the inbox since then reads it, too.
    let cancelledGeneration = Atomic<UInt64>(0)
    /// The generation in the loop's hands, else 0. The loop thread's alone, beyond ownership.
    var activeGeneration: UInt64 = 0
    /// Its place among the loop's active slots. The loop thread's alone.
    var activeIndex = 0
    var isActive = false
    var isTouched = false

    /// Set before ``waiter`` is resumed, read after. The runtime orders the two as well, but where the resumption comes
    /// before the wait it does so unseen by Thread Sanitizer.
    let handOver = Atomic<Bool>(false)
    var waiter: CheckedContinuation<Void, Never>?
    var stream: StreamSource?
    /// The body that is read while it is sent.
    var upload: UploadFeed?
    /// What libcurl had sent of it when the time was last looked at.
    var uploadedBytes: curl_off_t = 0
    let limits = TransferLimits()
    let head = HeadParser()
    var body = BodyBuffer()
    var bodyLimit = 0
    /// Undoes the content coding of a collected body that has one. A stream's is undone by its consumer.
    var decoder: ContentDecoder?
    /// The maximum ratio of the decoded body to its input; `nil` for no maximum.
    var ratioLimit: Int?
    /// The observer of the TLS connection's end, for a body that has no other end.
    var tlsEnd: TLSEnd?
    var isHeadDelivered = false
    /// How often libcurl was about to send the request.
    var sendCount = 0
    /// The last socket that was opened for it.
    var openedSocket: curl_socket_t?
    /// The local port of the connection it was sent on.
    var localPort: Int32 = 0
    var abort: TransferAbort?
    var code = CURLE_OK
    let errorText: UnsafeMutablePointer<CChar>

    /// Whether the request is one for HTTP/2 in clear text, of which the loop keeps an account.
    var isPriorKnowledge = false
    /// Where it stands in that account. The loop thread's alone.
    var priorKnowledge = PriorKnowledge.State.none
    /// Whether it was kept from opening a connection. The loop thread's alone.
    var isRefused = false

    /// Which of libcurl's request kinds is set.
    enum Verb { case none, get, head, post, upload }

    /// Bodies up to this size are copied: `Data` may keep small ones inside of the value, at no lasting address.
    static let smallBodyCapacity = 4096
    /// What libcurl reads at a time for a stream: with a quarter of it, large bodies took a fifth more CPU time.
    static let streamReadBytes = 256 << 10
    /// What libcurl takes at a time of a body that it asks for, by default.
    static let ordinaryUploadBytes = 64 << 10
    /// The content codings that requests offer: those that ``ContentDecoder`` decodes.
    static let contentCodings = TransportRequest.contentCodings

    /// `nil` without memory.
    init?(worker: LoopWorker) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.worker = worker
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        smallBody = .allocate(byteCount: TransferSlot.smallBodyCapacity, alignment: 16)
        setConstants()
    }

    deinit {
        curl_easy_cleanup(easy)
        if let originURL { curl_url_cleanup(originURL) }
        errorText.deallocate()
        smallBody.deallocate()
    }

    /// The continuation to resume, for the one who resumes it.
    func takeWaiter() -> CheckedContinuation<Void, Never>? {
        defer { waiter = nil }
        return waiter
    }

    /// Forgets everything of the last transfer; after a failure the handle's own state as well.
    func clean() {
        requestBody = nil
        stream = nil
        upload = nil
        waiter = nil
        decoder = nil
        tlsEnd = nil
        head.shrink(to: 16 << 10)
        _ = body.take()
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

    /// What holds for every transfer.
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
    /// The options of the authorities to trust: none, or both, `nil` included. libcurl has a default for each, and trusts the
    /// authorities of either.
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
