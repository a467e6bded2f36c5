import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

extension ExpansionResult {
    /// Expands the macros of a source as the compiler does.
    init(of request: ExpansionRequest) {
        let file = Parser.parse(source: request.source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")]
        )
        let expanded = file.expand(
            macroSpecs: Self.macros(isSubclass: request.isSubclass),
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4)
        )
        let errors = ParseDiagnosticsGenerator.diagnostics(for: expanded)
        source = expanded.description
        syntaxErrors = errors.isEmpty ? nil : DiagnosticsFormatter.annotatedSource(tree: expanded, diags: errors)
        diagnostics = context.diagnostics.map { .init($0, in: request.source, context) }
    }

    /// All macros. `@Model` finds the conformance missing unless the class is a subclass of a model.
    private static func macros(isSubclass: Bool) -> [String: MacroSpec] {
        var macros = Dictionary(
            uniqueKeysWithValues: Marker.allCases.map { ($0.rawValue, MacroSpec(type: MarkerMacro.self)) }
        )
        macros["Model"] = MacroSpec(
            type: ModelMacro.self,
            conformances: isSubclass ? [] : ["ModelObject", "Observable"]
        )
        macros["ModelTracked"] = MacroSpec(type: ModelTrackedMacro.self)
        return macros
    }
}

extension ExpansionResult.Diagnostic {
    fileprivate init(
        _ diagnostic: SwiftDiagnostics.Diagnostic,
        in source: String,
        _ context: BasicMacroExpansionContext
    ) {
        func offset(_ position: AbsolutePosition, _ node: Syntax) -> Int {
            context.location(for: position, anchoredAt: node, fileName: "").offset
        }
        var fixed: [String: String] = [:]
        for fixIt in diagnostic.fixIts {
            var bytes = Array(source.utf8)
            for case .replaceText(let range, let text, let node) in fixIt.changes {
                bytes.replaceSubrange(offset(range.lowerBound, node)..<offset(range.upperBound, node), with: text.utf8)
            }
            fixed[fixIt.message.message] = String(decoding: bytes, as: UTF8.self)
        }
        self.init(
            offset: offset(diagnostic.position, diagnostic.node),
            message: diagnostic.message,
            notes: diagnostic.notes.map(\.message),
            fixed: fixed
        )
    }
}
