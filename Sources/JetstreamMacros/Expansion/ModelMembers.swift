import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Model` adds to a class.
struct ModelMembers {
    private let model: ModelClass
    private let position: ModelClass.Position

    init(_ model: ModelClass, _ position: ModelClass.Position) {
        self.model = model
        self.position = position
    }

    /// The members, in the order of the generated code.
    var all: [DeclSyntax] {
        var members = [schema, overridableSchema]
        if position == .root { members.append("\(raw: access)let modelNode = JetstreamCore.ModelNode()") }
        return members + initializers + teardown
    }

    /// The access level of members that the protocol requires and a subclass overrides: that of the class.
    private var overridableAccess: String { model.declaration.accessLevel.map { "\($0) " } ?? "" }

    /// The access level of members that the protocol requires.
    private var access: String { overridableAccess == "open " ? "public " : overridableAccess }

    // MARK: Schema

    private var schema: DeclSyntax {
        let parent = position == .subclass ? model.superclass.map { ", super: \($0).modelSchema" } ?? "" : ""
        let type = "\(model.name.trimmed).self\(parent)"
        let properties = model.properties.map { "        \(entry($0)),\n" }.joined()
        let list = properties.isEmpty ? "[]" : "[\n\(properties)    ]"
        return """
            private static let _modelSchema = JetstreamCore.ModelSchema(\(literal: model.className), of: \(raw: type)) {
                \(raw: list)
            }
            """
    }

    private var overridableSchema: DeclSyntax {
        let modifier = position == .subclass ? "override " : ""
        return
            "\(raw: overridableAccess)\(raw: modifier)class var modelSchema: JetstreamCore.ModelSchema { _modelSchema }"
    }

    private func entry(_ property: ModelProperty) -> String {
        let path = "\\\(model.name.trimmed).\(property.name.trimmed)"
        let name = property.attributes.key?.literal.trimmedDescription ?? "\"\(property.plainName)\""
        switch property.kind {
        case .stored:
            let access = "get: { $0.\(property.storage) }, set: { $0.\(property.name.trimmed) = $1 }"
            return ".stored(\(name), \(path), \(access)\(property.attributeArgument)\(property.nameArgument))"
        case .composite:
            // The schema finds inherited properties by their names. The key paths let the compiler check them.
            let dependencies = property.attributes.dependencies.map {
                "\"\($0.name)\": \\\(model.name.trimmed).\($0.spelling)"
            }
            return ".composite(\(name), \(path), of: [\(dependencies.joined(separator: ", "))])"
        }
    }

    // MARK: Initializers and deinitializer

    private var initializers: [DeclSyntax] {
        let own = model.declaration.initializers
        let isGiven = own.contains { $0.takesIdentifier }
        switch position {
        case .root:
            var initializers: [DeclSyntax] = []
            if own.isEmpty { initializers.append("\(raw: access)init() {}") }
            if !isGiven {
                initializers.append(
                    "\(raw: access)required init(uuid: JetstreamCore.ModelID) { modelNode.identify(uuid) }"
                )
            }
            return initializers
        case .subclass:
            // A class without designated initializers inherits all of them.
            guard !isGiven, own.contains(where: { !$0.isConvenience }) else { return [] }
            return ["\(raw: access)required init(uuid: JetstreamCore.ModelID) { super.init(uuid: uuid) }"]
        }
    }

    private var teardown: [DeclSyntax] {
        let properties = model.properties.filter(\.mayHoldModels)
        guard !properties.isEmpty, !model.declaration.hasDeinitializer else { return [] }
        let releases = properties.map { "    JetstreamCore.ModelTeardown.release(&\($0.storage))" }.joined(
            separator: "\n"
        )
        return ["deinit {\n\(raw: releases)\n}"]
    }
}

extension ModelProperty {
    /// The name of the storage property.
    var storage: String { "_" + plainName }

    /// Whether the value may refer to models. A property with a number, text or Boolean literal as its default does
    /// not.
    fileprivate var mayHoldModels: Bool {
        guard kind == .stored, !isWeak else { return false }
        guard let value = binding.initializer?.value else { return true }
        return !value.is(IntegerLiteralExprSyntax.self) && !value.is(FloatLiteralExprSyntax.self)
            && !value.is(StringLiteralExprSyntax.self) && !value.is(BooleanLiteralExprSyntax.self)
    }

    /// The argument with the name in Swift, including its comma; empty if that is the name on the wire.
    fileprivate var nameArgument: String { wireName == plainName ? "" : ", declaredAs: \"\(plainName)\"" }

    /// The argument with the attributes, including its comma; empty without attributes.
    fileprivate var attributeArgument: String {
        var arguments: [String] = []
        if attributes.isLocal { arguments.append("isLocal: true") }
        if let interval = attributes.minSyncInterval { arguments.append("minSyncInterval: \(interval)") }
        if isWeak { arguments.append("isWeak: true") }
        return arguments.isEmpty ? "" : ", attributes: .init(\(arguments.joined(separator: ", ")))"
    }
}

extension ClassDeclSyntax {
    /// The access level; `nil` if it is internal or lower.
    fileprivate var accessLevel: String? {
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.open), .keyword(.public), .keyword(.package): return modifier.name.text
            default: continue
            }
        }
        return nil
    }

    var initializers: [InitializerDeclSyntax] {
        memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    }

    fileprivate var hasDeinitializer: Bool { memberBlock.members.contains { $0.decl.is(DeinitializerDeclSyntax.self) } }
}

extension InitializerDeclSyntax {
    var isConvenience: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.convenience) } }

    /// Whether this is `init(uuid:)`.
    var takesIdentifier: Bool {
        let parameters = signature.parameterClause.parameters
        guard let first = parameters.first, first.firstName.text == "uuid" else { return false }
        return parameters.dropFirst().isEmpty
    }
}
