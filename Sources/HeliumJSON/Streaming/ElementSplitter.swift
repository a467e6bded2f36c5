/// Finds the elements of one array in a document that comes piece by piece.
///
/// The whole document is checked against RFC 8259, what stands around the array too. On the way to the array the first
/// member with a name counts, names being compared scalar by scalar; others are passed over. What is kept is the unfinished
/// element, the unfinished name of a member that may be on the way, and a bit for each open container: nothing grows with
/// the document. After an error a splitter is of no more use.
package struct ElementSplitter: Sendable {
    /// What comes next.
    enum State: Sendable {
        case byteOrderMark
        case value, firstElement, firstName, name, colon, separator, over
        /// The rest of a token that the bytes cut.
        case string, number, literal
    }

    /// Why reading stopped.
    enum Stop {
        case endOfBytes, endOfElement
        /// The array is sought, and something else stands there.
        case mismatch(noun: String)
        /// The object that the next name is sought in ends without it.
        case missing
    }

    let path: [String]
    let maximumDepth: Int
    private let maximumElementBytes: Int

    var state = State.byteOrderMark
    var string = StringScan()
    var isName = false
    var number = NumberScan()
    var literal = LiteralScan()
    var nesting = NestingStack()
    var lines = LineTracker()
    var capture = Capture()
    /// Where in the stream the bytes at hand begin.
    var origin = 0

    /// How many names of the path were found.
    var descended = 0
    /// Whether the next value is the array, or an object on the way to it.
    var isOnPath = true
    /// The depth in the object that the next name of the path is sought in; -1 where none is.
    var nameDepth = -1
    /// Where the value that was on the path last begins.
    var pathLocation = JSONLocation(line: 1, column: 1, byteOffset: 0)

    /// The depth in the array; -1 before and behind it.
    var elementDepth = -1
    /// How many elements there were.
    private(set) var elementCount = 0
    /// Where the last element begins.
    var elementLocation = JSONLocation(line: 1, column: 1, byteOffset: 0)

    /// A splitter at the beginning of a document.
    ///
    /// - Parameters:
    ///   - path: The names of the members to the array, from the top; none: the document is the array.
    ///   - maximumDepth: The deepest nesting in the document.
    ///   - maximumElementBytes: The most bytes of one element.
    package init(path: [String], maximumDepth: Int, maximumElementBytes: Int) {
        self.path = path
        self.maximumDepth = maximumDepth
        self.maximumElementBytes = maximumElementBytes
    }
}

extension ElementSplitter {
    /// Reads on to the end of the next element.
    ///
    /// - Parameters:
    ///   - bytes: What follows in the stream; what was read is taken off.
    ///   - body: Called with the element's text, which lasts as long as the call, and its place.
    /// - Returns: Whether there was one; if not, all bytes were read.
    package mutating func next(
        in bytes: inout UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, ElementPlace) -> Void
    ) throws(ElementFault) -> Bool {
        guard !bytes.isEmpty else { return false }
        var scanner = ByteScanner(bytes.assumingMemoryBound(to: UInt8.self))
        let isElement = try element(&scanner)
        let read = UnsafeRawBufferPointer(rebasing: bytes[..<scanner.position])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[scanner.position...])
        guard isElement else { return false }
        capture.take(endingIn: read) { body($0, ElementPlace(index: elementCount, location: elementLocation)) }
        elementCount += 1
        return true
    }

    /// Ends the document.
    package func finish() throws(ElementFault) {
        if state != .over { throw fault(endFault) }
    }

    /// - Returns: Whether an element ends where the scanner is then.
    private mutating func element(_ scanner: inout ByteScanner) throws(ElementFault) -> Bool {
        let stop: Stop
        do throws(SyntaxFault) {
            stop = try scan(&scanner)
            if case .element = capture.kind, capture.count(at: scanner.position) > maximumElementBytes {
                throw SyntaxFault(.elementTooLong(maximumElementBytes), at: elementLocation.byteOffset)
            }
        } catch {
            throw fault(error)
        }
        origin += scanner.position
        switch stop {
        case .endOfElement: return true
        case .endOfBytes:
            capture.keep(from: scanner)
            return false
        case .mismatch(let noun): throw mismatch(noun)
        case .missing: throw missing()
        }
    }

    /// What the end of the stream means here.
    private var endFault: SyntaxFault {
        switch state {
        case .byteOrderMark: SyntaxFault(origin == 0 ? .empty : .unexpectedByte(0xEF, wanted: "a value"), at: 0)
        case .value where nesting.depth == 0: SyntaxFault(.empty, at: origin)
        case .value, .firstElement: SyntaxFault(.unexpectedEnd(wanted: "a value"), at: origin)
        case .firstName, .name: SyntaxFault(.unexpectedEnd(wanted: "a member's name"), at: origin)
        case .colon: SyntaxFault(.unexpectedEnd(wanted: "a colon"), at: origin)
        case .number where !number.isWhole: SyntaxFault(.unexpectedEnd(wanted: "a digit"), at: origin)
        case .separator, .number, .over: SyntaxFault(.unexpectedEnd(wanted: separator), at: origin)
        case .string: string.fault(atEnd: origin)
        case .literal: SyntaxFault(.badLiteral, at: literal.start)
        }
    }
}
