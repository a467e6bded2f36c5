/// The arithmetic of windows and steps.
package enum SeriesWindow {
    /// The maximum number of steps in one request. Services return nothing for much longer windows.
    static let maximumSteps = 5000

    /// The maximum distance of two points.
    private static let maximumStep: Int64 = 400 * 86_400 * 1_000_000

    /// The parts of a window that are requested one after another, oldest first, each with at most 5,000 steps.
    ///
    /// This is a sequence because a requested window can have any number of parts.
    package struct Parts: Sequence, IteratorProtocol {
        private var rest: Range<SeriesTime>
        private let length: Duration

        package init(of window: Range<SeriesTime>, step: Duration) {
            rest = window
            length = maximumLength(step)
        }

        package mutating func next() -> Range<SeriesTime>? {
            guard !rest.isEmpty else { return nil }
            let end = Swift.min(rest.lowerBound.advanced(by: length), rest.upperBound)
            defer { rest = end..<rest.upperBound }
            return rest.lowerBound..<end
        }
    }

    /// Returns the newest part of a window, with at most 5,000 steps.
    ///
    /// A store reads older points from the newest part backwards, so that there is no hole among its points.
    package static func newestPart(of window: Range<SeriesTime>, step: Duration) -> Range<SeriesTime> {
        max(window.lowerBound, window.upperBound.advanced(by: .zero - maximumLength(step)))..<window.upperBound
    }

    private static func maximumLength(_ step: Duration) -> Duration {
        .microseconds(min(max(1, step.wholeMicroseconds), maximumStep) * Int64(maximumSteps))
    }

    /// Returns a step as whole milliseconds; `nil` if it is not positive, not a whole number, or longer than 400 days.
    static func milliseconds(_ step: Duration) -> Int64? {
        let microseconds = step.wholeMicroseconds
        guard 1...maximumStep ~= microseconds, microseconds % 1000 == 0, .microseconds(microseconds) == step
        else { return nil }
        return microseconds / 1000
    }
}
