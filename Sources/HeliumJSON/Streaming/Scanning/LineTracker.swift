/// Where in a stream's lines it is: no more than three numbers, whatever was read.
///
/// In JSON, a line feed stands only between tokens and a sequence of several bytes only in strings: those who read them tell.
struct LineTracker {
    private var line = 1
    /// The first byte of the line.
    private var lineStart = 0
    /// Bytes of the line that begin no character.
    private var continuations = 0

    /// A line feed was passed.
    @inline(__always)
    mutating func passLineFeed(at offset: Int) {
        line &+= 1
        lineStart = offset &+ 1
        continuations = 0
    }

    /// Bytes were passed that go on with a character.
    @inline(__always)
    mutating func passContinuation(_ count: Int) { continuations &+= count }

    /// The place of a byte in this line that has no continuation between it and here.
    @inline(__always)
    func location(of offset: Int) -> JSONLocation {
        JSONLocation(line: line, column: offset &- lineStart &- continuations &+ 1, byteOffset: offset)
    }
}
