import HeliumCompression
import HeliumCore
import HeliumWire

/// Decodes the content coding of one response body in pieces. Checks the ratio ceiling and that the coding is complete.
struct ContentDecoder: ~Copyable, Sendable {
    /// The size up to which a decoded body is accepted whatever its ratio to the input.
    static let freelyDecodedBytes = 1 << 20

    private var inflater: Inflater
    private let ratioLimit: Int
    /// Whether a body of no bytes is complete.
    private let mayBeEmpty: Bool
    private var received = 0
    private var decoded = 0

    /// - Parameters:
    ///   - ratioLimit: The maximum ratio of the decoded body to its input; `nil` for no maximum.
    ///   - mayBeEmpty: Whether a body of no bytes is complete. It is not if only the end of the connection ends it.
    init(_ format: Inflater.Format, ratioLimit: Int?, mayBeEmpty: Bool) {
        inflater = Inflater(format)
        self.ratioLimit = ratioLimit ?? .max
        self.mayBeEmpty = mayBeEmpty
    }

    /// The result of one step.
    enum Step {
        /// The number of bytes taken from the input. `isFull` is `true` if the output had no more room.
        case took(Int, isFull: Bool)
        case failed(TransferAbort)
    }

    /// Decodes `input` and appends at most `limit` bytes to `body`.
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
                    ? .outOfMemory : .malformed("the body can't be decoded with its content coding")
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

    /// The reason why the body is incomplete if no more bytes arrive; `nil` if it is complete.
    var incompleteness: TransferAbort? {
        if inflater.isComplete || received == 0 && mayBeEmpty { return nil }
        return .malformed("the encoded body is incomplete")
    }
}
