public import Foundation
public import HeliumJSON

extension CGFloat: ModelScalar {
    /// The kind: a number.
    public static var modelKind: ModelKind { .number }
    /// Returns whether two numbers are equal or both NaN.
    public static func isSame(_ left: CGFloat, _ right: CGFloat) -> Bool {
        Double.isSame(Double(left), Double(right))
    }
    /// Returns a number; `null` for infinities and NaN, which JSON does not support.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { Double(self).modelJSON(format) }
    /// Reads a number.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> CGFloat? {
        json.doubleValue.map { CGFloat($0) }
    }
}
