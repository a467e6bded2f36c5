import Testing

/// A mistake in the body of a model, and what `@Model` reports for it.
struct PropertyMistake: Sendable, CustomTestStringConvertible {
    /// Declarations in the class.
    let body: String
    /// The start of the source that the diagnostic points at.
    let place: String
    let message: String
    /// The declarations after each fix-it.
    let fixed: [String: String]
    let testDescription: String
    let notes: [String]

    init(
        _ description: String,
        _ body: String,
        at place: String,
        _ message: String,
        notes: [String] = [],
        fixed: [String: String] = [:]
    ) {
        testDescription = description
        self.body = body
        self.place = place
        self.message = message
        self.notes = notes
        self.fixed = fixed
    }

    static let all: [Self] = declarations + names + attributes + composites

    // MARK: Declarations

    static let declarations: [Self] = [
        Self(
            "a constant",
            "let x = 0",
            at: "let x",
            "'x' must be a variable: the server sets a model's properties",
            fixed: ["replace 'let' with 'var'": "var x = 0", "add '@Ignored'": "@Ignored let x = 0"]
        ),
        Self(
            "no default",
            "var x: Double",
            at: "x: Double",
            "'x' needs a default value: objects from the server are created without arguments",
            fixed: ["add '= <#value#>'": "var x: Double = <#value#>", "add '@Ignored'": "@Ignored var x: Double"]
        ),
        Self(
            "no default of an array",
            "var list: [Shape]",
            at: "list",
            "'list' needs a default value: objects from the server are created without arguments",
            fixed: ["add '= []'": "var list: [Shape] = []", "add '@Ignored'": "@Ignored var list: [Shape]"]
        ),
        Self(
            "no default beside an observer",
            "var x: Int { didSet {} }",
            at: "x: Int",
            "'x' needs a default value: objects from the server are created without arguments",
            fixed: [
                "add '= <#value#>'": "var x: Int = <#value#> { didSet {} }",
                "add '@Ignored'": "@Ignored var x: Int { didSet {} }",
            ]
        ),
        Self(
            "neither type nor default",
            "var x",
            at: "x",
            "'x' needs a type and a default value",
            fixed: ["add ': <#type#> = <#value#>'": "var x: <#type#> = <#value#>", "add '@Ignored'": "@Ignored var x"]
        ),
        Self(
            "lazy",
            "lazy var x = 0",
            at: "lazy",
            "'x' can't be 'lazy': '@Model' makes its storage",
            fixed: ["remove 'lazy'": "var x = 0", "add '@Ignored'": "@Ignored lazy var x = 0"]
        ),
        Self(
            "unowned",
            "unowned var x: Shape",
            at: "unowned",
            "'x' can't be 'unowned': '@Model' makes its storage",
            fixed: ["remove 'unowned'": "var x: Shape", "add '@Ignored'": "@Ignored unowned var x: Shape"]
        ),
        Self(
            "an override",
            "override var x: Int = 0",
            at: "override",
            "'x' can't override a property: a model's property has one declaration"
        ),
        Self(
            "a tuple pattern",
            "var (x, y) = (0, 0)",
            at: "(x, y)",
            "a model's property must be declared by its name, not by a pattern"
        ),
        Self(
            "two properties in one declaration",
            "var x = 0, y = 0",
            at: "x = 0, y",
            "each property of a model needs a declaration of its own"
        ),
        Self(
            "a computed property",
            "var x: Int { 0 }",
            at: "x: Int",
            "'x' is computed: name the properties it depends on with '@Composite', or add '@Ignored'",
            fixed: [
                "add '@Composite(\\.<#property#>)'": "@Composite(\\.<#property#>) var x: Int { 0 }",
                "add '@Ignored'": "@Ignored var x: Int { 0 }",
            ]
        ),
        Self(
            "a property in a condition",
            "#if DEBUG\n    var x = 0\n    #endif",
            at: "#if",
            "a model's properties can't be in '#if': '@Model' does not see which branch is compiled"
        ),
    ]

