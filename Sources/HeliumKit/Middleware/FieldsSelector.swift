public import HeliumCore

/// A model that selects the fields that the server sends (Docs/Protocols/Middleware.md §5.4).
///
/// A request for such a type carries the parameter `selection` (the name is configurable) unless the caller has set it.
///
/// ```swift
/// struct TVShow: Decodable, FieldsSelector {
///     static let selectionString = "{id,titles{default},images(subType:\"cover\"){url}}"
/// }
/// ```
public protocol FieldsSelector {
    /// The selected fields: names separated by commas, children in braces, arguments in parentheses.
    static var selectionString: String { get }
}

extension Array: FieldsSelector where Element: FieldsSelector {
    /// The selection of the elements.
    public static var selectionString: String { Element.selectionString }
}

extension Optional: FieldsSelector where Wrapped: FieldsSelector {
    /// The selection of the wrapped type.
    public static var selectionString: String { Wrapped.selectionString }
}

extension LossyArray: FieldsSelector where Element: FieldsSelector {
    /// The selection of the elements.
    public static var selectionString: String { Element.selectionString }
}
