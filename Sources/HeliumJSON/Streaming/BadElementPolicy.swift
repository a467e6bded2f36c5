/// The handling of an array's element that can't be decoded.
///
/// It applies to values that are valid JSON but can't be decoded as the type. Invalid JSON always ends a sequence.
public struct BadElementPolicy: Sendable {
    /// Receives the error of each element that is left out; `nil` if the sequence fails instead.
    let report: (@Sendable (any Error) -> Void)?

    /// Makes the sequence fail with the element's error. The default.
    public static let fail = Self(report: nil)

    /// Leaves out the element and passes its error to `report`.
    public static func skip(_ report: @escaping @Sendable (any Error) -> Void) -> Self { Self(report: report) }
}
