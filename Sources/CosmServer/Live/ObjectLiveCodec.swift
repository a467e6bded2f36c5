internal import HeliumBytes
internal import HeliumServerKit
internal import HeliumWebSocketFraming
internal import NIOCore

/// The framing of raw TCP (Docs/Protocols/Cosm.md §14.1): objects are found in the received bytes, and each object is
/// sent as one line.
struct ObjectLiveCodec: LiveCodec {
    private var splitter: ObjectSplitter
    private var found = CircularBuffer<ObjectSplitter.Event>()

    let overhead = 1

    init(maximumObjectBytes: Int) { splitter = ObjectSplitter(maximum: maximumObjectBytes) }

    var isWithinObject: Bool { splitter.isWithinObject }

    mutating func next(_ bytes: RawSpan, consumed: inout Int) throws(LiveFault) -> LiveArrival? {
        if consumed < bytes.byteCount {
            found.append(contentsOf: bytes.extracting(consumed...).withUnsafeBytes { splitter.take($0) })
            consumed = bytes.byteCount
        }
        switch found.popFirst() {
        case nil: return nil
        case .object(let object): return .object(object)
        case .tooLong: throw Self.fault("Bad Request: the object is too long")
        case .tooMuchSpace: throw Self.fault("Bad Request: too much white space between two objects")
        case .unreadable: throw Self.fault("Syntax Error: this is not a JSON object")
        }
    }

    private static func fault(_ reason: String) -> LiveFault {
        LiveFault(code: CloseCode.protocolError, reason: reason)
    }

    mutating func write(_ object: LiveObject, to out: inout ByteQueue) {
        for part in object.parts { out.append(part) }
        out.append(UInt8(ascii: "\n"))
    }

    mutating func writePing(to out: inout ByteQueue) -> Bool { false }

    mutating func writePong(_ payload: [UInt8], to out: inout ByteQueue) {}

    mutating func writeClose(_ code: UInt16?, reason: String, to out: inout ByteQueue) -> Bool { false }
}