    // MARK: Names

    static let names: [Self] = [
        Self(
            "a wire name that is another property's name",
            "var x = 0\n    @Key(\"x\") var y = 0",
            at: "\"x\"",
            "'y' has the same name on the wire as another property: 'x'",
            notes: ["'x' has this name on the wire"]
        ),
        Self(
            "a name that is another property's wire name",
            "@Key(\"y\") var x = 0\n    var y = 0",
            at: "y = 0",
            "'y' has the same name on the wire as another property: 'y'",
            notes: ["'x' has this name on the wire"]
        ),
        Self(
            "a name of every model's",
            "var scope = 0",
            at: "scope",
            "'scope' is a member of every model; choose another name, and keep this one on the wire with '@Key'"
        ),
        Self(
            "a name of another property's storage",
            "var x = 0\n    var _x = 0",
            at: "_x",
            "'_x' is the name of the storage that '@Model' makes for 'x'; "
                + "choose another name, and keep this one on the wire with '@Key'"
        ),
        Self(
            "a name of a later property's storage",
            "var _x = 0\n    var x = 0\n    @Composite(\\.x) var y: Int { x }",
            at: "_x",
            "'_x' is the name of the storage that '@Model' makes for 'x'; "
                + "choose another name, and keep this one on the wire with '@Key'"
        ),
        Self(
            "an ignored property with the name of a storage",
            "var x = 0\n    @Ignored private var _x = 0",
            at: "_x",
            "'_x' is the name of the storage that '@Model' makes for 'x'; choose another name"
        ),
        Self(
            "a function with the name of a storage",
            "var x = 0\n    func _x() {}",
            at: "_x",
            "'_x' is the name of the storage that '@Model' makes for 'x'; choose another name"
        ),
        Self("an empty wire name", "@Key(\"\") var x = 0", at: "\"\"", "the name in '@Key' is empty"),
        Self(
            "an interpolated wire name",
            "@Key(\"a\\(1)\") var x = 0",
            at: "\"a",
            "'@Key' needs a string literal without interpolation"
        ),
        Self(
            "a wire name from elsewhere",
            "@Key(name) var x = 0",
            at: "name",
            "'@Key' needs a string literal without interpolation"
        ),
    ]

    // MARK: Attributes

    static let attributes: [Self] = [
        Self(
            "an attribute twice",
            "@Local @Local var x = 0",
            at: "@Local var",
            "'@Local' is already applied to this declaration",
            fixed: ["remove '@Local'": "@Local var x = 0"]
        ),
        Self(
            "local with a wire name",
            "@Local @Key(\"y\") var x = 0",
            at: "@Key",
            "'@Key' has no effect together with '@Local': a local property is never sent",
            fixed: ["remove '@Key(\"y\")'": "@Local var x = 0"]
        ),
        Self(
            "local with an interval",
            "@MinSyncInterval(1) @Local var x = 0",
            at: "@MinSyncInterval",
            "'@MinSyncInterval' has no effect together with '@Local': a local property is never sent",
            fixed: ["remove '@MinSyncInterval(1)'": "@Local var x = 0"]
        ),
        Self(
            "ignored and local",
            "@Ignored @Local var x = 0",
            at: "@Local",
            "'@Local' has no effect together with '@Ignored': an ignored property is not part of the model",
            fixed: ["remove '@Local'": "@Ignored var x = 0"]
        ),
        Self(
            "ignored with a wire name",
            "@Ignored @Key(\"y\") var x = 0",
            at: "@Key",
            "'@Key' has no effect together with '@Ignored': an ignored property is not part of the model",
            fixed: ["remove '@Key(\"y\")'": "@Ignored var x = 0"]
        ),
        Self(
            "ignored with an interval",
            "@Ignored @MinSyncInterval(1) var x = 0",
            at: "@MinSyncInterval",
            "'@MinSyncInterval' has no effect together with '@Ignored': an ignored property is not part of the model",
            fixed: ["remove '@MinSyncInterval(1)'": "@Ignored var x = 0"]
        ),
        Self(
            "an attribute of a static property",
            "@Local static var x = 0",
            at: "@Local",
            "'@Local' can't be applied to a static property, which is not part of the model",
            fixed: ["remove '@Local'": "static var x = 0"]
        ),
        Self(
            "an attribute of a class property",
            "@Key(\"y\") class var x: Int { 0 }",
            at: "@Key",
            "'@Key' can't be applied to a class property, which is not part of the model",
            fixed: ["remove '@Key(\"y\")'": "class var x: Int { 0 }"]
        ),
        Self(
            "an interval of zero",
            "@MinSyncInterval(0) var x = 0",
            at: "0)",
            "the interval 0 is not greater than 0; leave '@MinSyncInterval' out to send every change"
        ),
        Self(
            "a negative interval",
            "@MinSyncInterval(-0.5) var x = 0",
            at: "-0.5",
            "the interval -0.5 is not greater than 0; leave '@MinSyncInterval' out to send every change"
        ),
        Self(
            "an infinite interval",
            "@MinSyncInterval(1e999) var x = 0",
            at: "1e999",
            "the interval 1e999 is not a number of seconds"
        ),
        Self(
            "an interval from elsewhere",
            "@MinSyncInterval(interval) var x = 0",
            at: "interval)",
            "'@MinSyncInterval' needs a number of seconds as a literal"
        ),
        Self(
            "an attribute of a function",
            "@Local func x() {}",
            at: "@Local",
            "'@Local' can only be applied to a property of a model",
            fixed: ["remove '@Local'": "func x() {}"]
        ),
    ]

