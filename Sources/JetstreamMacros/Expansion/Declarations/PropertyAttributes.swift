import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// The attributes of a property, read and checked.
struct PropertyAttributes {
    /// A name in the arguments of `@Composite`.
    struct Dependency {
        /// The name without backticks.
        var name: String
        /// The name as written in source code.
        var spelling: String
        var node: Syntax
    }

    /// The argument of `@Key`.
    struct WireName {
        var value: String
        var literal: StringLiteralExprSyntax
    }

    private(set) var key: WireName?
    var dependencies: [Dependency] = []
    private(set) var minSyncInterval: ExprSyntax?
    private var nodes: [(marker: Marker, node: AttributeSyntax)] = []

    var isLocal: Bool { has(.local) }
    var isIgnored: Bool { has(.ignored) }
    var isComposite: Bool { has(.composite) }
    /// The first attribute that is only valid on a property of a model.
    var first: (marker: Marker, node: AttributeSyntax)? { nodes.first }

    /// Reads the attributes of a declaration. Attributes with errors are left out.
    init(_ declaration: VariableDeclSyntax, _ mistakes: inout [Diagnostic]) {
        for attribute in declaration.attributes.plain {
            guard let marker = Marker(attribute), marker != .className else { continue }
            guard !has(marker) else {
                mistakes.append(.init(.twice(marker), at: attribute, fixIts: [.remove(attribute)]))
                continue
            }
            nodes.append((marker, attribute))
            switch marker {
            case .key: key = Self.wireName(attribute, &mistakes)
            case .composite: dependencies = Self.dependencies(attribute, &mistakes)
            case .minSyncInterval: minSyncInterval = Self.interval(attribute, &mistakes)
            case .local, .ignored, .className: break
            }
        }
        checkPairs(&mistakes)
    }

    /// Returns the attribute for a marker; `nil` if there is none.
    func first(_ marker: Marker) -> AttributeSyntax? { nodes.first { $0.marker == marker }?.node }

    private func has(_ marker: Marker) -> Bool { nodes.contains { $0.marker == marker } }

    // MARK: Pairs

    /// The pairs of attributes that contradict each other, with the reason.
    private static let contradictions: [(one: Marker, other: Marker, reason: String)] = [
        (.ignored, .local, "an ignored property is not part of the model"),
        (.ignored, .key, "an ignored property is not part of the model"),
        (.ignored, .composite, "an ignored property is not part of the model"),
        (.ignored, .minSyncInterval, "an ignored property is not part of the model"),
        (.composite, .local, "a composite property is never sent"),
        (.composite, .key, "a composite property is never sent"),
        (.composite, .minSyncInterval, "a composite property is never sent"),
        (.local, .key, "a local property is never sent"),
        (.local, .minSyncInterval, "a local property is never sent"),
    ]

    private func checkPairs(_ mistakes: inout [Diagnostic]) {
        // One error for each superfluous attribute.
        var reported: [Marker] = []
        for (one, other, reason) in Self.contradictions where has(one) && !reported.contains(other) {
            guard let node = first(other) else { continue }
            reported.append(other)
            mistakes.append(.init(.contradiction(one, other, reason), at: node, fixIts: [.remove(node)]))
        }
    }

    // MARK: Arguments

    private static func wireName(_ attribute: AttributeSyntax, _ mistakes: inout [Diagnostic]) -> WireName? {
        guard let argument = attribute.argumentList.first?.expression else { return nil }
        guard let literal = argument.as(StringLiteralExprSyntax.self), let value = literal.representedLiteralValue
        else {
            mistakes.append(.init(.notALiteral(.key), at: argument))
            return nil
        }
        guard !value.isEmpty else {
            mistakes.append(.init(.emptyName(.key), at: argument))
            return nil
        }
        return WireName(value: value, literal: literal)
    }

    private static func dependencies(_ attribute: AttributeSyntax, _ mistakes: inout [Diagnostic]) -> [Dependency] {
        guard !attribute.argumentList.isEmpty else {
            mistakes.append(.init(.compositeOfNothing, at: attribute))
            return []
        }
        var dependencies: [Dependency] = []
        for argument in attribute.argumentList {
            guard let spelling = argument.expression.as(KeyPathExprSyntax.self)?.singleProperty else {
                mistakes.append(.init(.notAKeyPath(argument.expression.trimmedDescription), at: argument.expression))
                continue
            }
            let name = spelling.plainText
            guard !dependencies.contains(where: { $0.name == name }) else {
                mistakes.append(.init(.dependencyTwice(name), at: argument.expression))
                continue
            }
            dependencies.append(Dependency(name: name, spelling: spelling.text, node: Syntax(argument.expression)))
        }
        return dependencies
    }

    private static func interval(_ attribute: AttributeSyntax, _ mistakes: inout [Diagnostic]) -> ExprSyntax? {
        guard let argument = attribute.argumentList.first?.expression else { return nil }
        let value =
            argument.as(FloatLiteralExprSyntax.self)?.representedLiteralValue
            ?? argument.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue.map(Double.init)
        let isNegated = argument.as(PrefixOperatorExprSyntax.self).map { $0.operator.text == "-" } ?? false
        guard isNegated || value != nil else {
            mistakes.append(.init(.notALiteral(.minSyncInterval), at: argument))
            return nil
        }
        if let value, !value.isFinite {
            mistakes.append(.init(.intervalNotFinite(argument.trimmedDescription), at: argument))
            return nil
        }
        guard let value, value > 0 else {
            mistakes.append(.init(.intervalNotPositive(argument.trimmedDescription), at: argument))
            return nil
        }
        return argument.trimmed
    }
}

extension KeyPathExprSyntax {
    /// The name in `\.name`; `nil` for other key paths.
    fileprivate var singleProperty: TokenSyntax? {
        guard root == nil, components.count == 1, case .property(let property) = components.first?.component else {
            return nil
        }
        guard property.genericArgumentClause == nil, property.declName.argumentNames == nil else { return nil }
        return property.declName.baseName
    }
}
