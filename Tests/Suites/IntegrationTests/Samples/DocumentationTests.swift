import Foundation
import TestSupport
import Testing

/// Every Swift block of the documentation is a sample that some test compiles.
@Suite("Documentation samples", .timeLimit(.minutes(5)))
struct DocumentationTests {
    @Test("every Swift block of the documentation is compiled, and every compiled sample is shown")
    func samples() throws {
        let problems = try DocumentationSamples.problems()
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        let counts = try DocumentationSamples.counts()
        #expect(counts.documents > 100 && counts.comments > 60 && counts.exempt <= 6, "\(counts)")
    }

    @Test("blocks in doc comments of public declarations and their requirements and cases are found")
    func comments() {
        let source = """
            /// A box.
            ///
            /// ```swift
            /// if isOpen {
            ///     shut()
            /// }
            /// ```
            @frozen
            public struct Box {
                /// ```swift
                /// internal()
                /// ```
                func fill() {}

                /// <!-- not compiled: a part of a statement -->
                /// ```swift
                /// catch {
                /// ```
                @discardableResult public func empty() -> Int { 0 }
            }

            /// ```swift
            /// package()
            /// ```
            package struct Lid {}

            public protocol Shape {
                /// ```swift
                /// requirement()
                /// ```
                var area: Double { get }
            }

            public enum Size {
                /// ```swift
                /// value()
                /// ```
                case large
            }

            /// ```swift
            /// expanded()
            /// ```
            @attached(
                member,
                names: named(init),
                named(deinit)
            )
            public macro Model() = #externalMacro(module: "Macros", type: "ModelMacro")

            enum Place {
                /// ```swift
                /// hidden()
                /// ```
                case here
            }
            """
        let blocks = DocumentationBlock.blocks(ofSwift: source.split(separator: "\n", omittingEmptySubsequences: false))
        #expect(
            blocks == [
                DocumentationBlock(line: 3, text: "if isOpen {\n    shut()\n}", isExempt: false),
                DocumentationBlock(line: 16, text: "catch {", isExempt: true),
                DocumentationBlock(line: 28, text: "requirement()", isExempt: false),
                DocumentationBlock(line: 35, text: "value()", isExempt: false),
                DocumentationBlock(line: 41, text: "expanded()", isExempt: false),
            ]
        )
    }

    @Test("the modules and products that Observability.md names are imported and in the manifest")
    func observabilityImports() throws {
        func text(of path: String) throws -> String {
            try String(contentsOf: SharedDocuments.package.appendingPathComponent(path), encoding: .utf8)
        }
        let article = try text(of: "Sources/HeliumKit/HeliumKit.docc/Observability.md").replacing("\n", with: " ")
        let samples = "Tests/Suites/IntegrationTests/Samples/ObservabilitySamples.swift"
        let lines = try text(of: samples).split(separator: "\n")
        let manifest = try text(of: "Package.swift")
        // "`CoreMetrics` (of swift-metrics)"
        let named = article.matches(of: /`(\w+)` \((?:product `\w+` )?of (swift-[a-z-]+)\)/)
        #expect(named.map { String($0.1) } == ["Logging", "CoreMetrics", "Tracing"])
        for (_, module, package) in named.map(\.output) {
            #expect(lines.contains("import \(module)"))
            #expect(manifest.contains(#"product(name: "\#(module)", package: "\#(package)")"#))
        }
    }
}