    // MARK: Composites

    static let composites: [Self] = [
        Self(
            "composite of nothing",
            "@Composite() var x: Int { 0 }",
            at: "@Composite",
            "'@Composite' needs the properties that the value depends on, such as '@Composite(\\.width, \\.height)'"
        ),
        Self(
            "a stored composite",
            "var y = 0\n    @Composite(\\.y) var x = 0",
            at: "@Composite",
            "'@Composite' needs a computed property, but 'x' is stored",
            fixed: ["remove '@Composite(\\.y)'": "var y = 0\n    var x = 0"]
        ),
        Self(
            "a composite that throws",
            "var y = 0\n    @Composite(\\.y) var x: Int { get throws { 0 } }",
            at: "throws",
            "the getter of the composite property 'x' can't be 'async' or throw"
        ),
        Self(
            "a dependency that is not a key path",
            "@Composite(y) var x: Int { 0 }",
            at: "y)",
            "'y' is not the key path of a property of the same object, such as '\\.width'"
        ),
        Self(
            "a dependency on another object's property",
            "var y: Shape?\n    @Composite(\\.y?.x) var x: Int { 0 }",
            at: "\\.y?.x",
            "'\\.y?.x' is not the key path of a property of the same object, such as '\\.width'"
        ),
        Self(
            "a dependency twice",
            "var y = 0\n    @Composite(\\.y, \\.y) var x: Int { 0 }",
            at: "\\.y)",
            "'y' is already named in this '@Composite'"
        ),
        Self(
            "an unknown dependency",
            "@Composite(\\.y) var x: Int { 0 }",
            at: "\\.y",
            "the model has no property 'y'"
        ),
        Self(
            "an ignored dependency",
            "@Ignored var y = 0\n    @Composite(\\.y) var x: Int { 0 }",
            at: "\\.y",
            "changes of 'y' are not observed, because it is not part of the model"
        ),
        Self(
            "a dependency on itself",
            "@Composite(\\.x) var x: Int { 0 }",
            at: "\\.x",
            "'x' can't depend on itself"
        ),
        Self(
            "composite and local",
            "var y = 0\n    @Composite(\\.y) @Local var x: Int { y }",
            at: "@Local",
            "'@Local' has no effect together with '@Composite': a composite property is never sent",
            fixed: ["remove '@Local'": "var y = 0\n    @Composite(\\.y) var x: Int { y }"]
        ),
        Self(
            "composite with a wire name",
            "var y = 0\n    @Composite(\\.y) @Key(\"z\") var x: Int { y }",
            at: "@Key",
            "'@Key' has no effect together with '@Composite': a composite property is never sent",
            fixed: ["remove '@Key(\"z\")'": "var y = 0\n    @Composite(\\.y) var x: Int { y }"]
        ),
        Self(
            "composite with an interval",
            "var y = 0\n    @Composite(\\.y) @MinSyncInterval(1) var x: Int { y }",
            at: "@MinSyncInterval",
            "'@MinSyncInterval' has no effect together with '@Composite': a composite property is never sent",
            fixed: ["remove '@MinSyncInterval(1)'": "var y = 0\n    @Composite(\\.y) var x: Int { y }"]
        ),
        Self(
            "ignored and composite",
            "var y = 0\n    @Ignored @Composite(\\.y) var x: Int { y }",
            at: "@Composite",
            "'@Composite' has no effect together with '@Ignored': an ignored property is not part of the model",
            fixed: ["remove '@Composite(\\.y)'": "var y = 0\n    @Ignored var x: Int { y }"]
        ),
    ]
}

