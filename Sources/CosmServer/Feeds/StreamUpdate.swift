internal import HeliumServerKit

/// The effect of a write on one datastream, computed without the store (Docs/Protocols/Cosm.md §5, §6).
struct StreamUpdate: Hashable, Sendable {
    /// The datastream after the write. The number of its points is not updated.
    var stream: DatastreamRecord
    /// The points to store, without all but the last of those with the same instant.
    var points: [Datapoint]
    /// Whether the write changes the document of the datastream.
    var isChanged: Bool
    /// The new current value; `nil` if the write does not change it.
    var newCurrent: Datapoint?

    /// Applies the content of a request to `stream` at the time of arrival.
    init(_ input: DatastreamInput, to stream: DatastreamRecord, at now: ServerInstant) {
        var changed = stream
        if input.currentValue == .cleared {
            changed.currentValue = nil
            changed.at = nil
        }
        input.unit.applied(to: &changed.unit)
        if !input.tags.isUnchanged { changed.tags = input.tags.newValue ?? [] }
        input.minimum.applied(to: &changed.minimum)
        input.maximum.applied(to: &changed.maximum)
        var points = input.datapoints
        if let value = input.currentValue.newValue { points.append(Datapoint(at: input.at ?? now, value: value)) }
        self.init(points, to: changed, at: now, hasNewMetadata: input.concernsMetadata)
    }

    /// Applies points.
    init(_ points: [Datapoint], to stream: DatastreamRecord, at now: ServerInstant) {
        self.init(points, to: stream, at: now, hasNewMetadata: false)
    }

    private init(_ points: [Datapoint], to stream: DatastreamRecord, at now: ServerInstant, hasNewMetadata: Bool) {
        self.stream = stream
        self.points = Self.lastOfEachInstant(points)
        newCurrent = nil
        isChanged = hasNewMetadata
        guard !self.points.isEmpty else { return }
        self.stream.updated = now
        for point in self.points {
            // A point with the same instant overwrites the current value.
            if point.at >= self.stream.at ?? .earliest {
                self.stream.currentValue = point.value
                self.stream.at = point.at
                newCurrent = point
            }
            guard let number = NumericText.number(point.value) else { continue }
            self.stream.minimum = min(self.stream.minimum ?? number, number)
            self.stream.maximum = max(self.stream.maximum ?? number, number)
        }
        if newCurrent != nil { isChanged = true }
    }

    /// Returns the points without duplicates: of the points with the same instant the last one is kept
    /// (Docs/Protocols/Cosm.md §6).
    private static func lastOfEachInstant(_ points: [Datapoint]) -> [Datapoint] {
        guard points.count > 1 else { return points }
        var positions: [ServerInstant: Int] = [:]
        positions.reserveCapacity(points.count)
        var kept: [Datapoint] = []
        kept.reserveCapacity(points.count)
        for point in points {
            if let position = positions[point.at] {
                kept[position] = point
            } else {
                positions[point.at] = kept.count
                kept.append(point)
            }
        }
        return kept
    }
}
