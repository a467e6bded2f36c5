extension Duration {
    /// A duration that counts as unlimited. It can be added, doubled and converted to seconds without overflow, whereas
    /// `Duration`'s own range is wider than its `components` and than the sleeps of the system.
    package static let century = Duration.seconds(100 * 366 * 86_400)

    /// The duration limited to the range from minus a century to a century.
    package var withinCentury: Duration { min(max(self, .zero - .century), .century) }
}