/// The diagnostics of properties: each at its token, once.
@Suite("Mistakes in a model's properties", .timeLimit(.minutes(5)))
struct PropertyDiagnosticTests {
    @Test(
        "each mistake in a model's property is reported once, at its position, with fix-its",
        arguments: PropertyMistake.all
    )
    func mistakes(_ mistake: PropertyMistake) throws {
        func source(_ body: String) -> String { "@Model final class Shape {\n    \(body)\n}" }
        let findings = try Finding.all(in: source(mistake.body))
        try #require(findings.count == 1, "\(findings.map(\.message))")
        #expect(findings[0].message == mistake.message)
        #expect(findings[0].rest.hasPrefix(mistake.place), "points at: \(findings[0].rest.prefix(40))")
        #expect(findings[0].notes == mistake.notes)
        #expect(findings[0].fixed == mistake.fixed.mapValues(source))
    }

    @Test(
        "a correct property of a model has no diagnostics",
        arguments: [
            "var x = 0.0", "var x: Shape?", "var x: Optional<Int>", "var x: [Shape] = []", "var x = 0 { didSet {} }",
            "private(set) var x = 0", "@Key(\"y\") var x = 0", "@Local var x = 0", "@Ignored let x = 0",
            "@Ignored lazy var x = 0", "@Ignored weak var x: Shape?", "@Ignored var x: Int { 0 }",
            "@Ignored var (x, y) = (0, 0)",
            "static let x = 0", "static var x: Int { 0 }", "class var x: Int { 0 }",
            "var x = 0; @Composite(\\.x) var y: Int { x }",
            "@MinSyncInterval(0.05) var x = 0", "@MinSyncInterval(1_0) @Key(\"y\") var x = 0", "var `default` = 0",
            "@Key(\"y\") var x = 0; @Key(\"x\") var y = 0",
            "#if DEBUG\n    func x() {}\n    static var y = 0\n    #endif",
            "@Jetstream.Local var x = 0", "@Other.Local var x: Int = 0",
            "var x = 0; static let _x = 0; func _x(_ y: Int) {}; func _y() {}", "var _x = 0",
            "@Composite(\\.y) var x: Int { y }; var y = 0; @Ignored var _x = 0",
            "func x() {}; struct Y { let z: Int }; init(uuid: ModelID) { modelNode.identify(uuid) }",
        ]
    )
    func correct(_ body: String) throws {
        #expect(try Finding.all(in: "@Model final class Shape {\n    \(body)\n}").map(\.message) == [])
    }

    @Test("a subclass may depend on its superclass's properties")
    func inheritedDependency() throws {
        let source =
            "@Model final class Square: Shape {\n    @Composite(\\.width) var area: Double { width * width }\n}"
        #expect(try Finding.all(in: source, isSubclass: true).map(\.message) == [])
    }
}
