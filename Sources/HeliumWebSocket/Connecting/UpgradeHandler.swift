internal import HeliumBytes
internal import HeliumCore
internal import HeliumCurl

/// The user of a channel until its connection changes its protocol: it sends one request and receives one response.
///
/// It belongs to the loop's thread.
final class UpgradeHandler: ChannelHandler {
    /// Accepts the response, and returns the channel's next user.
    typealias Accept = (RawHTTPResponse) throws(HeliumError) -> any ChannelHandler

    private let request: HTTPRequestText
    private let attempt: DialAttempt
    private let failures: FailureMaker
    private let accept: Accept
    private var reader: RawHTTPResponseReader

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - attempt: The attempt, to which the request and the outcome are reported.
    ///   - headLimit: The maximum number of bytes of the response's head.
    ///   - bodyLimit: The number of bytes of a refusal's body that are kept.
    ///   - accept: Called with the response. An error ends the channel.
    init(
        _ request: HTTPRequestText,
        attempt: DialAttempt,
        failures: FailureMaker,
        headLimit: Int,
        bodyLimit: Int,
        accept: @escaping Accept
    ) {
        self.request = request
        self.attempt = attempt
        self.failures = failures
        self.accept = accept
        reader = RawHTTPResponseReader(headLimit: headLimit, bodyLimit: bodyLimit)
    }

    func channelOpened(_ channel: ByteChannel) {
        guard attempt.requestLeaves(channel.facts.timings) else { return channel.abort() }
        channel.write { $0.append(request.text) }
    }

    func channel(_ channel: ByteChannel, received bytes: RawSpan) {
        do throws(RawHTTPResponseReader.Malformed) {
            var consumed = 0
            guard let answer = try reader.next(bytes, consumed: &consumed) else {
                if let head = reader.head { attempt.refused(head) }
                return
            }
            handOver(channel, answer, rest: bytes.extracting(consumed...))
        } catch {
            finish(channel, failures.error(.malformedResponse, .answered, error.description))
        }
    }

    private func handOver(_ channel: ByteChannel, _ answer: RawHTTPResponse, rest: RawSpan) {
        do throws(HeliumError) {
            let next = try accept(answer)
            channel.handOver(to: next)
            next.channelOpened(channel)
            attempt.succeed()
            // In the same step, so that no event comes in between.
            if rest.byteCount > 0, channel.isOpen { next.channel(channel, received: rest) }
        } catch {
            finish(channel, error)
        }
    }

    private func finish(_ channel: ByteChannel, _ error: HeliumError) {
        attempt.fail(error)
        channel.abort()
    }

    func channelReceived(_ channel: ByteChannel) {}
    func channelDrained(_ channel: ByteChannel) {}

    /// An incomplete response explains more than the end of the connection.
    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool) {
        if let answer = reader.end() { return handOver(channel, answer, rest: RawSpan()) }
        finish(channel, failures.error(.connectionFailed, attempt.delivery, "the connection ended before the response"))
    }

    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals) {
        if signals.contains(.end) { channel.abort() }
    }

    func channel(_ channel: ByteChannel, ended end: ChannelEnd) {
        switch end {
        case .closed: attempt.fail(CancellationError())
        case .failed(let failure): attempt.fail(refusal(failure))
        }
    }

    private func refusal(_ failure: TransportFailure) -> any Error {
        guard attempt.delivery == .maybeSent else { return failures.failure(connecting: failure) }
        if let answer = reader.end() {
            do throws(HeliumError) { _ = try accept(answer) } catch { return error }
        }
        return failures.error(
            failure.kind == .clientClosed ? .clientClosed : .connectionFailed,
            .maybeSent,
            failure.kind == .clientClosed ? failure.message : "the connection failed before the response",
            underlying: failure
        )
    }
}
