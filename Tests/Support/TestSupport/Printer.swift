import Synchronization

/// Stands in for `print` in a compiled sample, and keeps what the sample prints.
///
/// ```
/// let print = Printer()
/// // sample
/// print(line)
/// // end of sample
/// #expect(print.output == ["one"])
/// ```
package struct Printer: Sendable {
    private final class Lines: Sendable { let value = Mutex<[String]>([]) }
    private let lines = Lines()

    package init() {}

    package func callAsFunction(_ items: Any...) {
        lines.value.withLock { $0.append(items.map { String(describing: $0) }.joined(separator: " ")) }
    }

    /// The printed lines.
    package var output: [String] { lines.value.withLock { $0 } }
}
