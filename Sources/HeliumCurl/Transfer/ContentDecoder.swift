import HeliumCompression
import HeliumCore

/// Undoes the content coding of one response body: piece by piece, within the ratio ceiling, and to its proper end.
///
/// libcurl could do that too. It does not report a body that ends early, and while a transfer is paused it decodes all
/// that it has read into its own memory.
struct ContentDecoder: ~Copyable, Sendable {
    /// Bodies up to this size may come out of however little.
    static let freelyDecodedBytes = 1 << 20

    private var inflater: Inflater
    private let ratioLimit: Int
    /// Whether a body of no bytes is complete.
    private let mayBeEmpty: Bool
    private var received = 0
    private var decoded = 0

    /// - Parameters:
    ///   - ratioLimit: How many times larger than its input the body may be; `nil` for any.
    ///   - mayBeEmpty: Whether a body of no bytes is complete: not where only the end of the connection ends it.
    init(_ format: Inflater.Format, ratioLimit: Int?, mayBeEmpty: Bool) {
        inflater = Inflater(format)
        self.ratioLimit = ratioLimit ?? .max
        self.mayBeEmpty = mayBeEmpty
    }

    /// The result of one step.
    enum Step {
        /// So many bytes were taken from the input; `isFull` if the output had no more room.
        case took(Int, isFull: Bool)
        case failed(TransferAbort)
    }

    /// Decodes from `input` to the end of `body`, at most `limit` bytes.
    mutating func decode(_ input: UnsafeRawBufferPointer, into body: inout BodyBuffer, limit: Int) -> Step {
        var failure: TransferAbort?
        var consumed = 0
        var isFull = false
        let produced = body.extend(by: limit) { room in
            do throws(Inflater.Failure) {
                let progress = try inflater.decompress(input, into: room)
                consumed = progress.consumed
                isFull = progress.produced == room.count
                return progress.produced
            } catch {
                failure =
                    error == .outOfMemory
                    ? .outOfMemory : .malformed("the body does not decode by its content coding")
                return 0
            }
        }
        if let failure { return .failed(failure) }
        guard let produced else { return .failed(.outOfMemory) }
        received &+= consumed
        decoded &+= produced
        guard isPlausible else { return .failed(.ceiling(.decompressionRatio, limit: ratioLimit)) }
        return .took(consumed, isFull: isFull)
    }

    private var isPlausible: Bool {
        guard decoded > ContentDecoder.freelyDecodedBytes else { return true }
        let (most, isOver) = received.multipliedReportingOverflow(by: ratioLimit)
        return isOver || decoded <= most
    }

    /// Why the body is not complete although no more bytes will come; `nil` if it is.
    var incompleteness: TransferAbort? {
        if inflater.isComplete || received == 0 && mayBeEmpty { return nil }
        return .malformed("the body ends before its content coding does")
    }
}
