/// A document that supports subscriptions.
protocol LiveValue: Hashable, Sendable {
    /// The values and instants of the datastreams, by id.
    var moments: [String: Moment] { get }

    /// The time of the last change on the server; `nil` if the document does not state it.
    var changedAt: Timestamp? { get }

    /// A copy without the members in which a push and a read of the same state may differ.
    var essence: Self { get }

    /// Sets a datapoint as the current value of a datastream.
    mutating func take(_ point: Datapoint, of datastream: String)

    init?(_ body: SocketFrame.Body)
}

/// A value and its instant.
struct Moment: Hashable, Sendable {
    var at: Timestamp?
    var value: DatapointValue?
}

extension Datastream: LiveValue {
    var moments: [String: Moment] { [id ?? "": Moment(at: at, value: currentValue)] }

    var changedAt: Timestamp? { nil }

    var essence: Datastream {
        var copy = self
        copy.version = nil
        copy.datapoints = nil
        return copy
    }

    mutating func take(_ point: Datapoint, of datastream: String) {
        currentValue = point.value
        at = point.at
    }

    init?(_ body: SocketFrame.Body) {
        guard case .datastream(let datastream) = body else { return nil }
        self = datastream
    }
}

extension Feed: LiveValue {
    var moments: [String: Moment] {
        var moments: [String: Moment] = [:]
        for stream in datastreams ?? [] { moments.merge(stream.moments) { first, _ in first } }
        return moments
    }

    var changedAt: Timestamp? { updated }

    var essence: Feed {
        var copy = self
        copy.version = nil
        copy.status = nil
        copy.user = nil
        copy.datastreams = datastreams?.map(\.essence)
        return copy
    }

    mutating func take(_ point: Datapoint, of datastream: String) {
        guard let index = datastreams?.firstIndex(where: { $0.id == datastream }) else { return }
        datastreams?[index].take(point, of: datastream)
    }

    init?(_ body: SocketFrame.Body) {
        guard case .feed(let feed) = body else { return nil }
        self = feed
    }
}
