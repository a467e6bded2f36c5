import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// A class with `@Model`, read from its declaration and checked.
struct ModelClass {
    /// The position of the class in its hierarchy of models.
    enum Position {
        /// The class has the conformance itself.
        case root
        /// The class inherits the conformance.
        case subclass
    }

    /// The names of `ModelObject` members and of generated members.
    static let reservedNames: Set<String> = [
        "asModelObject", "childModelObjects", "className", "isScopeRoot", "modelKind", "modelNode", "modelObjectType",
        "modelSchema", "parents", "scope", "uuid",
    ]

    let declaration: ClassDeclSyntax
    private(set) var properties: [ModelProperty]
    /// The global actor that isolates the conformance, as written in source code.
    let globalActor: String?
    /// The name of the class on the wire.
    let className: String

    /// The declared name, including backticks if it has them.
    var name: TokenSyntax { declaration.name }

    /// Reads a declaration.
    ///
    /// - Parameter mistakes: The list to which errors in the declaration are added.
    /// - Returns: `nil` if nothing can be generated for the class. Otherwise only properties with an error are left
    ///   out.
    init?(
        _ declaration: some DeclGroupSyntax,
        _ node: AttributeSyntax,
        in context: some MacroExpansionContext,
        _ mistakes: inout [Diagnostic]
    ) {
        guard let declaration = Self.checkedClass(declaration, node, in: context, &mistakes) else { return nil }
        self.declaration = declaration
        globalActor = Self.globalActor(declaration, node, &mistakes)
        className = Self.className(declaration, &mistakes)
        properties = Self.properties(declaration, &mistakes)
        checkNames(&mistakes)
        checkDependencies(&mistakes)
        checkStorage(&mistakes)
        checkInitializers(&mistakes)
    }

