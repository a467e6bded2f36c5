internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The machine's time for `Date` fields. The text is created once a second.
final class DateField: Sendable {
    private let last = Guarded((second: -1, text: ""))

    var text: String {
        let second = Int(Date().timeIntervalSince1970)
        return last.withLock { last in
            if last.second != second {
                last = (second, HTTPDate.string(from: Date(timeIntervalSince1970: Double(second))))
            }
            return last.text
        }
    }
}
