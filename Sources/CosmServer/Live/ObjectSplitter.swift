/// Finds JSON objects in a stream of bytes without delimiters (Docs/Protocols/Cosm.md §14.1), by tracking strings,
/// escapes and the nesting of brackets.
package struct ObjectSplitter: Sendable {
    /// An object or error that was found.
    package enum Event: Hashable, Sendable {
        case object([UInt8])
        /// An object that exceeds the limit. The stream cannot be read further.
        case tooLong
        /// Bytes between objects that do not begin an object. The stream cannot be read further.
        case unreadable
        /// Too much white space between objects. The stream cannot be read further.
        case tooMuchSpace
    }

    /// The maximum number of bytes of white space between two objects. It allows years of keep-alive line breaks, and
    /// stops a client that sends nothing else within a fraction of a second.
    static let maximumSpaceBytes = 64 * 1024

    private let maximum: Int
    private var object: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isOver = false
    /// The number of bytes of white space since the last object.
    private var space = 0

    package init(maximum: Int) { self.maximum = maximum }

    /// Whether an object has begun and is incomplete.
    var isWithinObject: Bool { depth > 0 }

    /// Takes received bytes and returns the objects that are complete. After ``Event/tooLong``, ``Event/unreadable``
    /// and ``Event/tooMuchSpace`` further bytes are ignored.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            if isOver { break }
            if depth == 0 {
                switch byte {
                case 0x20, 0x09, 0x0A, 0x0D:
                    space += 1
                    if space > Self.maximumSpaceBytes {
                        isOver = true
                        events.append(.tooMuchSpace)
                    }
                case UInt8(ascii: "{"):
                    space = 0
                    depth = 1
                    object.append(byte)
                default:
                    isOver = true
                    events.append(.unreadable)
                }
                continue
            }
            guard object.count < maximum else {
                isOver = true
                object = []
                events.append(.tooLong)
                break
            }
            object.append(byte)
            step(byte)
            if depth == 0 {
                events.append(.object(object))
                object = []
            }
        }
        return events
    }

    private mutating func step(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }
}
