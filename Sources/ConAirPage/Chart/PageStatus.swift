internal import ConAir
internal import HeliumCore

/// The state of a store in words.
struct PageStatus: Hashable, Sendable {
    /// The kind of a state. Each kind has a color.
    enum Kind: String, Sendable, CaseIterable {
        /// Nothing was received yet, and nothing has failed.
        case waiting
        /// The last attempt succeeded, less than three periods ago.
        case current
        /// Three periods have passed without a success.
        case stale
        /// The last attempt failed.
        case failing
        /// The store is not polling.
        case stopped
    }

    let kind: Kind
    /// Sentences for readers.
    let words: String
    /// The last error; `nil` unless the last attempt failed.
    let error: String?

    init(_ state: TimeSeriesState, texts: PageTexts) {
        kind = Self.kind(state)
        words = Self.words(kind, state, texts.clock)
        error = state.failureCount > 0 ? state.lastError.map { DisplayText(Self.sentence($0), cells: 300).text } : nil
    }

    private static func kind(_ state: TimeSeriesState) -> Kind {
        if state.isStale { return .stale }
        if state.failureCount > 0 { return .failing }
        if !state.isPolling { return .stopped }
        return state.lastSuccess == nil ? .waiting : .current
    }

    /// Returns an error as one sentence. Requests and attempts are left out, because they are for logs.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as HeliumError: error.message
        case let error as ConAirError:
            error.underlying.map { "\(error.message): \(sentence($0))" } ?? error.message
        default: "\(error)"
        }
    }

    private static func words(_ kind: Kind, _ state: TimeSeriesState, _ clock: PageClock) -> String {
        let last = state.lastSuccess.map { clock.dateAndTime($0) }
        let next = state.nextAttempt.map { "Next attempt at \(clock.timeOfDay($0))." }
        var sentences: [String] = []
        switch kind {
        case .waiting: sentences = ["Waiting for the first response."]
        case .current: sentences = ["Current. Updated at \(last ?? "")."]
        case .stopped: sentences = ["Not polling.", last.map { "Last response at \($0)." } ?? "No response yet."]
        case .stale: sentences = ["Stale: no response\(last.map { " since \($0)" } ?? " yet")."]
        case .failing:
            let count = state.failureCount == 1 ? "the last attempt" : "the last \(state.failureCount) attempts"
            sentences = ["Failing: \(count) failed.", last.map { "Last response at \($0)." } ?? "No response yet."]
        }
        if let next { sentences.append(next) }
        return sentences.joined(separator: " ")
    }
}
