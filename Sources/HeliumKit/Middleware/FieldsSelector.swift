public import HeliumCore

/// A model that names the fields it wants from the server (middleware.md section 5.4).
///
/// A request for such a type carries the parameter `selection` (the name is configurable) unless the caller set it.
///
/// ```swift
/// struct TVShow: Decodable, FieldsSelector {
///     static let selectionString = "{id,titles{default},images(subType:\"cover\"){url}}"
/// }
/// ```
public protocol FieldsSelector {
    /// Names separated by commas, children in braces, arguments in parentheses.
    static var selectionString: String { get }
}

extension Array: FieldsSelector where Element: FieldsSelector {
    /// The elements'.
    public static var selectionString: String { Element.selectionString }
}

extension Optional: FieldsSelector where Wrapped: FieldsSelector {
    /// The wrapped type's.
    public static var selectionString: String { Wrapped.selectionString }
}

extension LossyArray: FieldsSelector where Element: FieldsSelector {
    /// The elements'.
    public static var selectionString: String { Element.selectionString }
}
