import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The expansion of `@ModelTracked`, which `@Model` adds to each stored property: its storage, and accessors that
/// report to the node.
enum ModelTrackedMacro: AccessorMacro, PeerMacro {}

extension ModelTrackedMacro {
    /// Returns the property and the name of its class.
    private static func parts(
        _ declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> (ModelProperty, String)? {
        var mistakes: [Diagnostic] = []
        guard
            let variable = declaration.as(VariableDeclSyntax.self),
            let property = ModelProperty(variable, &mistakes), property.kind == .stored,
            let model = context.lexicalContext.first?.as(ClassDeclSyntax.self)
        else { return nil }
        return (property, model.name.trimmedDescription)
    }
}

extension ModelTrackedMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let (property, model) = parts(declaration, in: context), let ordinal = node.argumentList.first?.expression
        else {
            return []
        }
        let path = "\\\(model).\(property.name.trimmed)"
        let schema = "\(model)._modelSchema"
        let storage = property.storage
        return [
            """
            get {
                modelNode.access(self, \(raw: path))
                return \(raw: storage)
            }
            """,
            """
            set {
                modelNode.mutate(self, \(raw: path), in: \(raw: schema), at: \(ordinal), from: \(raw: storage), to: newValue) {
                    \(raw: storage) = newValue
                }
            }
            """,
        ]
    }
}

extension ModelTrackedMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let (property, _) = parts(declaration, in: context) else { return [] }
        let name = PatternSyntax(IdentifierPatternSyntax(identifier: .identifier(property.storage)))
        // The type, the default and the author's observers move to the storage.
        return [
            "private \(raw: property.isWeak ? "weak " : "")var \(property.binding.with(\.pattern, name).with(\.trailingComma, nil).trimmed)"
        ]
    }
}
