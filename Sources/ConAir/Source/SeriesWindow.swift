/// The arithmetic of windows and steps.
package enum SeriesWindow {
    /// The maximum number of steps in one request: services return nothing for windows that are much longer.
    static let maximumSteps = 5000

    /// The maximum distance of two points.
    private static let maximumStep: Int64 = 400 * 86_400 * 1_000_000

    /// The parts of a window that are requested one after the other, oldest first, each of at most 5,000 steps.
    ///
    /// A sequence, because a window that somebody asks for can have any number of them.
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

    /// The newest part of a window, of at most 5,000 steps. Who keeps points reads older ones from their end, so that there is no
    /// hole among them.
    package static func newestPart(of window: Range<SeriesTime>, step: Duration) -> Range<SeriesTime> {
        max(window.lowerBound, window.upperBound.advanced(by: .zero - maximumLength(step)))..<window.upperBound
    }

    private static func maximumLength(_ step: Duration) -> Duration {
        .microseconds(min(max(1, step.wholeMicroseconds), maximumStep) * Int64(maximumSteps))
    }

    /// A step as whole milliseconds; `nil` if it is not positive, not a whole number of them, or longer than 400 days.
    static func milliseconds(_ step: Duration) -> Int64? {
        let microseconds = step.wholeMicroseconds
        guard 1...maximumStep ~= microseconds, microseconds % 1000 == 0, .microseconds(microseconds) == step
        else { return nil }
        return microseconds / 1000
    }
}
