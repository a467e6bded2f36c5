/// What becomes of a line, or of an array's element, that does not decode.
public struct BadLinePolicy: Sendable {
    /// Told of each that is left out; `nil` fails instead.
    let report: (@Sendable (HeliumError) -> Void)?

    /// The sequence fails with ``FailureKind/decodingFailed``. The default.
    public static let fail = Self(report: nil)

    /// It is left out and `report` told the error that it would have been: number, path, reason.
    public static func skip(_ report: @escaping @Sendable (HeliumError) -> Void) -> Self { Self(report: report) }
}
