import Foundation
import HeliumBytes
import HeliumConcurrency
import HeliumCore
import Synchronization
import TestSupport

@testable import HeliumCurl

/// The user of a channel that records what happens, for tests on other threads. What tests do to the channel is done on its
/// loop's thread.
final class ChannelProbe: ChannelHandler, Sendable {
    struct State {
        var isOpen = false
        var facts = ChannelFacts()
        var hadEarlyBytes = false
        /// The first of the bytes that were received.
        var received = Data()
        var receivedCount = 0
        /// Whether the peer ended in an orderly way; `nil` before its end.
        var peerEnd: Bool?
        /// The results of writes.
        var writes: [Bool] = []
        var drainCount = 0
        var isPaused = false
        var end: ChannelEnd?
        var endCount = 0
        var lateEvents: [String] = []
        fileprivate var actions: [@Sendable (ByteChannel) -> Void] = []
        fileprivate var channel: ByteChannel?
    }

    private static let keptBytes = 16 << 20

    private let state = Guarded(State())
    /// Settled when the channel has ended.
    let ended = Signal<Void>()
    /// The number of bytes after which the probe pauses; `nil` for no pause.
    private let pauseInterval: Int?
    private let endsWithPeer: Bool

    init(pausingAfter pauseInterval: Int? = nil, endsWithPeer: Bool = false) {
        self.pauseInterval = pauseInterval
        self.endsWithPeer = endsWithPeer
    }

    var now: State { state.withLock(\.self) }

    /// The failure that ended the channel; `nil` for another end.
    var failure: TransportFailure? { if case .failed(let failure)? = now.end { failure } else { nil } }

    private func note(_ event: String, _ change: (inout State) -> Void) {
        state.withLock { state in
            if state.end != nil { state.lateEvents.append(event) }
            change(&state)
        }
    }

    func channelOpened(_ channel: ByteChannel) {
        let (facts, hasEarlyBytes) = (channel.facts, channel.hasEarlyBytes)
        note("opened") {
            $0.isOpen = true
            $0.facts = facts
            $0.hadEarlyBytes = hasEarlyBytes
        }
    }

    func channel(_ channel: ByteChannel, received bytes: RawSpan) {
        let pauses = state.withLock { state in
            if state.end != nil { state.lateEvents.append("received") }
            let before = state.receivedCount
            state.receivedCount += bytes.byteCount
            if before < ChannelProbe.keptBytes { bytes.withUnsafeBytes { state.received.append(contentsOf: $0) } }
            guard let pauseInterval, before / pauseInterval != state.receivedCount / pauseInterval else { return false }
            state.isPaused = true
            return true
        }
        if pauses { channel.isPaused = true }
    }

    func channelReceived(_ channel: ByteChannel) { note("received all") { _ in } }

    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool) {
        note("peer's end") { $0.peerEnd = isOrderly }
        if endsWithPeer { channel.abort() }
    }

    func channelDrained(_ channel: ByteChannel) { note("drained") { $0.drainCount += 1 } }

    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals) {
        let actions = state.withLock { state in
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action(channel) }
        if signals.contains(.end) { channel.abort() }
    }

    func channel(_ channel: ByteChannel, ended end: ChannelEnd) {
        state.withLock { state in
            state.end = end
            state.endCount += 1
            state.channel = nil
        }
        ended.settle()
    }
}

// MARK: The test's side

extension ChannelProbe {
    /// Opens a channel for the probe.
    func open(_ target: ChannelTarget, on transport: CurlTransport) throws(TransportFailure) {
        let channel = try transport.open(target, handler: self)
        state.withLock { state in
            if state.end == nil { state.channel = channel }
        }
    }

    /// Does something on the loop's thread.
    func perform(_ action: @escaping @Sendable (ByteChannel) -> Void) {
        let channel = state.withLock { state in
            state.actions.append(action)
            return state.channel
        }
        channel?.signal(.write)
    }

    func write(_ bytes: Data) {
        perform { [self] channel in
            let isAccepted = channel.write { queue in bytes.withUnsafeBytes { queue.append($0) } }
            state.withLock { $0.writes.append(isAccepted) }
        }
    }

    func write(_ text: String) { write(Data(text.utf8)) }

    func resume() {
        perform { [self] channel in
            state.withLock { $0.isPaused = false }
            channel.isPaused = false
        }
    }

    func abort() { state.withLock { $0.channel }?.signal(.end) }

    /// Waits until something has happened.
    func wait(
        file: StaticString = #fileID,
        line: UInt = #line,
        until condition: (State) -> Bool
    ) async throws {
        try await eventually(file: file, line: line) { condition(now) }
    }

    /// Waits for the end.
    func waitForEnd() async throws { try await ended.value() }
}
