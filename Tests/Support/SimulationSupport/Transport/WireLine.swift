import HeliumCore

@testable import HeliumCurl

/// A simulated connection, after the rules of sockets and of TLS on them: bytes need time, and arrive in pieces that
/// are cut anywhere. Events are edges, each reported once.
final class WireLine: ChannelLine {
    enum End: Equatable { case none, ended(isOrderly: Bool), reset }

    private unowned let world: WireWorld
    let number: Int
    let host: WireHost
    let offered: [String]
    private(set) weak var channel: ByteChannel?
    private(set) var facts = ChannelFacts()
    let isSocket: Bool
    private var server: (any WireServer)?
    private var dice: WireDice { world.dice }

    private(set) var isOpen = false
    private(set) var closes = 0
    /// Whether nothing arrives any more in any direction, as if a router had forgotten the connection.
    private(set) var isSilent = false

    /// The bytes that the server has sent and that have not arrived, and the end that follows them.
    private var sent: [UInt8] = []
    private var sentEnd = End.none
    /// The number of the last bytes that arrive together with the one before them.
    private var inseparable = 0
    private var isArrivalDue = false
    /// The bytes that have arrived and were not read, from a position on.
    private var arrived: [UInt8] = []
    private var taken = 0
    private var end = End.none

    /// The bytes that the client has written and that have not arrived at the server.
    private var written: [UInt8] = []
    private var isDeliveryDue = false
    private var room: Int
    private var lacksRoom = false
    /// Whether TLS has a record that the system has accepted in part. TLS reports it as nothing until it is whole.
    private var isRecordWaiting = false
    /// Whether the client has more to write than was accepted last.
    private var isWriting = false
    /// The call that the loop was sending when bytes were accepted last.
    private(set) var lastWriter: Int?

    private(set) var edges: (read: Bool, write: Bool, end: Bool) = (false, false, false)

    init(_ channel: ByteChannel, number: Int, host: WireHost, world: WireWorld) {
        self.channel = channel
        self.number = number
        self.host = host
        self.world = world
        offered = channel.target.tls?.applicationProtocols ?? []
        isSocket = channel.target.tls == nil
        room = 64 + world.dice.below(world.dice.oneIn(2) ? 1_500 : 200_000)
    }

    var isClosed: Bool { closes > 0 }
    var hasEarlyBytes: Bool { taken < arrived.count }
    var earlyEnd: TransportFailure? { taken == arrived.count && end != .none ? Self.lost : nil }
    var offersHTTP2: Bool { offered.contains("h2") || host.scheme == .priorKnowledge }

    /// Whether anything is on its way, or was not read.
    var isMoving: Bool {
        !written.isEmpty || isWriting || !sent.isEmpty || taken < arrived.count || sentEnd != .none
    }
}

// MARK: The loop's side

extension WireLine {
    func read(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
        world.expect(!isClosed, "line \(number) is read after its end")
        var count = min(arrived.count - taken, memory.count)
        // TLS gives one record at most.
        if !isSocket { count = min(count, 16_384, 1 + dice.below(30_000)) }
        guard count == 0 else {
            arrived.withUnsafeBytes {
                memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count]))
            }
            taken += count
            if taken == arrived.count {
                arrived.removeAll(keepingCapacity: true)
                taken = 0
            }
            return .bytes(count)
        }
        return switch end {
        case .none: .nothing
        case .ended(let isOrderly): .end(isOrderly: isOrderly)
        case .reset: .failed(Self.lost)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        world.expect(!isClosed && isOpen, "line \(number) is written after its end")
        host.lastWrite = world.now
        if end == .reset { return .failed(Self.lost) }
        var count = min(bytes.count, room)
        if !isSocket {
            let record = min(bytes.count, 16_384)
            isRecordWaiting = 1..<record ~= room && !isRecordWaiting
            if isRecordWaiting { world.after(dice.latency()) { [self] in signal { $0.write = true } } }
            count = room > 0 && !isRecordWaiting ? record : 0
        }
        isWriting = count < bytes.count
        guard count > 0 else {
            lacksRoom = true
            return .nothing
        }
        if count < bytes.count { lacksRoom = true }
        room -= count
        lastWriter = world.callBeingSent(on: self) ?? lastWriter
        written.append(contentsOf: bytes[..<count])
        deliverLater()
        return .bytes(count)
    }

    func takeError() -> TransportFailure? { end == .reset ? Self.lost : nil }

    func endWriting() -> Bool { true }

    func close() {
        closes += 1
        world.expect(closes == 1, "line \(number) is closed twice")
        edges = (false, false, false)
        world.lineClosed(self)
        deliverLater()
    }

    func takeEdges() -> (read: Bool, write: Bool, end: Bool) {
        defer { edges = (false, false, false) }
        return edges
    }

    private static var lost: TransportFailure {
        TransportFailure(.connectionLost, delivery: .notSent, message: "the simulated connection was reset")
    }
}

