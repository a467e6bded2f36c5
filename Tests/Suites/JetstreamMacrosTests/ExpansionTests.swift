import Testing

/// The expansions of the macros, each against the whole text.
@Suite("Expansions of @Model", .timeLimit(.minutes(5)))
struct ExpansionTests {
    @Test("@Model adds storage, accessors, schema, node, initializers, a deinitializer and the conformance")
    func wholeClass() throws {
        try Macros.expect(
            #"""
            @Model
            final class Shape {
                var x: Double = 0
                var next: Shape?
            }
            """#,
            expandsTo: #"""
                final class Shape {
                    var x: Double {
                        get {
                            modelNode.access(self, \Shape.x)
                            return _x
                        }
                        set {
                            modelNode.mutate(self, \Shape.x, in: Shape._modelSchema, at: 0, from: _x, to: newValue) {
                                _x = newValue
                            }
                        }
                    }

                    private var _x: Double = 0
                    var next: Shape? {
                        get {
                            modelNode.access(self, \Shape.next)
                            return _next
                        }
                        set {
                            modelNode.mutate(self, \Shape.next, in: Shape._modelSchema, at: 1, from: _next, to: newValue) {
                                _next = newValue
                            }
                        }
                    }

                    private var _next: Shape?

                    private static let _modelSchema = JetstreamCore.ModelSchema("Shape", of: Shape.self) {
                        [
                            .stored("x", \Shape.x, get: {
                                    $0._x
                                }, set: {
                                    $0.x = $1
                                }),
                            .stored("next", \Shape.next, get: {
                                    $0._next
                                }, set: {
                                    $0.next = $1
                                }),
                        ]
                    }

                    class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }

                    let modelNode = JetstreamCore.ModelNode()

                    init() {
                    }

                    required init(uuid: JetstreamCore.ModelID) {
                        modelNode.identify(uuid)
                    }

                    deinit {
                        JetstreamCore.ModelTeardown.release(&_next)
                    }
                }

                extension Shape: JetstreamCore.ModelObject {
                }
                """#
        )
    }

    @Test("a weak property of a model has weak storage, and is not torn down")
    func weakProperty() throws {
        try Macros.expect(
            """
            @Model
            final class Branch {
                @Local weak var parent: Branch?
            }
            """,
            expandsTo: #"""
                final class Branch {
                    weak var parent: Branch? {
                        get {
                            modelNode.access(self, \Branch.parent)
                            return _parent
                        }
                        set {
                            modelNode.mutate(self, \Branch.parent, in: Branch._modelSchema, at: 0, from: _parent, to: newValue) {
                                _parent = newValue
                            }
                        }
                    }

                    private weak var _parent: Branch?

                    private static let _modelSchema = JetstreamCore.ModelSchema("Branch", of: Branch.self) {
                        [
                            .stored("parent", \Branch.parent, get: {
                                    $0._parent
                                }, set: {
                                    $0.parent = $1
                                }, attributes: .init(isLocal: true, isWeak: true)),
                        ]
                    }

                    class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }

                    let modelNode = JetstreamCore.ModelNode()

                    init() {
                    }

                    required init(uuid: JetstreamCore.ModelID) {
                        modelNode.identify(uuid)
                    }
                }

                extension Branch: JetstreamCore.ModelObject {
                }
                """#
        )
    }

    @Test("attributes of a model's properties go into the schema, in the order of declaration")
    func attributes() throws {
        try Macros.expect(
            #"""
            @Model @ClassName("Box")
            class Shape {
                @Key("w") var width = 1.0
                @Composite(\.width, \.`in`) var area: Double { width * `in` }
                @MinSyncInterval(0.05) var `in` = 1.0
                @Local private(set) var isSelected = false
                @Ignored var count = 0
                static let limit = 10
            }
            """#,
            expandsTo: #"""
                class Shape {
                    var width {
                        get {
                            modelNode.access(self, \Shape.width)
                            return _width
                        }
                        set {
                            modelNode.mutate(self, \Shape.width, in: Shape._modelSchema, at: 0, from: _width, to: newValue) {
                                _width = newValue
                            }
                        }
                    }

                    private var _width = 1.0
                    var area: Double { width * `in` }
                    var `in` {
                        get {
                            modelNode.access(self, \Shape.`in`)
                            return _in
                        }
                        set {
                            modelNode.mutate(self, \Shape.`in`, in: Shape._modelSchema, at: 2, from: _in, to: newValue) {
                                _in = newValue
                            }
                        }
                    }

                    private var _in = 1.0
                    private(set) var isSelected {
                        get {
                            modelNode.access(self, \Shape.isSelected)
                            return _isSelected
                        }
                        set {
                            modelNode.mutate(self, \Shape.isSelected, in: Shape._modelSchema, at: 3, from: _isSelected, to: newValue) {
                                _isSelected = newValue
                            }
                        }
                    }

                    private var _isSelected = false
                    var count = 0
                    static let limit = 10

                    private static let _modelSchema = JetstreamCore.ModelSchema("Box", of: Shape.self) {
                        [
                            .stored("w", \Shape.width, get: {
                                    $0._width
                                }, set: {
                                    $0.width = $1
                                }, declaredAs: "width"),
                            .composite("area", \Shape.area, of: ["width": \Shape.width, "in": \Shape.`in`]),
                            .stored("in", \Shape.`in`, get: {
                                    $0._in
                                }, set: {
                                    $0.`in` = $1
                                }, attributes: .init(minSyncInterval: 0.05)),
                            .stored("isSelected", \Shape.isSelected, get: {
                                    $0._isSelected
                                }, set: {
                                    $0.isSelected = $1
                                }, attributes: .init(isLocal: true)),
                        ]
                    }

