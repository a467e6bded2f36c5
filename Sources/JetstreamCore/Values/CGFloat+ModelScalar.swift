public import Foundation
public import HeliumJSON

extension CGFloat: ModelScalar {
    /// A number.
    public static var modelKind: ModelKind { .number }
    /// Whether both are the same number, or neither is one.
    public static func isSame(_ left: CGFloat, _ right: CGFloat) -> Bool {
        Double.isSame(Double(left), Double(right))
    }
    /// A number; `null` for infinities and NaN, which JSON does not have.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { Double(self).modelJSON(format) }
    /// Reads a number.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> CGFloat? {
        json.doubleValue.map { CGFloat($0) }
    }
}
