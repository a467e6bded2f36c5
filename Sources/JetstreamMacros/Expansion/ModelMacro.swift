import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The expansion of `@Model`, which makes a class conform to `ModelObject`.
///
/// The members of the conformance are described at `ModelObject`. The expansion only names declarations of
/// JetstreamCore, because the user's file may only import Jetstream, which exports it.
enum ModelMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {}

extension ModelMacro {
    /// Reads a declaration without reporting its errors, which one of the macro roles does.
    fileprivate static func model(
        _ declaration: some DeclGroupSyntax,
        _ node: AttributeSyntax,
        in context: some MacroExpansionContext
    ) -> ModelClass? {
        var mistakes: [Diagnostic] = []
        return ModelClass(declaration, node, in: context, &mistakes)
    }
}

// MARK: Schema, node and initializers

extension ModelMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var mistakes: [Diagnostic] = []
        let model = ModelClass(declaration, node, in: context, &mistakes)
        let position = model?.position(missing: protocols, &mistakes) ?? .root
        mistakes.forEach(context.diagnose)
        return model.map { ModelMembers($0, position).all } ?? []
    }
}

// MARK: Accessors and storage of each property

extension ModelMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard let variable = member.as(VariableDeclSyntax.self), let model = model(declaration, node, in: context)
        else { return [] }
        // The member is a copy and is identified by its name.
        let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
        // The ordinal also counts composites: it is the index in the schema.
        guard let ordinal = model.properties.firstIndex(where: { $0.plainName == name }) else { return [] }
        guard model.properties[ordinal].kind == .stored else { return [] }
        return ["@ModelTracked(\(literal: ordinal))"]
    }
}

// MARK: The conformance

extension ModelMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // A conformance written by the author is an error. A generated one would be reported in addition to it.
        guard !protocols.isEmpty, let model = model(declaration, node, in: context) else { return [] }
        let actor = model.globalActor.map { "@\($0) " } ?? (model.isNonisolated ? "nonisolated " : "")
        let conformance: DeclSyntax = "extension \(type.trimmed): \(raw: actor)JetstreamCore.ModelObject {}"
        return conformance.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
    }
}