// MARK: The network's side

extension WireLine {
    /// The connection is there.
    func open() {
        isOpen = true
        if host.scheme == .tls { facts.applicationProtocol = host.choosesHTTP2(offered) ? "h2" : "http/1.1" }
        #if HTTP2
            server = host.choosesHTTP2(offered) ? WireHTTP2Server(self, world) : WireHTTP1Server(self, world)
        #else
            server = WireHTTP1Server(self, world)
        #endif
    }

    func disturb() { if !isSilent, !isClosed, end == .none { server?.disturb() } }

    func fallSilent() {
        isSilent = true
        world.count("silent connection")
    }

    private func deliverLater() {
        guard !isDeliveryDue else { return }
        isDeliveryDue = true
        world.after(dice.latency()) { [self] in
            isDeliveryDue = false
            deliver()
        }
    }

    /// Lets a part of the client's bytes arrive at the server, or the end of the client after all of them.
    private func deliver() {
        guard !isSilent, let server else { return }
        guard sentEnd == .none, end == .none else {
            // The server is gone, so that its system refuses what comes.
            written = []
            if !isClosed, sentEnd != .reset, end != .reset { reset(keepsBytes: true) }
            return
        }
        guard !written.isEmpty else {
            if isClosed {
                self.server = nil
                server.clientEnded()
            }
            return
        }
        let count = dice.piece(of: written.count)
        let bytes = Array(written[..<count])
        written.removeFirst(count)
        room += count
        if lacksRoom, !isClosed {
            lacksRoom = false
            signal { $0.write = true }
        }
        if !written.isEmpty || isClosed { deliverLater() }
        server.receive(bytes)
    }

    private func arriveLater() {
        guard !isArrivalDue else { return }
        isArrivalDue = true
        world.after(dice.latency()) { [self] in
            isArrivalDue = false
            arrive()
        }
    }

    private func arrive() {
        guard !isSilent, !isClosed, end == .none else { return }
        if !sent.isEmpty {
            var count = dice.piece(of: sent.count)
            if sent.count - count <= inseparable { count = sent.count }
            arrived.append(contentsOf: sent[..<count])
            sent.removeFirst(count)
        }
        if sent.isEmpty, sentEnd != .none {
            end = sentEnd
            signal {
                $0.read = true
                $0.end = true
            }
        } else {
            signal { $0.read = true }
        }
        if !sent.isEmpty { arriveLater() }
    }

    private func signal(_ change: (inout (read: Bool, write: Bool, end: Bool)) -> Void) {
        guard !isClosed else { return }
        change(&edges)
        world.lineIsReady(self)
    }
}

// MARK: The server's side

extension WireLine {
    /// Sends bytes, and others that were not asked for, which arrive with the last of them.
    func send(_ bytes: [UInt8], junk: [UInt8] = []) {
        guard !isClosed, sentEnd == .none, !bytes.isEmpty else { return }
        sent.append(contentsOf: bytes + junk)
        inseparable = junk.count
        arriveLater()
    }

    /// Ends the connection after the bytes that were sent.
    func finish(isOrderly: Bool = true) {
        guard sentEnd == .none else { return }
        sentEnd = .ended(isOrderly: isSocket || isOrderly)
        arriveLater()
    }

    /// Ends the connection at once, as the client sees too, which has read all there was.
    func finishNow(reset isReset: Bool) {
        guard !isMoving else { return }
        sentEnd = isReset ? .reset : .ended(isOrderly: true)
        arrive()
    }

    /// Resets the connection. What has not arrived may be lost.
    func reset(keepsBytes: Bool) {
        if !keepsBytes { sent = [] }
        sentEnd = .reset
        if case .ended = end { end = .none }
        arriveLater()
    }

    /// Lets bytes arrive that the server has sent without a request, if the client has nothing on its way.
    func inject(_ bytes: [UInt8]) -> Bool {
        guard !isMoving, !isSilent, !isClosed, end == .none else { return false }
        arrived.append(contentsOf: bytes)
        signal { $0.read = true }
        return true
    }
}
