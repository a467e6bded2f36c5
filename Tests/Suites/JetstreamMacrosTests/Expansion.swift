import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import JetstreamMacroExpansion

private enum MarkerMacro: MarkerExpansion {}
private enum ModelMacro: ModelExpansion {}
private enum ModelTrackedMacro: ModelTrackedExpansion {}

/// The macros as the compiler sees them.
enum Macros {
    /// All macros. `@Model` finds the conformance missing unless the class is a subclass of a model.
    static func all(isSubclass: Bool = false) -> [String: MacroSpec] {
        var specifications = Dictionary(
            uniqueKeysWithValues: Marker.allCases.map { ($0.rawValue, MacroSpec(type: MarkerMacro.self)) }
        )
        specifications["Model"] = MacroSpec(
            type: ModelMacro.self,
            conformances: isSubclass ? [] : ["ModelObject", "Observable"]
        )
        specifications["ModelTracked"] = MacroSpec(type: ModelTrackedMacro.self)
        return specifications
    }

    /// Expects that a source expands to another one, without a diagnostic.
    static func expect(
        _ source: String,
        expandsTo expanded: String,
        isSubclass: Bool = false,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        assertMacroExpansion(
            source,
            expandedSource: expanded,
            macroSpecs: all(isSubclass: isSubclass),
            failureHandler: { failure in
                let location = SourceLocation(
                    fileID: failure.location.fileID,
                    filePath: failure.location.filePath,
                    line: failure.location.line,
                    column: failure.location.column
                )
                Issue.record("\(failure.message)", sourceLocation: location)
            },
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }
}

/// A diagnostic of an expansion.
struct Finding {
    /// The source from the diagnostic's place on.
    let rest: Substring
    let message: String
    let notes: [String]
    /// The source after each fix-it, by the fix-it's message.
    let fixed: [String: String]

    /// The diagnostics of the macros in a source.
    static func all(in source: String, isSubclass: Bool = false) -> [Self] {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")]
        )
        _ = file.expand(
            macroSpecs: Macros.all(isSubclass: isSubclass),
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4)
        )
        return context.diagnostics.map { Self($0, in: source, context) }
    }

    private init(_ diagnostic: Diagnostic, in source: String, _ context: BasicMacroExpansionContext) {
        func offset(_ position: AbsolutePosition, _ node: Syntax) -> Int {
            context.location(for: position, anchoredAt: node, fileName: "").offset
        }
        let start = offset(diagnostic.position, diagnostic.node)
        rest = source[source.utf8.index(source.startIndex, offsetBy: start)...]
        message = diagnostic.message
        notes = diagnostic.notes.map(\.message)
        var fixed: [String: String] = [:]
        for fixIt in diagnostic.fixIts {
            var bytes = Array(source.utf8)
            for case .replaceText(let range, let text, let node) in fixIt.changes {
                bytes.replaceSubrange(offset(range.lowerBound, node)..<offset(range.upperBound, node), with: text.utf8)
            }
            fixed[fixIt.message.message] = String(decoding: bytes, as: UTF8.self)
        }
        self.fixed = fixed
    }
}
