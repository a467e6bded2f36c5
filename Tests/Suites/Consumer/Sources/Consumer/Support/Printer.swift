import Synchronization

/// Stands in for `print` in the samples, so that what they print can be checked.
struct Printer: Sendable {
    private final class Lines: Sendable { let value = Mutex<[String]>([]) }
    private let lines = Lines()

    func callAsFunction(_ items: Any...) {
        lines.value.withLock { $0.append(items.map { String(describing: $0) }.joined(separator: " ")) }
    }

    /// The printed lines.
    var output: [String] { lines.value.withLock { $0 } }
}
