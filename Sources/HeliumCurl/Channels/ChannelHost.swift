import HeliumCore

/// The part of a loop that takes channels from any thread.
protocol ChannelLoop: TaskExecutor {
    /// Makes the loop's thread call ``ByteChannel/takeSignals()``.
    func enqueue(_ channel: ByteChannel)
}

/// Connects channels. Used on the loop's thread.
protocol ChannelConnecting: AnyObject {
    /// Begins to connect a channel. Later, ``ByteChannel/connected()`` or ``ByteChannel/fail(_:)`` is called, unless the
    /// line is closed before.
    ///
    /// - Returns: The channel's line, or `nil` if there is no memory or the target is invalid.
    func connect(_ channel: ByteChannel) -> (any ChannelLine)?
}

/// The channels of a loop, and the turns of those that have work left. Used on the loop's thread.
final class ChannelHost {
    /// The memory into which all channels read.
    let readMemory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private let connector: any ChannelConnecting

    // The methods of the arrays call nothing that refers to the host, and a channel that they release has ended. So
    // two accesses can't overlap, and need no check.

    @exclusivity(unchecked) private var channels: [ByteChannel] = []
    /// The channels that continue in the next turn.
    @exclusivity(unchecked) private var later: [ByteChannel] = []
    @exclusivity(unchecked) private var current: [ByteChannel] = []

    static let notPossible = TransportFailure(
        .transportFailed,
        delivery: .notSent,
        message:
            "libcurl can't create the connection: it has too little memory, rejects the address, or uses another TLS "
            + "library than OpenSSL 3"
    )

    init(connector: any ChannelConnecting) { self.connector = connector }

    deinit { readMemory.deallocate() }

    /// The number of channels that have not ended.
    var count: Int { channels.count }

    /// Whether a channel continues in the next turn, so that the loop must not sleep.
    var hasWork: Bool { !later.isEmpty }

    /// Takes a new channel over and begins to connect it.
    func add(_ channel: ByteChannel) {
        guard channel.state == .submitted else { return }
        channel.index = channels.count
        channels.append(channel)
        channel.begin(on: self)
        guard let line = connector.connect(channel) else { return channel.fail(ChannelHost.notPossible) }
        channel.line = line
    }

    /// Called by a channel that ends.
    func remove(_ channel: ByteChannel) {
        let last = channels.removeLast()
        if last !== channel {
            channels[channel.index] = last
            last.index = channel.index
        }
    }

    /// Makes a channel continue in the next turn, after the other channels and transfers.
    func continueLater(_ channel: ByteChannel) {
        guard !channel.isWaitingForTurn else { return }
        channel.isWaitingForTurn = true
        later.append(channel)
    }

    /// Gives each channel that has work left its turn.
    func runTurns() {
        guard hasWork else { return }
        swap(&current, &later)
        for channel in current {
            channel.isWaitingForTurn = false
            channel.work()
        }
        current.removeAll(keepingCapacity: true)
    }

    /// Ends all channels.
    func endAll(_ failure: TransportFailure) {
        while let channel = channels.last { channel.fail(failure) }
    }
}
