import Testing

/// A mistake in a declaration with `@Model`, and what is reported for it.
struct ClassMistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let source: String
    /// The start of the source that the diagnostic points at.
    let place: String
    let message: String
    /// The source after each fix-it.
    let fixed: [String: String]
    /// Whether the compiler finds no conformance missing.
    let conforms: Bool

    init(
        _ description: String,
        _ source: String,
        at place: String,
        _ message: String,
        fixed: [String: String] = [:],
        conforms: Bool = false
    ) {
        testDescription = description
        self.source = source
        self.place = place
        self.message = message
        self.fixed = fixed
        self.conforms = conforms
    }

    static let all: [Self] = kinds + conformances + initializers + actors + classNames + attributes

    static let kinds: [Self] = [
        Self(
            "a struct",
            "@Model struct Shape { var x = 0 }",
            at: "struct",
            "'@Model' needs a class, but 'Shape' is a struct",
            fixed: ["replace 'struct' with 'final class'": "@Model final class Shape { var x = 0 }"]
        ),
        Self("an enum", "@Model enum Shape {}", at: "enum", "'@Model' needs a class, but 'Shape' is an enum"),
        Self("an actor", "@Model actor Shape {}", at: "actor", "'@Model' needs a class, but 'Shape' is an actor"),
        Self(
            "a protocol",
            "@Model protocol Shape {}",
            at: "protocol",
            "'@Model' needs a class, but 'Shape' is a protocol"
        ),
        Self(
            "@Model twice",
            "@Model @Model final class Shape {}",
            at: "@Model final",
            "'@Model' is already applied to this class",
            fixed: ["remove '@Model'": "@Model final class Shape {}"]
        ),
        Self(
            "a generic class",
            "@Model final class Box<Value> {}",
            at: "<Value>",
            "a model can't be generic: 'Box' has one class name and one list of properties on the wire"
        ),
        Self(
            "a class in a generic type",
            "struct Outer<Value> { @Model final class Shape {} }",
            at: "Shape {}",
            "a model can't be declared in the generic type 'Outer', which makes it generic too"
        ),
        Self(
            "a class in a function",
            "func make() { @Model final class Shape {} }",
            at: "Shape {}",
            "a model can't be declared in a function; declare it in the file or in a type"
        ),
        Self(
            "a class that is private to a type",
            "enum Scene { @Model private final class Shape {} }",
            at: "private",
            "a model in a type can't be 'private': its conformance is written outside of that type",
            fixed: ["replace 'private' with 'fileprivate'": "enum Scene { @Model fileprivate final class Shape {} }"]
        ),
        Self(
            "a class in a type that is private to a type",
            "enum Scene { private enum Part { @Model final class Shape {} } }",
            at: "Shape {}",
            "a model can't be declared in 'Part', which is private to its type; use 'fileprivate' there"
        ),
    ]

    static let conformances: [Self] = [
        Self(
            "the conformance in the class",
            "@Model final class Shape: ModelObject {}",
            at: "ModelObject",
            "'@Model' adds the conformance to 'ModelObject'; remove the one that is written here",
            conforms: true
        ),
        Self(
            "the conformance on an actor",
            "@MainActor @Model final class Shape: Hashable, @MainActor JetstreamCore.ModelObject {}",
            at: "@MainActor JetstreamCore",
            "'@Model' adds the conformance to 'ModelObject'; remove the one that is written here",
            conforms: true
        ),
        Self(
            "the conformance in an extension",
            "@Model final class Shape {}\nextension Shape: ModelObject {}",
            at: "Shape {}",
            "'@Model' adds the conformance to 'ModelObject'; remove the extension that makes 'Shape' conform",
            conforms: true
        ),
    ]

    static let initializers: [Self] = [
        Self(
            "an initializer that forgets the identifier",
            "@Model final class Shape { init(uuid: ModelID) {} }",
            at: "init",
            "call 'modelNode.identify(uuid)' in 'init(uuid:)', or leave the initializer out: '@Model' makes one"
        )
    ]

    static let actors: [Self] = [
        Self(
            "'on:' without a type",
            "@Studio @Model(on: studio) final class Shape {}",
            at: "studio",
            "'on:' needs the type of a global actor, such as 'MainActor.self'"
        ),
        Self(
            "'on:' beside an attribute that is found",
            "@MainActor @Model(on: MainActor.self) final class Shape {}",
            at: "MainActor.self",
            "the class already has the attribute '@MainActor'; remove 'on:'"
        ),
        Self(
            "'on:' without the attribute",
            "@Model(on: Studio.self) final class Shape {}",
            at: "Studio.self",
            "'on:' repeats the class's global actor, which is missing; add '@Studio' to the class",
            fixed: ["add '@Studio'": "@Studio @Model(on: Studio.self) final class Shape {}"]
        ),
    ]

    static let classNames: [Self] = [
        Self(
            "an empty name",
            "@Model @ClassName(\"\") final class Shape {}",
            at: "\"\"",
            "the name in '@ClassName' is empty"
        ),
        Self(
            "a name with a dot",
            "@Model @ClassName(\"App.Shape\") final class Shape {}",
            at: "\"App.Shape\"",
            "a class name on the wire can't contain '.', which separates it from a procedure's name"
        ),
        Self(
            "a name from elsewhere",
            "@Model @ClassName(name) final class Shape {}",
            at: "name)",
            "'@ClassName' needs a string literal without interpolation"
        ),
        Self(
            "a name twice",
            "@Model @ClassName(\"A\") @ClassName(\"B\") final class Shape {}",
            at: "@ClassName(\"B\")",
            "'@ClassName' is already applied to this declaration",
            fixed: ["remove '@ClassName(\"B\")'": "@Model @ClassName(\"A\") final class Shape {}"]
        ),
    ]

    static let attributes: [Self] = [
        Self(
            "a class name without @Model",
            "@ClassName(\"A\") final class Shape {}",
            at: "@ClassName",
            "'@ClassName' has no effect on a class without '@Model'",
            fixed: ["remove '@ClassName(\"A\")'": "final class Shape {}"]
        ),
        Self(
            "a property of another class",
            "final class Shape { @Local var x = 0 }",
            at: "@Local",
            "'@Local' has no effect outside a class with '@Model'",
            fixed: ["remove '@Local'": "final class Shape { var x = 0 }"]
        ),
        Self(
            "a variable of the file",
            "@Key(\"y\") var x = 0",
            at: "@Key",
            "'@Key' has no effect outside a class with '@Model'",
            fixed: ["remove '@Key(\"y\")'": "var x = 0"]
        ),
        Self(
            "a property in an extension",
            "@Model final class Shape { var x = 0 }\nextension Shape { @Composite(\\.x) var y: Int { x } }",
            at: "@Composite",
            "'@Composite' has no effect in an extension; move the property into the class",
            fixed: [
                "remove '@Composite(\\.x)'":
                    "@Model final class Shape { var x = 0 }\nextension Shape { var y: Int { x } }"
            ]
        ),
    ]
}