                    class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }

                    let modelNode = JetstreamCore.ModelNode()

                    init() {
                    }

                    required init(uuid: JetstreamCore.ModelID) {
                        modelNode.identify(uuid)
                    }
                }

                extension Shape: JetstreamCore.ModelObject {
                }
                """#
        )
    }

    @Test(
        "members of a model have the access of the class, and may be overridden in an open one",
        arguments: [
            ("open", "open ", "public "), ("public", "public ", "public "), ("package", "package ", "package "),
            ("internal", "", ""), ("fileprivate", "", ""), ("private", "", ""),
        ]
    )
    func access(_ level: String, _ schema: String, _ members: String) throws {
        try Macros.expect(
            "@Model\n\(level) class Empty {\n}",
            expandsTo: """
                \(level) class Empty {

                    private static let _modelSchema = JetstreamCore.ModelSchema("Empty", of: Empty.self) {
                        []
                    }

                    \(schema)class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }

                    \(members)let modelNode = JetstreamCore.ModelNode()

                    \(members)init() {
                    }

                    \(members)required init(uuid: JetstreamCore.ModelID) {
                        modelNode.identify(uuid)
                    }
                }

                extension Empty: JetstreamCore.ModelObject {
                }
                """
        )
    }

    @Test(
        "the conformance of a model is isolated as the class is",
        arguments: [
            ("@MainActor", "@Model", "@MainActor "), ("@App.StudioActor", "@Model", "@App.StudioActor "),
            ("@Studio", "@Model(on: Studio.self)", "@Studio "), ("@Studio", "@Model", ""),
            ("nonisolated", "@Model", "nonisolated "),
        ]
    )
    func isolation(_ attribute: String, _ model: String, _ conformance: String) throws {
        try Macros.expect(
            attribute.hasPrefix("@")
                ? "\(attribute)\n\(model)\nfinal class Empty {\n}" : "\(model)\n\(attribute)\nfinal class Empty {\n}",
            expandsTo: """
                \(attribute)
                final class Empty {

                    private static let _modelSchema = JetstreamCore.ModelSchema("Empty", of: Empty.self) {
                        []
                    }

                    class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }

                    let modelNode = JetstreamCore.ModelNode()

                    init() {
                    }

                    required init(uuid: JetstreamCore.ModelID) {
                        modelNode.identify(uuid)
                    }
                }

                extension Empty: \(conformance)JetstreamCore.ModelObject {
                }
                """
        )
    }

    @Test("a subclass of a model overrides the schema, names its superclass and has no node of its own")
    func subclass() throws {
        try Macros.expect(
            "@Model\npublic class Circle: Shapes.Shape, Hashable {\n    @Composite(\\.x) var y: Double { x }\n}",
            expandsTo: #"""
                public class Circle: Shapes.Shape, Hashable {
                    var y: Double { x }

                    private static let _modelSchema = JetstreamCore.ModelSchema("Circle", of: Circle.self, super: Shapes.Shape.modelSchema) {
                        [
                            .composite("y", \Circle.y, of: ["x": \Circle.x]),
                        ]
                    }

                    public override class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }
                }
                """#,
            isSubclass: true
        )
    }

    @Test(
        "a subclass with designated initializers gets the required one, unless it has that too",
        arguments: [
            ("init(x: Int) { super.init() }", true), ("convenience init(x: Int) { self.init() }", false),
            ("required init(uuid: ModelID) { super.init(uuid: uuid) }", false),
        ]
    )
    func initializersOfSubclass(_ own: String, _ isAdded: Bool) throws {
        let added = "\n\n    required init(uuid: JetstreamCore.ModelID) {\n        super.init(uuid: uuid)\n    }"
        try Macros.expect(
            "@Model\nclass Circle: Shape {\n    \(own)\n}",
            expandsTo: """
                class Circle: Shape {
                    \(own)

                    private static let _modelSchema = JetstreamCore.ModelSchema("Circle", of: Circle.self, super: Shape.modelSchema) {
                        []
                    }

                    override class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }\(isAdded ? added : "")
                }
                """,
            isSubclass: true
        )
    }

    @Test("own initializers and a deinitializer of a model are kept, and only init(uuid:) is added")
    func ownInitializers() throws {
        try Macros.expect(
            "@Model\nfinal class Shape {\n    @Ignored var x = 0\n    init(x: Int) { self.x = x }\n    deinit { print(x) }\n}",
            expandsTo: """
                final class Shape {
                    var x = 0
                    init(x: Int) { self.x = x }
                    deinit { print(x) }

                    private static let _modelSchema = JetstreamCore.ModelSchema("Shape", of: Shape.self) {
                        []
                    }

                    class var modelSchema: JetstreamCore.ModelSchema {
                        _modelSchema
                    }

                    let modelNode = JetstreamCore.ModelNode()

                    required init(uuid: JetstreamCore.ModelID) {
                        modelNode.identify(uuid)
                    }
                }

                extension Shape: JetstreamCore.ModelObject {
                }
                """
        )
    }
}
