/// What becomes of an array's element that does not decode.
///
/// It is about values that are JSON and not what the type wants. What is no JSON always ends a sequence.
public struct BadElementPolicy: Sendable {
    /// Told of each element that is left out; `nil` fails instead.
    let report: (@Sendable (any Error) -> Void)?

    /// The sequence fails with the element's error. The default.
    public static let fail = Self(report: nil)

    /// The element is left out and `report` told the error that it would have been.
    public static func skip(_ report: @escaping @Sendable (any Error) -> Void) -> Self { Self(report: report) }
}
