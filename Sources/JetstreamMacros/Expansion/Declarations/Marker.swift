import SwiftSyntax

/// An attribute of a model, or of one of its properties, that `@Model` reads.
enum Marker: String, CaseIterable {
    case className = "ClassName"
    case composite = "Composite"
    case ignored = "Ignored"
    case key = "Key"
    case local = "Local"
    case minSyncInterval = "MinSyncInterval"

    /// The attribute as written in source code.
    var attribute: String { "@\(rawValue)" }

    /// Creates the marker for an attribute; `nil` for other attributes.
    init?(_ attribute: AttributeSyntax) {
        guard let name = attribute.nameInJetstream else { return nil }
        self.init(rawValue: name)
    }
}

extension AttributeSyntax {
    /// The name of the attribute without its module, if the module is ours or omitted.
    var nameInJetstream: String? {
        if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.plainText }
        guard
            let member = attributeName.as(MemberTypeSyntax.self),
            let module = member.baseType.as(IdentifierTypeSyntax.self)?.name.plainText,
            ["Jetstream", "JetstreamCore"].contains(module)
        else { return nil }
        return member.name.plainText
    }

    /// The arguments of the attribute in parentheses; empty without parentheses.
    var argumentList: LabeledExprListSyntax {
        guard case .argumentList(let arguments) = arguments else { return [] }
        return arguments
    }
}

extension AttributeListSyntax {
    /// The attributes written directly, without those in `#if`.
    var plain: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    /// The `@Model` attributes.
    var models: [AttributeSyntax] { plain.filter { $0.nameInJetstream == "Model" } }
}

extension TokenSyntax {
    /// The text of an identifier without backticks.
    var plainText: String {
        let text = text
        guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
        return String(text.dropFirst().dropLast())
    }
}
