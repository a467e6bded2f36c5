/// Limits the frames that a peer sends in relation to the responses that they carry.
///
/// Each frame costs one unit of a budget. Responses, the parts of a body, and time refill it. So a peer can send control
/// frames, empty frames and resets only as long as it also does useful work, and a quiet connection with a PING every
/// few seconds never ends. The frames that a correct peer sends because of this side cost nothing: the updates of windows for
/// what was uploaded, and the bytes that were on their way when a call was cancelled.
///
/// It reads the frame headers itself, before nghttp2 does, because nghttp2 decodes CONTINUATION frames without a limit
/// in versions before 1.61 (CVE-2024-28182).
struct HTTP2FloodGuard {
    /// The largest number of frames without progress.
    static let capacity = 2000
    /// The largest number of CONTINUATION frames of one header section: that of newer versions of nghttp2. Frames have
    /// at most 16 KiB.
    static let continuationLimit = 8
    /// The time that refills one unit, in nanoseconds.
    static let refillTime: UInt64 = 50_000_000

    /// The number of uploaded bytes for which a peer may send a WINDOW_UPDATE. Servers send one for the stream and one for the
    /// connection after each read of their application, which may take 512 bytes.
    private static let updateBytes = 256
    /// The number of bytes on their way for which a peer may send a frame.
    private static let lateBytes = 1024
    /// The largest number of frames of each kind that cost nothing.
    private static let freeCapacity = 1 << 16

    private var budget = HTTP2FloodGuard.capacity
    /// The number of WINDOW_UPDATE frames that cost nothing.
    private var freeUpdates = 0
    /// The number of DATA frames that cost nothing.
    private var freeData = 0
    /// The stream of the current or last frame.
    private(set) var stream: Int32 = 0

    /// The size of a header section that responses may have.
    private let sectionBytes: Int
    /// The number of compressed bytes of the current or last header section.
    private var blockBytes = 0
    private var refilled: UInt64?
    private var continuations = 0
    /// The bytes of the current frame's header so far.
    private var header: [UInt8] = []
    /// The header that the last ``scan(_:now:)`` has completed and not begun.
    private(set) var splitHeader: [UInt8] = []
    /// The bytes of the current frame's payload that have not arrived.
    private var missing = 0

    init(sectionBytes: Int) { self.sectionBytes = sectionBytes }

    /// Refills the budget after progress.
    mutating func earn(_ units: Int) { budget = min(budget + units, HTTP2FloodGuard.capacity) }

    /// Notes a part of a request's body that was written.
    mutating func uploaded(_ count: Int) {
        earn(3)
        freeUpdates = min(freeUpdates + count / HTTP2FloodGuard.updateBytes, HTTP2FloodGuard.freeCapacity)
    }

    /// Notes that a response is not wanted any more of which so many bytes may be on their way.
    mutating func abandoned(_ count: Int) {
        freeData = min(freeData + count / HTTP2FloodGuard.lateBytes, HTTP2FloodGuard.freeCapacity)
    }

    /// The bytes that can be processed after a scan.
    struct Passage {
        /// Whether ``splitHeader`` comes first.
        var hasSplitHeader = false
        /// The bytes after it. They end with a whole frame header or in a payload: newer versions of nghttp2 count the
        /// pieces of a header of CONTINUATION as so many frames.
        var range = 0..<0
        /// The fault of the frame after them.
        var fault: HTTP2Fault?
    }

    /// Reads the headers of the frames in `bytes`.
    ///
    /// - Parameter now: A monotonic time in nanoseconds.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, now: UInt64) -> Passage {
        refill(now)
        var passage = Passage()
        var isSplit = !header.isEmpty
        var (start, position) = (0, 0)
        while position < bytes.count {
            if missing > 0 {
                let step = min(missing, bytes.count - position)
                missing -= step
                position += step
                continue
            }
            if header.isEmpty, bytes.count - position >= 9 {
                passage.fault = judge(UnsafeRawBufferPointer(rebasing: bytes[position..<(position + 9)]))
                if passage.fault != nil { break }
                position += 9
                continue
            }
            let rest = min(9 - header.count, bytes.count - position)
            header.append(contentsOf: bytes[position..<(position + rest)])
            position += rest
            guard header.count == 9 else { break }
            let whole = header
            passage.fault = whole.withUnsafeBytes { judge($0) }
            if passage.fault != nil { break }
            if isSplit {
                passage.hasSplitHeader = true
                swap(&splitHeader, &header)
                isSplit = false
                start = position
            }
            header.removeAll(keepingCapacity: true)
        }
        if !isSplit { passage.range = start..<position - header.count }
        return passage
    }

    private mutating func refill(_ now: UInt64) {
        let last = refilled ?? now
        let units = now > last ? (now - last) / HTTP2FloodGuard.refillTime : 0
        if units > 0 || refilled == nil {
            earn(Int(min(units, UInt64(HTTP2FloodGuard.capacity))))
            refilled = now
        }
    }

    /// Judges the frame whose header is complete (RFC 9113 §4.1).
    private mutating func judge(_ header: UnsafeRawBufferPointer) -> HTTP2Fault? {
        let length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        stream = Int32(header[5] & 0x7F) << 24 | Int32(header[6]) << 16 | Int32(header[7]) << 8 | Int32(header[8])
        missing = length
        switch header[3] {
        case 0 where freeData > 0: freeData -= 1
        case 8 where freeUpdates > 0: freeUpdates -= 1
        default: budget -= 1
        }
        if budget < 0 { return .flood }
        switch header[3] {
        case 1:
            blockBytes = length
            continuations = 0
        case 5:
            // Push is disabled before the first request is sent, so no server may push (RFC 9113 §8.4).
            return .framing
        case 9:
            blockBytes += length
            continuations += 1
            if continuations > HTTP2FloodGuard.continuationLimit {
                return blockBytes > sectionBytes ? .headerSection : .flood
            }
        default: break
        }
        return nil
    }
}
