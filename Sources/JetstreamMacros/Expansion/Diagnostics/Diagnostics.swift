import SwiftDiagnostics
import SwiftSyntax

extension Diagnostic {
    /// Creates a diagnostic for an error at a syntax node.
    init(_ mistake: ModelMistake, at node: some SyntaxProtocol, notes: [Note] = [], fixIts: [FixIt] = []) {
        self.init(
            node: node,
            position: node.positionAfterSkippingLeadingTrivia,
            message: mistake,
            notes: notes,
            fixIts: fixIts
        )
    }
}

/// The text of a fix-it or note.
struct ModelHint: FixItMessage, NoteMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "Jetstream", id: "fix-it") }
    var noteID: MessageID { MessageID(domain: "Jetstream", id: "note") }

    init(_ message: String) {
        self.message = message
    }
}

extension FixIt {
    /// Returns a fix-it that removes a node and the spaces after it, but no comments.
    static func remove(_ node: some SyntaxProtocol) -> FixIt {
        var end = node.endPositionBeforeTrailingTrivia
        for piece in node.trailingTrivia {
            guard case .spaces = piece else { break }
            end = end + piece.sourceLength
        }
        return .replacing(node, "", through: end, "remove '\(node.trimmedDescription)'")
    }

    /// Returns a fix-it that replaces a node with text.
    static func replace(_ node: some SyntaxProtocol, with text: String) -> FixIt {
        let message = "replace '\(node.trimmedDescription)' with '\(text)'"
        return .replacing(node, text, through: node.endPositionBeforeTrailingTrivia, message)
    }

    /// Returns a fix-it that adds an attribute before a declaration's other attributes.
    static func add(_ attribute: String, to declaration: some DeclSyntaxProtocol) -> FixIt {
        let start = declaration.positionAfterSkippingLeadingTrivia
        return FixIt(
            message: ModelHint("add '\(attribute)'"),
            changes: [.replaceText(range: start..<start, with: attribute + " ", in: Syntax(declaration))]
        )
    }

    /// Returns a fix-it that adds a default value to a property without one.
    static func addDefault(_ binding: PatternBindingSyntax) -> FixIt {
        let type = binding.typeAnnotation?.type
        let value = type?.is(ArrayTypeSyntax.self) == true ? "[]" : "<#value#>"
        let text = type == nil ? ": <#type#> = \(value)" : " = \(value)"
        let end = (type.map { Syntax($0) } ?? Syntax(binding.pattern)).endPositionBeforeTrailingTrivia
        return FixIt(
            message: ModelHint("add '\(text.drop { $0 == " " })'"),
            changes: [.replaceText(range: end..<end, with: text, in: Syntax(binding))]
        )
    }

    private static func replacing(
        _ node: some SyntaxProtocol,
        _ text: String,
        through end: AbsolutePosition,
        _ message: String
    ) -> FixIt {
        let range = node.positionAfterSkippingLeadingTrivia..<end
        return FixIt(message: ModelHint(message), changes: [.replaceText(range: range, with: text, in: Syntax(node))])
    }
}
