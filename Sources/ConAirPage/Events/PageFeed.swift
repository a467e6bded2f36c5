internal import ConAir
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumServerKit
internal import Synchronization

/// Follows a store and sends its changes and states to the viewers of its page.
final class PageFeed: Sendable {
    /// The time between two heartbeats.
    static let heartbeat = Duration.seconds(15)
    /// The maximum number of points of an event. For a longer change, a snapshot is sent.
    static let maximumPoints = 1_000
    /// The maximum number of bytes buffered for a viewer. A viewer that exceeds it is disconnected.
    static let viewerBytes = 512 * 1024

    private struct Viewer {
        let range: PageRange
        let client: String
        let stream: ReplyStream
    }

    private struct Core {
        var log: EventLog
        var viewers: [Int: Viewer] = [:]
        /// The viewers by client.
        var shares: AddressShare
        var lastViewer = 0
        var status: PageStatus?
    }

    let store: TimeSeriesStore
    let texts: PageTexts
    /// The charts, which all viewers share.
    let charts: PageCharts
    private let maximumViewers: Int
    private let clock: any HeliumClock
    private let core: Guarded<Core>
    /// The viewers that have disconnected. They have a separate lock, because a viewer may end while data is sent to
    /// it.
    private let ended = Guarded<[Int]>([])

    /// - Parameter sharePerAddress: The part of the viewers that one address may have.
    init(
        _ store: TimeSeriesStore,
        texts: PageTexts,
        maximumViewers: Int,
        sharePerAddress: Double = ServerLimits().sharePerAddress,
        clock: any HeliumClock,
        name: String
    ) {
        self.store = store
        self.texts = texts
        charts = PageCharts(store, texts: texts)
        self.maximumViewers = maximumViewers
        self.clock = clock
        let shares = AddressShare(of: maximumViewers, part: sharePerAddress)
        core = Guarded(Core(log: EventLog(name: name), shares: shares))
    }

    /// The number of connected viewers.
    var viewerCount: Int {
        locked { $0.viewers.count }
    }

    /// The current state in words.
    var status: PageStatus { PageStatus(store.state, texts: texts) }

    /// Returns the chart of a range, the newest value and the state as JSON.
    func snapshot(_ range: PageRange) -> [UInt8] { charts.snapshot(range, status) }

    /// Runs `work` after removing disconnected viewers.
    private func locked<Value: Sendable>(_ work: (inout Core) -> Value) -> Value {
        core.withLock { core in
            let gone = ended.withLock { ended in
                defer { ended = [] }
                return ended
            }
            for id in gone {
                if let viewer = core.viewers.removeValue(forKey: id) { core.shares.remove(viewer.client) }
            }
            return work(&core)
        }
    }
}

// MARK: Viewers

extension PageFeed {
    private enum Admission: Sendable {
        case full
        case connected
        /// The events after the viewer's last event are unknown. The value is the id for a snapshot taken now.
        case needsSnapshot(String)
    }

    /// Connects a viewer. It receives the events since its last event, or a snapshot, and all later events.
    ///
    /// - Parameters:
    ///   - range: The range of snapshots.
    ///   - lastID: The id of the last event that the viewer received; `nil` if it received none.
    ///   - client: The client, which has a share of the viewers; empty if it is not known. Default: empty.
    /// - Returns: `nil` if there are too many viewers, or too many of the client.
    func connect(_ range: PageRange, after lastID: String?, of client: String = "") -> ReplyStream? {
        let stream = ReplyStream(maximumWaiting: Self.viewerBytes, keepAlive: nil)
        var first = EventText.retry
        var known = lastID
        var shown: PageStatus?
        while true {
            // Under the lock, so that the viewer neither misses an event nor receives one twice.
            let admission = locked { core -> Admission in
                guard core.viewers.count < maximumViewers, !core.shares.isUsed(by: client) else { return .full }
                guard let missed = core.log.events(after: known) else { return .needsSnapshot(core.log.lastID) }
                core.lastViewer += 1
                let id = core.lastViewer
                core.viewers[id] = Viewer(range: range, client: client, stream: stream)
                core.shares.add(client)
                stream.onEnd { [weak self] in self?.ended.withLock { $0.append(id) } }
                stream.send(first + missed.joined())
                // The state of the snapshot differs from the last one sent. If the state changes back, it would not be
                // sent, and the viewer would keep that of the snapshot.
                if let shown, shown != core.status { resendStatus(&core) }
                return .connected
            }
            switch admission {
            case .full: return nil
            case .connected: return stream
            case .needsSnapshot(let id):
                // The snapshot includes at least the events up to the id. Later events are sent again, which is
                // harmless because events describe a state.
                let status = status
                first = EventText.retry + EventText.event(id: id, "snapshot", charts.snapshot(range, status))
                known = id
                shown = status
            }
        }
    }

    private func send(_ name: String, _ data: [UInt8]) {
        locked { core in
            let event = core.log.append(name, data)
            for viewer in core.viewers.values { viewer.stream.send(event) }
        }
    }

    /// Returns a snapshot of each range that has a viewer.
    func snapshots() -> [PageRange: [UInt8]] {
        let ranges = locked { core in Set(core.viewers.values.map(\.range)) }
        return Dictionary(uniqueKeysWithValues: ranges.map { ($0, snapshot($0)) })
    }

    /// Sends each viewer the snapshot of its range, and then the current state.
    func send(_ snapshots: [PageRange: [UInt8]]) {
        locked { core in
            let id = core.log.forget()
            for viewer in core.viewers.values {
                if let document = snapshots[viewer.range] {
                    viewer.stream.send(EventText.event(id: id, "snapshot", document))
                } else {
                    // The viewer connected in the meantime. It reconnects and receives a snapshot.
                    viewer.stream.finish()
                }
            }
            // A newer state may have been sent after the snapshots were made.
            resendStatus(&core)
        }
    }
}

// MARK: Following

extension PageFeed {
    /// Follows the store until the task is cancelled.
    func run() async {
        // Listens before anything else starts.
        var updates = store.updates.makeAsyncIterator()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.followStates() }
            group.addTask { await self.sendHeartbeats() }
            while let update = await updates.next() { send(update) }
        }
    }

    private func send(_ update: SeriesUpdate) {
        switch update {
        case .snapshot: send(snapshots())
        case .changes(let changes):
            let count = changes.inserted.count + changes.replaced.count + changes.removed.count
            if count > Self.maximumPoints {
                send(snapshots())
            } else {
                send("changes", PageDocuments.changes(changes))
            }
        }
    }

    private func followStates() async {
        for await _ in store.states { sendStatus() }
    }

    /// Sends the state if it differs from the last one sent.
    func sendStatus() { locked { core in sendStatus(&core) } }

    private func sendStatus(_ core: inout Core) {
        // Read under the lock, because two tasks send states and the newest must be sent last.
        let status = status
        guard core.status != status else { return }
        core.status = status
        let event = core.log.append("state", PageDocuments.status(status))
        for viewer in core.viewers.values { viewer.stream.send(event) }
    }

    /// Sends the state even if it equals the last one sent.
    private func resendStatus(_ core: inout Core) {
        core.status = nil
        sendStatus(&core)
    }

    private func sendHeartbeats() async {
        while !Task.isCancelled {
            do { try await clock.sleep(for: Self.heartbeat) } catch { return }
            let streams = locked { $0.viewers.values.map(\.stream) }
            for stream in streams { stream.sendIfIdle(EventText.heartbeat) }
        }
    }
}