/// The diagnostics of declarations with `@Model`: each at its token, once.
@Suite("Mistakes in a model's declaration", .timeLimit(.minutes(5)))
struct ClassDiagnosticTests {
    @Test(
        "each mistake in a model's declaration is reported once, at its position, with fix-its",
        arguments: ClassMistake.all
    )
    func mistakes(_ mistake: ClassMistake) throws {
        let findings = try Finding.all(in: mistake.source, isSubclass: mistake.conforms)
        try #require(findings.count == 1, "\(findings.map(\.message))")
        #expect(findings[0].message == mistake.message)
        #expect(findings[0].rest.hasPrefix(mistake.place), "points at: \(findings[0].rest.prefix(40))")
        #expect(findings[0].fixed == mistake.fixed)
    }

    @Test(
        "a correct declaration of a model has no diagnostics",
        arguments: [
            "@Model final class Shape {}", "@Model class Shape: Hashable {}", "@MainActor @Model public class Shape {}",
            "@Studio @Model(on: Studio.self) class Shape {}", "@App.Studio @Model(on: Studio.self) class Shape {}",
            "@Model @ClassName(\"Other\") class Shape {}", "struct Outer { @Model class Shape {} }",
            "extension Outer { @Model class Shape {} }",
            // The compiler reports this one.
            "@Model extension Shape {}",
            "@Model private class Shape {}", "private enum Scene { @Model class Shape {} }", "@Model class `Self` {}",
        ]
    )
    func correct(_ source: String) throws {
        #expect(try Finding.all(in: source).map(\.message) == [])
    }

    @Test("a class that cannot be a model gets no members, and no diagnostics of its properties")
    func nothingGenerated() throws {
        let findings = try Finding.all(in: "@Model actor Shape { @Local var x = 0 }")
        #expect(findings.map(\.message) == ["'@Model' needs a class, but 'Shape' is an actor"])
    }
}
