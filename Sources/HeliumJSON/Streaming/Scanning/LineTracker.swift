/// The position in the lines of a stream. It stores only three numbers, however much was read.
///
/// In JSON, a line feed occurs only between tokens, and a sequence of several bytes only in strings. The code that
/// reads them reports them.
struct LineTracker {
    private var line = 1
    /// The offset of the first byte of the line.
    private var lineStart = 0
    /// The number of bytes of the line that do not begin a character.
    private var continuations = 0

    /// Records a line feed.
    @inline(__always)
    mutating func passLineFeed(at offset: Int) {
        line &+= 1
        lineStart = offset &+ 1
        continuations = 0
    }

    /// Records bytes that continue a character.
    @inline(__always)
    mutating func passContinuation(_ count: Int) { continuations &+= count }

    /// Returns the position of a byte in this line, between which and the current position there are no continuation
    /// bytes.
    @inline(__always)
    func location(of offset: Int) -> JSONLocation {
        JSONLocation(line: line, column: offset &- lineStart &- continuations &+ 1, byteOffset: offset)
    }
}
