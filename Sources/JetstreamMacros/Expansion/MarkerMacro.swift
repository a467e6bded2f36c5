import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The attributes that `@Model` reads. They add nothing themselves, but check that they are used in a model.
enum MarkerMacro: PeerMacro {}

extension MarkerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let marker = Marker(node) else { return [] }
        if let mistake = mistake(marker, declaration, in: context) {
            context.diagnose(Diagnostic(mistake, at: node, fixIts: [.remove(node)]))
        }
        return []
    }

    private static func mistake(
        _ marker: Marker,
        _ declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> ModelMistake? {
        if marker == .className {
            return Syntax(declaration).hasModelAttribute ? nil : .withoutModel(marker)
        }
        guard declaration.is(VariableDeclSyntax.self) else { return .notAProperty(marker) }
        guard let outer = context.lexicalContext.first else { return .outsideOfModel(marker) }
        if outer.is(ExtensionDeclSyntax.self) { return .inExtension(marker) }
        return outer.hasModelAttribute ? nil : .outsideOfModel(marker)
    }
}

extension Syntax {
    /// Whether the declaration has `@Model`, which itself reports where it cannot be used.
    fileprivate var hasModelAttribute: Bool {
        asProtocol((any WithAttributesSyntax).self)?.attributes.models.isEmpty == false
    }
}
