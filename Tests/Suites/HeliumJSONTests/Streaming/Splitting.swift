import Foundation
import HeliumJSON

/// The result of splitting a document.
struct Splitting: Equatable {
    var elements: [String] = []
    var places: [JSONLocation] = []
    /// The error's, if there was one.
    var error: JSONError?
    var kind: ElementFault.Kind?
    var codingPath: [String] = []

    /// Splits a document that comes in chunks of these lengths, then whole.
    init(
        _ document: [UInt8],
        at path: [String] = [],
        chunks: some Sequence<Int> = [],
        maximumDepth: Int = 512,
        maximumElementBytes: Int = .max
    ) {
        var splitter = ElementSplitter(
            path: path,
            maximumDepth: maximumDepth,
            maximumElementBytes: maximumElementBytes
        )
        var lengths = chunks.makeIterator()
        var position = 0
        do throws(ElementFault) {
            while position < document.count {
                // A copy of its own, so that reading beyond it is found by Address Sanitizer.
                let chunk = Array(document[position..<min(position + (lengths.next() ?? .max / 2), document.count)])
                position += chunk.count
                try take(chunk, &splitter)
            }
            try splitter.finish()
        } catch {
            kind = error.kind
            self.error = error.decodingError.jsonError
            codingPath = error.decodingError.path
        }
    }

    init(_ document: String, at path: [String] = [], chunk: Int = .max / 2) {
        self.init(Array(document.utf8), at: path, chunks: repeatElement(chunk, count: document.utf8.count))
    }

    private mutating func take(_ chunk: [UInt8], _ splitter: inout ElementSplitter) throws(ElementFault) {
        let result = chunk.withUnsafeBytes { bytes -> Result<Void, ElementFault> in
            var rest = bytes
            return Result { () throws(ElementFault) in
                while try splitter.next(
                    in: &rest,
                    { text, place in
                        precondition(place.index == elements.count)
                        elements.append(String(decoding: text, as: UTF8.self))
                        places.append(place.location)
                    }
                ) {}
            }
        }
        try result.get()
    }
}

extension DecodingError {
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    var jsonError: JSONError? { context?.underlyingError as? JSONError }

    var path: [String] { context?.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } ?? [] }
}

/// Returns the parser's error for a whole document; `nil` if there is none.
func parserError(_ document: [UInt8]) -> JSONError? {
    struct Unread: Decodable { init(from decoder: any Decoder) {} }
    do {
        _ = try HeliumJSONDecoder().decode(Unread.self, from: document)
        return nil
    } catch {
        return (error as? DecodingError)?.jsonError
    }
}
