public import HeliumEssentials

/// A response as a transport returns it.
///
/// A copy shares the values of the original until one of them is changed.
public struct TransportResponse: Sendable {
    /// The body: complete, or as a stream.
    public enum Body: Sendable {
        /// The whole body, decompressed.
        case collected(Data)
        /// The body as it arrives, decompressed. Its failures are ``TransportFailure``s.
        case stream(BodyStream)
    }

    @usableFromInline var values: Values

    /// Creates a response.
    public init(head: ResponseHead, body: Body, timings: TransferTimings = TransferTimings()) {
        values = Values(head: head, body: body, timings: timings)
    }

    /// The status and the header fields.
    public var head: ResponseHead {
        @inlinable _read { yield values.head }
        @inlinable _modify {
            separate()
            yield &values.head
        }
    }

    /// The body.
    public var body: Body {
        @inlinable _read { yield values.body }
        @inlinable _modify {
            separate()
            yield &values.body
        }
    }

    /// The timings; for a stream, until its head has arrived.
    public var timings: TransferTimings {
        @inlinable _read { yield values.timings }
        @inlinable _modify {
            separate()
            yield &values.timings
        }
    }

    /// The complete body; `nil` if it is a stream.
    package var collectedBody: Data? {
        if case .collected(let data) = body { return data }
        return nil
    }

    @usableFromInline mutating func separate() {
        if !isKnownUniquelyReferenced(&values) {
            values = Values(head: values.head, body: values.body, timings: values.timings)
        }
    }
}

extension TransportResponse {
    /// The values of a response, which its copies share.
    ///
    /// `@unchecked`: they change only while one response alone refers to them. Swift checks each access to that response for
    /// exclusivity, and need not check those to its values again.
    @usableFromInline final class Values: @unchecked Sendable {
        @usableFromInline @exclusivity(unchecked) var head: ResponseHead
        @usableFromInline @exclusivity(unchecked) var body: TransportResponse.Body
        @usableFromInline @exclusivity(unchecked) var timings: TransferTimings

        init(head: ResponseHead, body: TransportResponse.Body, timings: TransferTimings) {
            self.head = head
            self.body = body
            self.timings = timings
        }
    }
}
