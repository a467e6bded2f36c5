internal import HeliumEssentials

/// Reads the elements of one response's array. It sends the request when the first element is requested.
struct ElementReader {
    private let path: [String]
    private let options: ElementOptions
    private let open: @Sendable () async throws -> OpenedStream
    private var chunks: BodyStream.Iterator?
    private var chunk = Data()
    private var splitter: ElementSplitter
    private var isOver = false

    /// The response; `nil` until it has arrived.
    private(set) var answer: ResponseSummary?

    init(at path: [String], _ options: ElementOptions, open: @escaping @Sendable () async throws -> OpenedStream) {
        self.path = path
        self.options = options
        self.open = open
        splitter = Self.splitter(at: path, options)
    }

    private static func splitter(at path: [String], _ options: ElementOptions) -> ElementSplitter {
        ElementSplitter(path: path, maximumDepth: options.maximumDepth, maximumElementBytes: options.elementBytes)
    }
}

extension ElementReader {
    /// Returns the text and position of the next element, or `nil` after the last and after an error was thrown.
    mutating func next() async throws -> (text: Data, place: ElementPlace)? {
        guard !isOver else { return nil }
        do {
            try Task.checkCancellation()
            if answer == nil {
                let opened = try await open()
                answer = opened.answer
                chunks = opened.stream.body.makeAsyncIterator()
            }
            if let element = try await element() { return element }
            end()
            return nil
        } catch let fault as ElementFault {
            end()
            throw failure(fault) ?? fault.decodingError
        } catch {
            end()
            throw error
        }
    }

    /// Ends the transfer.
    mutating func end() {
        isOver = true
        chunks = nil
        chunk = Data()
        splitter = Self.splitter(at: [], options)
    }

    private mutating func element() async throws -> (text: Data, place: ElementPlace)? {
        while true {
            if let element = try take() { return element }
            guard let chunk = try await chunks?.next() else { break }
            self.chunk = chunk
        }
        // A cancelled stream may end without an error.
        try Task.checkCancellation()
        try splitter.finish()
        return nil
    }

    /// Returns the next element of the current chunk, or `nil` if it is incomplete.
    private mutating func take() throws(ElementFault) -> (text: Data, place: ElementPlace)? {
        var element: (text: Data, place: ElementPlace)?
        let read = chunk.withUnsafeBytes { bytes -> Result<Int, ElementFault> in
            var rest = bytes
            return Result { () throws(ElementFault) in
                _ = try splitter.next(in: &rest) { text, place in element = (Data(text), place) }
                return bytes.count - rest.count
            }
        }
        chunk = chunk.dropFirst(try read.get())
        return element
    }
}

// MARK: Failures

extension ElementReader {
    private func failure(_ fault: ElementFault) -> HeliumError? {
        guard let answer else { return nil }
        let place = path.isEmpty ? "" : " at \"\(path.joined(separator: "."))\""
        var failure =
            switch fault.kind {
            case .empty: answer.error(.emptyResponse, "the response is empty, expected an array")
            case .missing: answer.error(.emptyResponse, "the response has no array\(place)")
            case .mismatch: answer.error(.decodingFailed, "the response has a value\(place) that is not an array")
            case .invalid: answer.error(.decodingFailed, "the response is not valid JSON")
            case .elementTooLong:
                answer.ceilingExceeded("an element has more than \(options.elementBytes) bytes", .elementBytes)
            }
        failure[fact: \.decoding] = DecodingFailure(
            type: [Any].self,
            error: fault.decodingError,
            redactor: answer.redactor
        )
        failure[fact: \.underlying] = fault.decodingError
        return failure
    }
}
