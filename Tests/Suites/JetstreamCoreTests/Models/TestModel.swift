import Foundation
import JetstreamCore

// The models of the original's tests: a property of every type.

enum TestType: Int, ModelScalar, CaseIterable {
    case normal
    case active
    case disabled
}

enum TestName: String, ModelScalar {
    case first
    case second
}

class TestModel {
    private var _string: String?
    var string: String? {
        get {
            modelNode.access(self, \TestModel.string)
            return _string
        }
        set {
            modelNode.mutate(self, \TestModel.string, in: TestModel.testModelSchema, at: 0, from: _string, to: newValue)
            {
                _string = newValue
            }
        }
    }

    private var _integer: Int = 0
    var integer: Int {
        get {
            modelNode.access(self, \TestModel.integer)
            return _integer
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.integer,
                in: TestModel.testModelSchema,
                at: 1,
                from: _integer,
                to: newValue
            ) {
                _integer = newValue
            }
        }
    }

    private var _unsignedInteger: UInt = 0
    var unsignedInteger: UInt {
        get {
            modelNode.access(self, \TestModel.unsignedInteger)
            return _unsignedInteger
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.unsignedInteger,
                in: TestModel.testModelSchema,
                at: 2,
                from: _unsignedInteger,
                to: newValue
            ) {
                _unsignedInteger = newValue
            }
        }
    }

    private var _int8: Int8 = 0
    var int8: Int8 {
        get {
            modelNode.access(self, \TestModel.int8)
            return _int8
        }
        set {
            modelNode.mutate(self, \TestModel.int8, in: TestModel.testModelSchema, at: 3, from: _int8, to: newValue) {
                _int8 = newValue
            }
        }
    }

    private var _uint8: UInt8 = 0
    var uint8: UInt8 {
        get {
            modelNode.access(self, \TestModel.uint8)
            return _uint8
        }
        set {
            modelNode.mutate(self, \TestModel.uint8, in: TestModel.testModelSchema, at: 4, from: _uint8, to: newValue) {
                _uint8 = newValue
            }
        }
    }

    private var _int16: Int16 = 0
    var int16: Int16 {
        get {
            modelNode.access(self, \TestModel.int16)
            return _int16
        }
        set {
            modelNode.mutate(self, \TestModel.int16, in: TestModel.testModelSchema, at: 5, from: _int16, to: newValue) {
                _int16 = newValue
            }
        }
    }

    private var _uint16: UInt16 = 0
    var uint16: UInt16 {
        get {
            modelNode.access(self, \TestModel.uint16)
            return _uint16
        }
        set {
            modelNode.mutate(self, \TestModel.uint16, in: TestModel.testModelSchema, at: 6, from: _uint16, to: newValue)
            {
                _uint16 = newValue
            }
        }
    }

    private var _int32: Int32 = 0
    var int32: Int32 {
        get {
            modelNode.access(self, \TestModel.int32)
            return _int32
        }
        set {
            modelNode.mutate(self, \TestModel.int32, in: TestModel.testModelSchema, at: 7, from: _int32, to: newValue) {
                _int32 = newValue
            }
        }
    }

    private var _uint32: UInt32 = 0
    var uint32: UInt32 {
        get {
            modelNode.access(self, \TestModel.uint32)
            return _uint32
        }
        set {
            modelNode.mutate(self, \TestModel.uint32, in: TestModel.testModelSchema, at: 8, from: _uint32, to: newValue)
            {
                _uint32 = newValue
            }
        }
    }

    private var _int64: Int64 = 0
    var int64: Int64 {
        get {
            modelNode.access(self, \TestModel.int64)
            return _int64
        }
        set {
            modelNode.mutate(self, \TestModel.int64, in: TestModel.testModelSchema, at: 9, from: _int64, to: newValue) {
                _int64 = newValue
            }
        }
    }

    private var _uint64: UInt64 = 0
    var uint64: UInt64 {
        get {
            modelNode.access(self, \TestModel.uint64)
            return _uint64
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.uint64,
                in: TestModel.testModelSchema,
                at: 10,
                from: _uint64,
                to: newValue
            ) {
                _uint64 = newValue
            }
        }
    }

    private var _float32: Float = 0
    var float32: Float {
        get {
            modelNode.access(self, \TestModel.float32)
            return _float32
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.float32,
                in: TestModel.testModelSchema,
                at: 11,
                from: _float32,
                to: newValue
            ) {
                _float32 = newValue
            }
        }
    }

    private var _double64: Double = 0
    var double64: Double {
        get {
            modelNode.access(self, \TestModel.double64)
            return _double64
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.double64,
                in: TestModel.testModelSchema,
                at: 12,
                from: _double64,
                to: newValue
            ) {
                _double64 = newValue
            }
        }
    }

    private var _boolean: Bool = false
    var boolean: Bool {
        get {
            modelNode.access(self, \TestModel.boolean)
            return _boolean
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.boolean,
                in: TestModel.testModelSchema,
                at: 13,
                from: _boolean,
                to: newValue
            ) {
                _boolean = newValue
            }
        }
    }

    private var _testType: TestType = .normal
    var testType: TestType {
        get {
            modelNode.access(self, \TestModel.testType)
            return _testType
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.testType,
                in: TestModel.testModelSchema,
                at: 14,
                from: _testType,
                to: newValue
            ) {
                _testType = newValue
            }
        }
    }

    private var _testName: TestName?
    var testName: TestName? {
        get {
            modelNode.access(self, \TestModel.testName)
            return _testName
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.testName,
                in: TestModel.testModelSchema,
                at: 15,
                from: _testName,
                to: newValue
            ) {
                _testName = newValue
            }
        }
    }

    private var _date: Date?
    var date: Date? {
        get {
            modelNode.access(self, \TestModel.date)
            return _date
        }
        set {
            modelNode.mutate(self, \TestModel.date, in: TestModel.testModelSchema, at: 16, from: _date, to: newValue) {
                _date = newValue
            }
        }
    }

    private var _color: RGBAColor?
    var color: RGBAColor? {
        get {
            modelNode.access(self, \TestModel.color)
            return _color
        }
        set {
            modelNode.mutate(self, \TestModel.color, in: TestModel.testModelSchema, at: 17, from: _color, to: newValue)
            {
                _color = newValue
            }
        }
    }

    private var _image: Data?
    var image: Data? {
        get {
            modelNode.access(self, \TestModel.image)
            return _image
        }
        set {
            modelNode.mutate(self, \TestModel.image, in: TestModel.testModelSchema, at: 18, from: _image, to: newValue)
            {
                _image = newValue
            }
        }
    }

    private var _identifier: UUID?
    var identifier: UUID? {
        get {
            modelNode.access(self, \TestModel.identifier)
            return _identifier
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.identifier,
                in: TestModel.testModelSchema,
                at: 19,
                from: _identifier,
                to: newValue
            ) {
                _identifier = newValue
            }
        }
    }

    private var _optionalInteger: Int?
    var optionalInteger: Int? {
        get {
            modelNode.access(self, \TestModel.optionalInteger)
            return _optionalInteger
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.optionalInteger,
                in: TestModel.testModelSchema,
                at: 20,
                from: _optionalInteger,
                to: newValue
            ) {
                _optionalInteger = newValue
            }
        }
    }

    private var _title: String = "untitled"
    var title: String {
        get {
            modelNode.access(self, \TestModel.title)
            return _title
        }
        set {
            modelNode.mutate(self, \TestModel.title, in: TestModel.testModelSchema, at: 21, from: _title, to: newValue)
            {
                _title = newValue
            }
        }
    }

    private var _tint: RGBAColor = RGBAColor(0xFF)
    var tint: RGBAColor {
        get {
            modelNode.access(self, \TestModel.tint)
            return _tint
        }
        set {
            modelNode.mutate(self, \TestModel.tint, in: TestModel.testModelSchema, at: 22, from: _tint, to: newValue) {
                _tint = newValue
            }
        }
    }

    private var _tags: [String] = []
    var tags: [String] {
        get {
            modelNode.access(self, \TestModel.tags)
            return _tags
        }
        set {
            modelNode.mutate(self, \TestModel.tags, in: TestModel.testModelSchema, at: 23, from: _tags, to: newValue) {
                _tags = newValue
            }
        }
    }

    private var _types: [TestType] = []
    var types: [TestType] {
        get {
            modelNode.access(self, \TestModel.types)
            return _types
        }
        set {
            modelNode.mutate(self, \TestModel.types, in: TestModel.testModelSchema, at: 24, from: _types, to: newValue)
            {
                _types = newValue
            }
        }
    }

    private var _localString: String?
    var localString: String? {
        get {
            modelNode.access(self, \TestModel.localString)
            return _localString
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.localString,
                in: TestModel.testModelSchema,
                at: 25,
                from: _localString,
                to: newValue
            ) {
                _localString = newValue
            }
        }
    }

    private var _throttled: Int = 0
    var throttled: Int {
        get {
            modelNode.access(self, \TestModel.throttled)
            return _throttled
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.throttled,
                in: TestModel.testModelSchema,
                at: 26,
                from: _throttled,
                to: newValue
            ) {
                _throttled = newValue
            }
        }
    }

    private var _childModel: TestModel?
    var childModel: TestModel? {
        get {
            modelNode.access(self, \TestModel.childModel)
            return _childModel
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.childModel,
                in: TestModel.testModelSchema,
                at: 27,
                from: _childModel,
                to: newValue
            ) {
                _childModel = newValue
            }
        }
    }

    private var _childModel2: TestModel?
    var childModel2: TestModel? {
        get {
            modelNode.access(self, \TestModel.childModel2)
            return _childModel2
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.childModel2,
                in: TestModel.testModelSchema,
                at: 28,
                from: _childModel2,
                to: newValue
            ) {
                _childModel2 = newValue
            }
        }
    }

    private var _array: [AnotherTestModel] = []
    var array: [AnotherTestModel] {
        get {
            modelNode.access(self, \TestModel.array)
            return _array
        }
        set {
            modelNode.mutate(self, \TestModel.array, in: TestModel.testModelSchema, at: 29, from: _array, to: newValue)
            {
                _array = newValue
            }
        }
    }

    private var _array2: [AnotherTestModel] = []
    var array2: [AnotherTestModel] {
        get {
            modelNode.access(self, \TestModel.array2)
            return _array2
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.array2,
                in: TestModel.testModelSchema,
                at: 30,
                from: _array2,
                to: newValue
            ) {
                _array2 = newValue
            }
        }
    }

    private var _children: [TestModel] = []
    var children: [TestModel] {
        get {
            modelNode.access(self, \TestModel.children)
            return _children
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.children,
                in: TestModel.testModelSchema,
                at: 31,
                from: _children,
                to: newValue
            ) {
                _children = newValue
            }
        }
    }

    private var _another: AnotherTestModel?
    var another: AnotherTestModel? {
        get {
            modelNode.access(self, \TestModel.another)
            return _another
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.another,
                in: TestModel.testModelSchema,
                at: 32,
                from: _another,
                to: newValue
            ) {
                _another = newValue
            }
        }
    }

    private var _localModel: TestModel?
    var localModel: TestModel? {
        get {
            modelNode.access(self, \TestModel.localModel)
            return _localModel
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.localModel,
                in: TestModel.testModelSchema,
                at: 33,
                from: _localModel,
                to: newValue
            ) {
                _localModel = newValue
            }
        }
    }

    private var _localArray: [AnotherTestModel] = []
    var localArray: [AnotherTestModel] {
        get {
            modelNode.access(self, \TestModel.localArray)
            return _localArray
        }
        set {
            modelNode.mutate(
                self,
                \TestModel.localArray,
                in: TestModel.testModelSchema,
                at: 34,
                from: _localArray,
                to: newValue
            ) {
                _localArray = newValue
            }
        }
    }

    var composite: Double { Double(float32) + Double(array.count) }

    class var modelSchema: ModelSchema { testModelSchema }

    private static let testModelSchema = ModelSchema("TestModel", of: TestModel.self) {
        [
            .stored("string", \TestModel.string, get: { $0._string }, set: { $0.string = $1 }),
            .stored("integer", \TestModel.integer, get: { $0._integer }, set: { $0.integer = $1 }),
            .stored(
                "unsignedInteger",
                \TestModel.unsignedInteger,
                get: { $0._unsignedInteger },
                set: { $0.unsignedInteger = $1 }
            ),
            .stored("int8", \TestModel.int8, get: { $0._int8 }, set: { $0.int8 = $1 }),
            .stored("uint8", \TestModel.uint8, get: { $0._uint8 }, set: { $0.uint8 = $1 }),
            .stored("int16", \TestModel.int16, get: { $0._int16 }, set: { $0.int16 = $1 }),
            .stored("uint16", \TestModel.uint16, get: { $0._uint16 }, set: { $0.uint16 = $1 }),
            .stored("int32", \TestModel.int32, get: { $0._int32 }, set: { $0.int32 = $1 }),
            .stored("uint32", \TestModel.uint32, get: { $0._uint32 }, set: { $0.uint32 = $1 }),
            .stored("int64", \TestModel.int64, get: { $0._int64 }, set: { $0.int64 = $1 }),
            .stored("uint64", \TestModel.uint64, get: { $0._uint64 }, set: { $0.uint64 = $1 }),
            .stored("float32", \TestModel.float32, get: { $0._float32 }, set: { $0.float32 = $1 }),
            .stored("double64", \TestModel.double64, get: { $0._double64 }, set: { $0.double64 = $1 }),
            .stored("boolean", \TestModel.boolean, get: { $0._boolean }, set: { $0.boolean = $1 }),
            .stored("testType", \TestModel.testType, get: { $0._testType }, set: { $0.testType = $1 }),
            .stored("testName", \TestModel.testName, get: { $0._testName }, set: { $0.testName = $1 }),
            .stored("date", \TestModel.date, get: { $0._date }, set: { $0.date = $1 }),
            .stored("color", \TestModel.color, get: { $0._color }, set: { $0.color = $1 }),
            .stored("image", \TestModel.image, get: { $0._image }, set: { $0.image = $1 }),
            .stored("identifier", \TestModel.identifier, get: { $0._identifier }, set: { $0.identifier = $1 }),
            .stored(
                "optionalInteger",
                \TestModel.optionalInteger,
                get: { $0._optionalInteger },
                set: { $0.optionalInteger = $1 }
            ),
            .stored("title", \TestModel.title, get: { $0._title }, set: { $0.title = $1 }),
            .stored("tint", \TestModel.tint, get: { $0._tint }, set: { $0.tint = $1 }),
            .stored("tags", \TestModel.tags, get: { $0._tags }, set: { $0.tags = $1 }),
            .stored("types", \TestModel.types, get: { $0._types }, set: { $0.types = $1 }),
            .stored(
                "localString",
                \TestModel.localString,
                get: { $0._localString },
                set: { $0.localString = $1 },
                attributes: .init(isLocal: true)
            ),
            .stored(
                "throttled",
                \TestModel.throttled,
                get: { $0._throttled },
                set: { $0.throttled = $1 },
                attributes: .init(minSyncInterval: 0.05)
            ),
            .stored("childModel", \TestModel.childModel, get: { $0._childModel }, set: { $0.childModel = $1 }),
            .stored("childModel2", \TestModel.childModel2, get: { $0._childModel2 }, set: { $0.childModel2 = $1 }),
            .stored("array", \TestModel.array, get: { $0._array }, set: { $0.array = $1 }),
            .stored("array2", \TestModel.array2, get: { $0._array2 }, set: { $0.array2 = $1 }),
            .stored("children", \TestModel.children, get: { $0._children }, set: { $0.children = $1 }),
            .stored("another", \TestModel.another, get: { $0._another }, set: { $0.another = $1 }),
            .stored(
                "localModel",
                \TestModel.localModel,
                get: { $0._localModel },
                set: { $0.localModel = $1 },
                attributes: .init(isLocal: true)
            ),
            .stored(
                "localArray",
                \TestModel.localArray,
                get: { $0._localArray },
                set: { $0.localArray = $1 },
                attributes: .init(isLocal: true)
            ),
            .composite("composite", \TestModel.composite, of: [\TestModel.float32, \TestModel.array]),
        ]
    }

    let modelNode = ModelNode()

    required init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        ModelTeardown.release(&_string)
        ModelTeardown.release(&_integer)
        ModelTeardown.release(&_unsignedInteger)
        ModelTeardown.release(&_int8)
        ModelTeardown.release(&_uint8)
        ModelTeardown.release(&_int16)
        ModelTeardown.release(&_uint16)
        ModelTeardown.release(&_int32)
        ModelTeardown.release(&_uint32)
        ModelTeardown.release(&_int64)
        ModelTeardown.release(&_uint64)
        ModelTeardown.release(&_float32)
        ModelTeardown.release(&_double64)
        ModelTeardown.release(&_boolean)
        ModelTeardown.release(&_testType)
        ModelTeardown.release(&_testName)
        ModelTeardown.release(&_date)
        ModelTeardown.release(&_color)
        ModelTeardown.release(&_image)
        ModelTeardown.release(&_identifier)
        ModelTeardown.release(&_optionalInteger)
        ModelTeardown.release(&_title)
        ModelTeardown.release(&_tint)
        ModelTeardown.release(&_tags)
        ModelTeardown.release(&_types)
        ModelTeardown.release(&_localString)
        ModelTeardown.release(&_throttled)
        ModelTeardown.release(&_childModel)
        ModelTeardown.release(&_childModel2)
        ModelTeardown.release(&_array)
        ModelTeardown.release(&_array2)
        ModelTeardown.release(&_children)
        ModelTeardown.release(&_another)
        ModelTeardown.release(&_localModel)
        ModelTeardown.release(&_localArray)
    }
}

extension TestModel: ModelObject {}
