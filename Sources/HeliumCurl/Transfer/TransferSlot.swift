import HTTPTypes
import HeliumCore
import HeliumEssentials
import HeliumWire
import Synchronization

/// The memory of one call, used for one call after the other.
///
/// `@unchecked Sendable`: a slot has exactly one owner at a time, and only the owner accesses it: pool of slots → caller
/// (``prepare(_:)``) → loop thread (from being added until being removed) → caller (reading the outcome) → pool of slots.
/// The slot of a stream stays with the loop thread, which returns it to the pool itself. Each transfer of ownership goes
/// through the lock of ``TransferLoop`` or through ``waiter``, which order the memory accesses. The one exception,
/// ``cancelledGeneration``, is atomic.
final class TransferSlot: @unchecked Sendable {
    let worker: LoopWorker
    var turn: LoopTurn { worker.turn }

    // MARK: The request

    // What an access to these variables calls has no reference to the slot, so that two accesses can't overlap, and need
    // no check. The same holds for the body of the response and its decoder.
    @exclusivity(unchecked) var origin: Origin?
    @exclusivity(unchecked) var request = RequestHead(authority: "")
    var version = HTTPVersionPolicy.automatic
    /// The connect limit of the caller, which libcurl divides among the addresses of a host.
    var connectLimit: Duration?
    /// The collected body.
    @exclusivity(unchecked) var requestBody: Data?
    /// The body that is read while it is sent.
    var upload: UploadFeed?

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
    let limits = TransferLimits()
    let head = HeadParser()
    @exclusivity(unchecked) var body = BodyBuffer()
    var bodyLimit = 0
    /// The decoder of a collected body with a content coding. A stream's body is decoded by its consumer.
    @exclusivity(unchecked) var decoder: ContentDecoder?
    /// The maximum ratio of the decoded body to its input; `nil` for no maximum.
    var ratioLimit: Int?
    var isHeadDelivered = false
    var abort: TransferAbort?
    /// The time at which the first byte of the response arrived, and the time of the end; 0 before.
    var firstByteTime: UInt64 = 0
    var endTime: UInt64 = 0

    // MARK: The connection

    /// The call in the pool, and the connection that it was last assigned to. Used on the loop thread only.
    var poolCall: PoolCall?
    var poolConnection: PoolConnection?
    /// The connection that carries the call; `nil` while it waits.
    var connection: HTTPConnection?
    /// The stream of HTTP/2 that carries the call.
    var streamID: Int32 = 0
    /// Whether the connection was made for this call.
    var isOpener = false
    /// The times of the connection, if it was made for this call.
    var connectTimings = TransferTimings()
    /// Whether the head was passed to a connection.
    var hasBegun = false
    /// Whether the body waits for the response 100 (HTTP/2).
    var isAwaitingContinue = false
    /// Whether the whole request was passed to the connection.
    var isRequestWhole = false
    /// Whether no byte of the request reached the server, or the server has said that it did not process it.
    var isUnsent = false
    /// The number of bytes that the connection's system had accepted when the call began, and at the last check.
    var acceptedBefore: UInt64 = 0
    var acceptedAtCheck: UInt64 = 0
    /// The number of bytes of the collected body that were passed to the connection.
    var bodyPosition = 0
    /// The number of bytes of the upload that were passed to the connection, now and at the last check.
    var suppliedCount = 0
    var suppliedAtCheck = 0
    /// Whether output of the connection waited at that time.
    var isWaitingAtCheck = false
    /// Whether bytes of the upload were taken, which can't be had a second time.
    var isUploadBegun = false
    /// The bytes that the consumer of a stream has not made room for in the windows of HTTP/2.
    var unconsumed = 0
    /// The way in which the call would have been sent again if nothing of its upload had been taken.
    var repetition: TransportFailure.Repetition?
    /// The times that the call was sent again.
    var repetitions = Repetitions()
    /// Whether the call may use HTTP/1.1 only from now on.
    var needsHTTP1 = false

    // The continuation of the caller. It is resumed exactly once: the loop delivers each slot that was submitted, and
    // takes the waiter out of the slot first. Debug builds, and with them the tests, check that. The check costs every
    // request an object.
    #if DEBUG
        typealias Waiter = CheckedContinuation<Void, Never>
    #else
        typealias Waiter = UnsafeContinuation<Void, Never>
    #endif

    init(worker: LoopWorker) { self.worker = worker }

    /// Returns the continuation to resume, and clears it.
    func takeWaiter() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }

    /// Clears everything of the last transfer.
    func clean() {
        requestBody = nil
        stream = nil
        upload = nil
        waiter = nil
        if decoder != nil { decoder = nil }
        head.shrink(to: 16 << 10)
        body.reset()
        abort = nil
        poolCall = nil
        connection = nil
    }
}
