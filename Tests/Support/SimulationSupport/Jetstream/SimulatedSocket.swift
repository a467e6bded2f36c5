import JetstreamCore

/// A connection of a client and the server. It keeps the order of each direction, and loses only a suffix.
final class SimulatedSocket {
    enum Item {
        case frame(String)
        /// The last item.
        case close(SocketEnd)
    }

    /// The client's side.
    protocol Client: AnyObject {
        func arrived(_ item: Item, on socket: SimulatedSocket)
    }

    /// The server's side.
    protocol Server: AnyObject {
        func arrived(_ frame: String, on number: Int)
        func ended(_ number: Int)
    }

    /// One direction.
    private struct Direction {
        /// The time at which the last item arrives.
        var last: Duration = .zero
        /// The time after which arriving items are lost.
        private(set) var cut: Duration?

        /// Loses what arrives after a time. What an earlier break has lost stays lost, because a frame that arrives after a lost
        /// one leaves a gap, which no real connection has.
        mutating func cut(after time: Duration) { cut = min(cut ?? time, time) }
    }

    let number: Int
    private unowned let world: SyncWorld
    private weak let client: (any Client)?
    private weak let server: (any Server)?
    private var up = Direction()
    private var down = Direction()
    /// Whether the client has closed its end, or was told the end.
    private(set) var isClientDone = false
    private(set) var isServerDone = false
    /// Whether the server refuses the connection.
    var isRefused = false
    /// Whether nothing passes any more, which neither side sees.
    private(set) var isDead = false

    init(_ number: Int, client: some Client, server: some Server, in world: SyncWorld) {
        self.number = number
        self.client = client
        self.server = server
        self.world = world
    }

    // MARK: Frames

    func sendUp(_ frame: String) {
        guard !isClientDone else { return }
        let frame = withOlderAcknowledgement(frame)
        carry(\.up) { [weak self] in
            guard let self, !isServerDone else { return }
            server?.arrived(frame, on: number)
        }
    }

    func sendDown(_ item: Item) {
        guard !isServerDone else { return }
        var item = item
        if case .frame(let frame) = item { item = .frame(withOlderAcknowledgement(frame)) }
        carry(\.down) { [weak self, item] in
            guard let self, !isClientDone else { return }
            client?.arrived(item, on: self)
        }
    }

    /// A frame whose request for what is missing acknowledges less than was received, now and then: as that of a peer that has
    /// not stored all of it. What it had comes again, and must be dropped.
    private func withOlderAcknowledgement(_ frame: String) -> String {
        guard frame.hasPrefix(#"[{"type":"Ping""#) || frame.hasPrefix(#"{"type":"Ping""#),
            let name = frame.firstRange(of: #""ack":"#), frame.contains(#""resendMissing":true"#)
        else { return frame }
        let digits = frame[name.upperBound...].prefix { $0.isNumber }
        guard let number = Int(digits), number > 0, world.random.below(3) == 0 else { return frame }
        world.count(.olderAcknowledgement)
        let older = number - 1 - world.random.below(min(number, 5))
        return String(frame[..<name.upperBound]) + "\(older)" + String(frame[digits.endIndex...])
    }

    private func carry(
        _ direction: ReferenceWritableKeyPath<SimulatedSocket, Direction>,
        _ arrive: @escaping () -> Void
    ) {
        guard !isDead else { return }
        let latency = world.random.below(12) == 0 ? world.delay(40...900) : world.delay(1...30)
        let arrival = max(self[keyPath: direction].last, world.now + latency)
        self[keyPath: direction].last = arrival
        world.after(arrival - world.now) { [weak self] in
            guard let self, !isDead else { return }
            if let cut = self[keyPath: direction].cut, world.now > cut { return }
            arrive()
        }
    }

    // MARK: Ends

    /// Breaks the connection: each direction loses what would arrive after some moment, at which that side sees the end. Another
    /// break of it can only lose more.
    ///
    /// - Parameter serverDelay: The time until the server sees the end.
    func breakOff(serverDelay: Duration? = nil) {
        let (clientDelay, serverDelay) = (world.delay(0...60), serverDelay ?? world.delay(0...60))
        up.cut(after: world.now + min(serverDelay, world.delay(0...60)))
        down.cut(after: world.now + clientDelay)
        world.after(clientDelay) { [weak self] in self?.tellClient(SocketEnd(code: 1006)) }
        world.after(serverDelay) { [weak self] in self?.tellServer() }
    }

    /// From now on nothing arrives. Neither side is told.
    func die() { isDead = true }

    /// The client closes its end. The server is told after what was sent before.
    func closeByClient() {
        guard !isClientDone else { return }
        isClientDone = true
        if isDead {
            // A stale socket: the server learns of the end by a time limit of its own, long after a resume.
            world.count(.staleSocket)
            world.after(world.delay(500...60_000)) { [weak self] in self?.tellServer() }
        } else {
            carry(\.up) { [weak self] in self?.tellServer() }
        }
    }

    /// The server's process is gone.
    func serverDied() {
        isServerDone = true
        let delay = world.delay(0...60)
        down.cut(after: world.now + delay)
        if !isDead { world.after(delay) { [weak self] in self?.tellClient(SocketEnd(code: 1006)) } }
    }

    private func tellClient(_ end: SocketEnd) {
        guard !isClientDone, !isDead else { return }
        client?.arrived(.close(end), on: self)
    }

    private func tellServer() {
        guard !isServerDone else { return }
        isServerDone = true
        server?.ended(number)
    }

    /// The client has taken the end of the socket.
    func clientTookEnd() {
        guard !isClientDone else { return }
        isClientDone = true
        world.after(world.delay(0...60)) { [weak self] in self?.tellServer() }
    }
}
