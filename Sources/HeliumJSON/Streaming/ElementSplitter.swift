/// Finds the elements of one array in a document that arrives in chunks.
///
/// The whole document is validated against RFC 8259, including the parts around the array. On the path to the array,
/// the first member with a name is used. Names are compared scalar by scalar, and other members are skipped. It keeps
/// only the incomplete element, the incomplete name of a member that may be on the path, and one bit for each open
/// container, so its memory does not grow with the document. After an error, a splitter must not be used again.
package struct ElementSplitter: Sendable {
    /// The next expected token.
    enum State: Sendable {
        case byteOrderMark
        case value, firstElement, firstName, name, colon, separator, over
        /// The rest of a token that is split between chunks.
        case string, number, literal
    }

    /// The reason why reading stopped.
    enum Stop {
        case endOfBytes, endOfElement
        /// The array is expected, but another value was found.
        case mismatch(noun: String)
        /// The object that should contain the next name ends without it.
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
    /// The position in the stream at which the current bytes begin.
    var origin = 0

    /// The number of names of the path that were found.
    var descended = 0
    /// Whether the next value is the array, or an object on the way to it.
    var isOnPath = true
    /// The depth in the object that should contain the next name of the path; -1 if there is none.
    var nameDepth = -1
    /// The position of the last value on the path.
    var pathLocation = JSONLocation(line: 1, column: 1, byteOffset: 0)

    /// The depth in the array; -1 before and after it.
    var elementDepth = -1
    /// The number of elements so far.
    private(set) var elementCount = 0
    /// The position of the last element.
    var elementLocation = JSONLocation(line: 1, column: 1, byteOffset: 0)

    /// Creates a splitter at the beginning of a document.
    ///
    /// - Parameters:
    ///   - path: The member names that lead to the array from the top; empty if the document is the array.
    ///   - maximumDepth: The maximum nesting depth in the document.
    ///   - maximumElementBytes: The maximum number of bytes of one element.
    package init(path: [String], maximumDepth: Int, maximumElementBytes: Int) {
        self.path = path
        self.maximumDepth = maximumDepth
        self.maximumElementBytes = maximumElementBytes
    }
}

extension ElementSplitter {
    /// Reads to the end of the next element.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the stream. The bytes that were read are removed.
    ///   - body: Called with the element's text, which is valid only during the call, and its position.
    /// - Returns: Whether there was an element. If not, all bytes were read.
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

    /// Ends the document. Throws if it is incomplete.
    package func finish() throws(ElementFault) {
        if state != .over { throw fault(endFault) }
    }

    /// Reads up to the end of an element.
    ///
    /// - Returns: Whether an element ends at the scanner's position.
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

    /// The fault if the stream ends here.
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
