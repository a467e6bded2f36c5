import SwiftSyntax

/// An attribute of a model, or of one of its properties, that `@Model` reads.
enum Marker: String, CaseIterable {
    case className = "ClassName"
    case composite = "Composite"
    case ignored = "Ignored"
    case key = "Key"
    case local = "Local"
    case minSyncInterval = "MinSyncInterval"

    /// The attribute as it is written.
    var attribute: String { "@\(rawValue)" }

    /// The marker that an attribute is; `nil` for others.
    init?(_ attribute: AttributeSyntax) {
        guard let name = attribute.nameInJetstream else { return nil }
        self.init(rawValue: name)
    }
}

extension AttributeSyntax {
    /// The attribute's name without its module's, if that is ours or left out.
    var nameInJetstream: String? {
        if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.plainText }
        guard
            let member = attributeName.as(MemberTypeSyntax.self),
            let module = member.baseType.as(IdentifierTypeSyntax.self)?.name.plainText,
            ["Jetstream", "JetstreamCore"].contains(module)
        else { return nil }
        return member.name.plainText
    }

    /// The attribute's arguments in parentheses; none if there are no parentheses.
    var argumentList: LabeledExprListSyntax {
        guard case .argumentList(let arguments) = arguments else { return [] }
        return arguments
    }
}

extension AttributeListSyntax {
    /// The attributes that are written here, but not those in `#if`.
    var plain: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    /// The attributes `@Model`.
    var models: [AttributeSyntax] { plain.filter { $0.nameInJetstream == "Model" } }
}

extension TokenSyntax {
    /// An identifier's text without backticks.
    var plainText: String {
        let text = text
        guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
        return String(text.dropFirst().dropLast())
    }
}