    /// Whether the class is declared `nonisolated`, which matters if the default isolation is an actor.
    var isNonisolated: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.nonisolated) } }

    /// The superclass, if the class has one. It precedes the protocols.
    var superclass: TypeSyntax? { declaration.inheritanceClause?.inheritedTypes.first?.type.trimmed }

    /// Returns the position of the class, based on the conformances that the compiler reports as missing.
    ///
    /// None is missing for a subclass of a model, or if the author wrote the conformance, which is an error.
    func position(missing protocols: [TypeSyntax], _ mistakes: inout [Diagnostic]) -> Position {
        if let own = declaration.inheritanceClause?.inheritedTypes.first(where: \.isModelObject) {
            mistakes.append(.init(.ownConformance, at: own.type))
            return .root
        }
        if protocols.isEmpty, superclass == nil {
            mistakes.append(.init(.ownConformanceElsewhere(name.plainText), at: name))
        }
        return protocols.isEmpty && superclass != nil ? .subclass : .root
    }

    // MARK: The class

    private static func checkedClass(
        _ declaration: some DeclGroupSyntax,
        _ node: AttributeSyntax,
        in context: some MacroExpansionContext,
        _ mistakes: inout [Diagnostic]
    ) -> ClassDeclSyntax? {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            if let mistake = notAClass(declaration) { mistakes.append(mistake) }
            return nil
        }
        if declaration.attributes.models.count > 1, !isFirst(node, of: declaration, in: context) {
            mistakes.append(.init(.modelTwice, at: node, fixIts: [.remove(node)]))
            return nil
        }
        if let clause = declaration.genericParameterClause {
            mistakes.append(.init(.generic(declaration.name.plainText), at: clause))
            return nil
        }
        var outers = context.lexicalContext
        // The innermost context of a member of the class is the class itself.
        if outers.first?.as(ClassDeclSyntax.self)?.name.text == declaration.name.text { outers.removeFirst() }
        for outer in outers {
            if let mistake = outer.mistakeOfModelInside {
                mistakes.append(.init(mistake, at: declaration.name))
                return nil
            }
        }
        if let mistake = inaccessible(declaration, in: outers) {
            mistakes.append(mistake)
            return nil
        }
        return declaration
    }

    /// Returns the error for a class that is private to a type. The conformance is outside that type and cannot name
    /// the class.
    private static func inaccessible(_ declaration: ClassDeclSyntax, in outers: [Syntax]) -> Diagnostic? {
        guard !outers.isEmpty else { return nil }
        if let modifier = declaration.modifiers.privateModifier {
            return Diagnostic(.privateClass, at: modifier, fixIts: [.replace(modifier, with: "fileprivate")])
        }
        for outer in outers.dropLast() {
            guard outer.asProtocol((any WithModifiersSyntax).self)?.modifiers.privateModifier != nil else { continue }
            let name = outer.asProtocol((any NamedDeclSyntax).self)?.name.plainText ?? ""
            return Diagnostic(.insidePrivate(name), at: declaration.name)
        }
        return nil
    }

    /// Returns whether the attribute is the declaration's first `@Model`. Both are copies, which only source locations
    /// connect.
    private static func isFirst(
        _ node: AttributeSyntax,
        of declaration: ClassDeclSyntax,
        in context: some MacroExpansionContext
    ) -> Bool {
        func place(_ attribute: AttributeSyntax) -> String? {
            context.location(of: attribute).map { "\($0.line.trimmedDescription):\($0.column.trimmedDescription)" }
        }
        return declaration.attributes.models.first.flatMap(place) == place(node)
    }

    /// Returns the error for a declaration that is not a class; `nil` for an extension. The compiler reports that a macro
    /// with a conformance cannot be attached to an extension.
    private static func notAClass(_ declaration: some DeclGroupSyntax) -> Diagnostic? {
        if let structure = declaration.as(StructDeclSyntax.self) {
            return Diagnostic(
                .notAClass(structure.name.plainText, "a struct"),
                at: structure.structKeyword,
                fixIts: [.replace(structure.structKeyword, with: "final class")]
            )
        }
        if let actor = declaration.as(ActorDeclSyntax.self) {
            return Diagnostic(.notAClass(actor.name.plainText, "an actor"), at: actor.actorKeyword)
        }
        if let enumeration = declaration.as(EnumDeclSyntax.self) {
            return Diagnostic(.notAClass(enumeration.name.plainText, "an enum"), at: enumeration.enumKeyword)
        }
        if let contract = declaration.as(ProtocolDeclSyntax.self) {
            return Diagnostic(.notAClass(contract.name.plainText, "a protocol"), at: contract.protocolKeyword)
        }
        return nil
    }

    private static func globalActor(
        _ declaration: ClassDeclSyntax,
        _ node: AttributeSyntax,
        _ mistakes: inout [Diagnostic]
    ) -> String? {
        let written = declaration.attributes.plain.first { $0.namesActor }?.attributeName.trimmedDescription
        guard let argument = node.argumentList.first?.expression else { return written }
        guard
            let member = argument.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "self",
            let type = member.base?.trimmedDescription
        else {
            mistakes.append(.init(.notAnActor, at: argument))
            return written
        }
        if let written {
            mistakes.append(.init(.actorTwice(written), at: argument))
            return written
        }
        // Either name may be qualified.
        func last(_ name: String) -> Substring? { name.split(separator: ".").last }
        guard declaration.attributes.plain.contains(where: { last($0.attributeName.trimmedDescription) == last(type) })
        else {
            mistakes.append(.init(.actorNotOnClass(type), at: argument, fixIts: [.add("@\(type)", to: declaration)]))
            return nil
        }
        return type
    }

    private static func className(_ declaration: ClassDeclSyntax, _ mistakes: inout [Diagnostic]) -> String {
        let own = declaration.name.plainText
        let attributes = declaration.attributes.plain.filter { Marker($0) == .className }
        for other in attributes.dropFirst() {
            mistakes.append(.init(.twice(.className), at: other, fixIts: [.remove(other)]))
        }
        guard let argument = attributes.first?.argumentList.first?.expression else { return own }
        guard let name = argument.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            mistakes.append(.init(.notALiteral(.className), at: argument))
            return own
        }
        if name.isEmpty {
            mistakes.append(.init(.emptyName(.className), at: argument))
        } else if name.contains(".") {
            mistakes.append(.init(.dotInClassName, at: argument))
        }
        return name
    }

    // MARK: The properties

    private static func properties(_ declaration: ClassDeclSyntax, _ mistakes: inout [Diagnostic]) -> [ModelProperty] {
        var properties: [ModelProperty] = []
        for member in declaration.memberBlock.members {
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                if let property = ModelProperty(variable, &mistakes) { properties.append(property) }
            } else if let condition = member.decl.as(IfConfigDeclSyntax.self), condition.containsProperties {
                mistakes.append(.init(.inConditionalCompilation, at: condition))
            }
        }
        return properties
    }

    private func checkNames(_ mistakes: inout [Diagnostic]) {
        var known: [String: ModelProperty] = [:]
        for property in properties {
            if let other = known[property.wireName] {
                let node = property.attributes.key.map { Syntax($0.literal) } ?? Syntax(property.name)
                let hint = ModelHint("'\(other.plainName)' has this name on the wire")
                let note = Note(node: Syntax(other.name), message: hint)
                mistakes.append(.init(.wireNameTwice(property.wireName, property.plainName), at: node, notes: [note]))
            } else {
                known[property.wireName] = property
            }
            if Self.reservedNames.contains(property.plainName) {
                mistakes.append(.init(.reservedName(property.plainName), at: property.name))
            }
        }
    }

    /// Reports members that have the name of a property's storage. The property is left out, because the compiler would
    /// report its storage too.
    private mutating func checkStorage(_ mistakes: inout [Diagnostic]) {
        let members = declaration.memberBlock.members.flatMap(\.decl.namesBesideStorage)
        let names = Set(properties.map(\.plainName))
        properties.removeAll { property in
            guard property.kind == .stored, let member = members.first(where: { $0.plainText == property.storage })
            else { return false }
            let isProperty = names.contains(member.plainText)
            mistakes.append(.init(.storageName(member.plainText, of: property.plainName, isProperty), at: member))
            return true
        }
    }

    /// Checks that an author's `init(uuid:)` sets the identifier of the object, unless a superclass does.
    private func checkInitializers(_ mistakes: inout [Diagnostic]) {
        guard superclass == nil else { return }
        for initializer in declaration.initializers where initializer.takesIdentifier && !initializer.isConvenience {
            let calls = initializer.body?.tokens(viewMode: .sourceAccurate).contains { $0.text == "identify" } ?? true
            if !calls { mistakes.append(.init(.unidentified, at: initializer.initKeyword)) }
        }
    }

    /// Reports and removes dependencies that are not other properties of the model.
    private mutating func checkDependencies(_ mistakes: inout [Diagnostic]) {
        let names = Set(properties.map(\.plainName))
        let others = Set(declaration.memberBlock.members.flatMap { $0.decl.as(VariableDeclSyntax.self)?.names ?? [] })
        let inherits = superclass != nil
        for index in properties.indices {
            let own = properties[index].plainName
            properties[index].attributes.dependencies.removeAll { dependency in
                let mistake: ModelMistake? =
                    if dependency.name == own {
                        .compositeOfItself(own)
                    } else if names.contains(dependency.name) {
                        nil
                    } else if others.contains(dependency.name) {
                        .ignoredDependency(dependency.name)
                    } else if !inherits {
                        .unknownDependency(dependency.name)
                    } else {
                        // The properties of a superclass are not visible here. The key path in the schema lets the
                        // compiler check them, and the schema finds them by name.
                        nil
                    }
                if let mistake { mistakes.append(.init(mistake, at: dependency.node)) }
                return mistake != nil
            }
        }
    }
}

