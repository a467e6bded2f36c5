import Foundation
import HTTPTypes
import HeliumConcurrency
import HeliumCore
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

/// A state in which a call can be ended.
enum CallStage: CaseIterable, Sendable {
    /// It waits for another call, because of a ceiling or of the server's number of streams.
    case queued
    /// TLS is being negotiated.
    case connecting
    /// Its body is being sent, and the server does not read it.
    case sending
    /// Its body waits for the response 100.
    case expecting
    /// It was sent and waits for its response.
    case waiting
    /// A part of its response has arrived.
    case reading
    /// It is a stream whose consumer does not read, so that it is paused.
    case paused
    /// It waits for the answer to a PING.
    case held

    /// Whether there is such a state.
    func exists(on line: ConnectionLine) -> Bool {
        switch self {
        case .connecting: line.isSecure
        case .held: line.isHTTP2
        default: true
        }
    }

    var delivery: DeliveryState {
        switch self {
        case .queued, .connecting, .held: .notSent
        case .sending, .expecting, .waiting: .maybeSent
        case .reading, .paused: .answered
        }
    }
}

/// The stages on the lines that have them.
struct StageCell: Sendable, CustomTestStringConvertible {
    let stage: CallStage
    let line: ConnectionLine

    static let all = CallStage.allCases.flatMap { stage in
        ConnectionLine.all.filter { stage.exists(on: $0) }.map { Self(stage: stage, line: $0) }
    }

    var testDescription: String { "\(stage), \(line.testDescription)" }
}

/// A call in a stage, whose failure is awaited.
struct StagedCall: Sendable {
    let caller: Caller
    let call: Task<any Error, any Error>
    /// The call that ``CallStage/queued`` waits for.
    let other: Task<Caller.Reply, any Error>?
    /// Lets the consumer of a paused stream read.
    let mayRead: Signal<Void>
    /// Lets the scripted server go on.
    let isOver: Signal<Void>
}

extension StageCell {
    /// Runs `body` with a call for `/staged` that has reached the stage. The server goes on afterwards.
    func run(
        _ driver: CurlTransport.Configuration.Driver,
        _ body: (StagedCall) async throws -> Void
    ) async throws {
        let isReached = Signal<Void>()
        let isOver = Signal<Void>()
        var times = ConnectionTimes()
        times.continueWait = 3_600_000_000_000
        times.pong = 3_600_000_000_000
        if stage == .held { times.silence = 0 }
        try await line.prepare { prepared in
            var prepared = prepared
            // A server without TLS, which does not respond to the client's handshake.
            if stage == .connecting { prepared.tls = nil }
            try await prepared.run(upTo: stage == .queued ? 1 : 128, driver: driver, times: times) {
                wire,
                number,
                ledger in
                if stage == .connecting {
                    _ = try await wire.peek(1)
                    isReached.settle()
                    return try await wire.readToEnd()
                }
                let settings: [(UInt16, UInt32)] = stage == .queued ? [(3, 1)] : []
                try await ScriptedPeer.run(wire, number, ledger, settings: settings) { peer in
                    guard number == 0 else { return try await peer.serve() }
                    try await script(peer, isReached, isOver)
                }
            } _: { caller in
                try await begin(caller, isReached, isOver, body)
            }
        }
    }

    private struct IsReset: Error {}

    private func script(_ peer: ScriptedPeer, _ isReached: Signal<Void>, _ isOver: Signal<Void>) async throws {
        if stage == .queued || stage == .held { try await peer.respond(to: peer.readRequest()) }
        if stage == .held {
            peer.http2?.isSilent = true
            try await peer.http2?.nextPing()
            isReached.settle()
            while true { _ = try await peer.http2?.next() }
        }
        let head = try await peer.readHead()
        switch stage {
        case .reading: try await peer.sendHead(200, length: 8, to: head)
        case .paused: try await peer.sendHead(200, length: 3 << 20, to: head)
        default: break
        }
        if stage == .reading { try await peer.sendBody("some", of: head, isLast: false) }
        isReached.settle()
        if stage == .paused {
            let body = Array(BodyServer.pattern(3 << 20))
            if let http2 = peer.http2 {
                do {
                    try await http2.sendBody(head.request.stream, body) { event in
                        if case .reset(head.request.stream, _) = event { throw IsReset() }
                    }
                } catch is IsReset {
                    // The client has cancelled the stream.
                }
            } else {
                try await peer.wire.flush(body)
            }
        }
        try await isOver.value()
        if stage == .queued { try await peer.respond(to: head.request) }
        // What was sent of a body is no request.
        if stage == .sending, !line.isHTTP2 { return try await peer.wire.readToEnd() }
        try await peer.serve()
    }

    private func begin(
        _ caller: Caller,
        _ isReached: Signal<Void>,
        _ isOver: Signal<Void>,
        _ body: (StagedCall) async throws -> Void
    ) async throws {
        if stage == .queued || stage == .held { try await caller.connect() }
        let other = stage == .queued ? Task { try await caller.send(.get, "/other") } : nil
        if other != nil { try await isReached.value() }
        // The source itself would keep the transport's loop.
        let stopped = Signal<@Sendable () -> Bool>()
        let mayRead = Signal<Void>()
        let call = Task<any Error, any Error> {
            try await #require(throws: (any Error).self) { try await send(caller, stopped, mayRead) }
        }
        try await isReached.value()
        switch stage {
        case .queued: try await eventually { await caller.transport.statistics.waitingTransfers == 1 }
        case .paused:
            let isPaused = try await stopped.value()
            try await eventually { isPaused() }
        // Two turns: the second one begins after the bytes have arrived.
        case .reading: for _ in 0..<2 { _ = await caller.transport.statistics }
        default: break
        }
        try await body(StagedCall(caller: caller, call: call, other: other, mayRead: mayRead, isOver: isOver))
        isOver.settle()
    }

    /// Sends the call, and reads it if it is a stream.
    private func send(_ caller: Caller, _ stopped: Signal<@Sendable () -> Bool>, _ mayRead: Signal<Void>) async throws {
        let form: CallForm = stage == .paused ? .stream : stage == .sending || stage == .expecting ? .post : .get
        let request = try caller.request(form, "/staged").with {
            if stage == .sending {
                $0.body = nil
                $0.upload = PatternSource(64 << 20, chunk: 1 << 20).body(length: 64 << 20)
            }
            if stage == .expecting { $0.fields[.expect] = "100-continue" }
        }
        let response = try await caller.transport.execute(request)
        guard case .stream(let stream) = response.body else { return }
        let source = stream.source as? StreamSource
        stopped.settle(.success { [weak source] in source?.isPaused == true })
        // A cancelled task waits no more.
        try? await mayRead.value()
        _ = try await stream.collect(upTo: .max)
    }
}
