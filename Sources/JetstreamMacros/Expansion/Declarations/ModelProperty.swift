import SwiftDiagnostics
import SwiftSyntax

/// A property of a model, read from its declaration and checked.
struct ModelProperty {
    /// The kind of a property: stored, or computed from others.
    enum Kind {
        case stored
        case composite
    }

    let kind: Kind
    /// The declared name, including backticks if it has them.
    let name: TokenSyntax
    var attributes: PropertyAttributes
    let declaration: VariableDeclSyntax
    let binding: PatternBindingSyntax

    /// The name without backticks.
    var plainName: String { name.plainText }
    /// The name of the property on the wire.
    var wireName: String { attributes.key?.value ?? plainName }

    /// Whether the property is declared `weak`.
    var isWeak: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.weak) } }

    /// Reads a declaration in the body of a class.
    ///
    /// - Parameter mistakes: The list to which errors in the declaration are added.
    /// - Returns: `nil` for a declaration that is not a property of the model: it is ignored, belongs to the type, or
    ///   has an error.
    init?(_ declaration: VariableDeclSyntax, _ mistakes: inout [Diagnostic]) {
        // The attributes of excluded properties are checked too, because they show that the author meant to include the
        // property.
        let attributes = PropertyAttributes(declaration, &mistakes)
        if let keyword = declaration.typeKeyword {
            if let (marker, attribute) = attributes.first {
                mistakes.append(
                    .init(.ofTypeProperty(marker, keyword.text), at: attribute, fixIts: [.remove(attribute)])
                )
            }
            return nil
        }
        if attributes.isIgnored { return nil }
        guard let binding = declaration.bindings.first, declaration.bindings.count == 1 else {
            mistakes.append(.init(.severalProperties, at: declaration.bindings))
            return nil
        }
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
            mistakes.append(.init(.notAName, at: binding.pattern))
            return nil
        }
        self.name = pattern.identifier
        self.attributes = attributes
        self.declaration = declaration
        self.binding = binding
        self.kind = binding.isComputed ? .composite : .stored
        let found = kind == .stored ? mistakesOfStored() : mistakesOfComputed()
        mistakes += found
        guard found.isEmpty else { return nil }
    }

    // MARK: Errors

    private func mistakesOfStored() -> [Diagnostic] {
        if declaration.bindingSpecifier.tokenKind == .keyword(.let) {
            let fixIts: [FixIt] = [
                .replace(declaration.bindingSpecifier, with: "var"), .add("@Ignored", to: declaration),
            ]
            return [Diagnostic(.constant(plainName), at: declaration.bindingSpecifier, fixIts: fixIts)]
        }
        for modifier in declaration.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.lazy), .keyword(.unowned):
                let keyword = modifier.name.text
                let fixIts: [FixIt] = [.remove(modifier), .add("@Ignored", to: declaration)]
                return [Diagnostic(.storage(plainName, keyword), at: modifier, fixIts: fixIts)]
            case .keyword(.override):
                return [Diagnostic(.override(plainName), at: modifier)]
            default: continue
            }
        }
        if attributes.isComposite, let attribute = attributes.first(.composite) {
            return [Diagnostic(.compositeOfStored(plainName), at: attribute, fixIts: [.remove(attribute)])]
        }
        if binding.initializer == nil, !binding.isOptional {
            let hasType = binding.typeAnnotation != nil
            return [
                Diagnostic(
                    hasType ? .noDefault(plainName) : .noTypeAndDefault(plainName),
                    at: name,
                    fixIts: [.addDefault(binding), .add("@Ignored", to: declaration)]
                )
            ]
        }
        return []
    }

    private func mistakesOfComputed() -> [Diagnostic] {
        guard attributes.isComposite else {
            let fixIts: [FixIt] = [
                .add("@Composite(\\.<#property#>)", to: declaration), .add("@Ignored", to: declaration),
            ]
            return [Diagnostic(.computed(plainName), at: name, fixIts: fixIts)]
        }
        if let effects = binding.getterEffects {
            return [Diagnostic(.compositeWithEffects(plainName), at: effects)]
        }
        return []
    }
}

extension VariableDeclSyntax {
    /// The keyword `static` or `class` of a type property; `nil` for others.
    var typeKeyword: TokenSyntax? {
        modifiers.map(\.name).first { $0.tokenKind == .keyword(.static) || $0.tokenKind == .keyword(.class) }
    }
}

extension PatternBindingSyntax {
    /// Whether the binding has a getter. A property with only `willSet` and `didSet` is stored.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }

    /// Whether the declared type is an optional, whose default is `nil`.
    fileprivate var isOptional: Bool {
        guard let type = typeAnnotation?.type else { return false }
        if type.is(OptionalTypeSyntax.self) { return true }
        return type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    /// The effects of the getter, such as `async`.
    fileprivate var getterEffects: AccessorEffectSpecifiersSyntax? {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return nil }
        return accessors.compactMap(\.effectSpecifiers).first
    }
}