extension AttributeSyntax {
    /// Whether the name of the attribute ends in `Actor`, like the names of global actors.
    fileprivate var namesActor: Bool {
        guard arguments == nil else { return false }
        return attributeName.trimmedDescription.hasSuffix("Actor")
    }
}

extension DeclModifierListSyntax {
    fileprivate var privateModifier: DeclModifierSyntax? { first { $0.name.tokenKind == .keyword(.private) } }
}

extension InheritedTypeSyntax {
    /// Whether the type is `ModelObject`, with or without its module name.
    fileprivate var isModelObject: Bool {
        let text = type.as(AttributedTypeSyntax.self)?.baseType.trimmedDescription ?? type.trimmedDescription
        return ["ModelObject", "JetstreamCore.ModelObject", "Jetstream.ModelObject"].contains(text)
    }
}

extension IfConfigDeclSyntax {
    /// Whether a branch contains a property that would belong to a model.
    fileprivate var containsProperties: Bool {
        clauses.contains { clause in
            guard case .decls(let members) = clause.elements else { return false }
            return members.contains { member in
                if let nested = member.decl.as(IfConfigDeclSyntax.self) { return nested.containsProperties }
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                return variable.typeKeyword == nil && !variable.attributes.plain.contains { Marker($0) == .ignored }
            }
        }
    }
}

extension VariableDeclSyntax {
    /// The names introduced by the declaration, without backticks.
    fileprivate var names: [String] { identifiers.map(\.plainText) }

    fileprivate var identifiers: [TokenSyntax] {
        bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
    }
}

extension DeclSyntax {
    /// The names that no variable of the object may have too: those of variables, and of functions without parameters.
    fileprivate var namesBesideStorage: [TokenSyntax] {
        if let variable = self.as(VariableDeclSyntax.self) {
            return variable.typeKeyword == nil ? variable.identifiers : []
        }
        guard let function = self.as(FunctionDeclSyntax.self), function.signature.parameterClause.parameters.isEmpty,
            !function.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
        else { return [] }
        return [function.name]
    }
}

extension SyntaxProtocol {
    /// The error of a model that is declared inside this declaration; `nil` if there is none.
    fileprivate var mistakeOfModelInside: ModelMistake? {
        if self.is(FunctionDeclSyntax.self) || self.is(InitializerDeclSyntax.self)
            || self.is(DeinitializerDeclSyntax.self)
            || self.is(AccessorDeclSyntax.self) || self.is(SubscriptDeclSyntax.self) || self.is(ClosureExprSyntax.self)
        {
            return .localClass
        }
        if let outer = asProtocol((any WithGenericParametersSyntax).self), outer.genericParameterClause != nil {
            let name = asProtocol((any NamedDeclSyntax).self)?.name.plainText ?? ""
            return .insideGeneric(name)
        }
        return nil
    }
}
