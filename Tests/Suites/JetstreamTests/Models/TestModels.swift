import Foundation
import Jetstream

// The models of JetstreamCoreTests, whose conformances are written by hand there. Its suites are run here with these.

enum TestType: Int, ModelScalar, CaseIterable {
    case normal
    case active
    case disabled
}

enum TestName: String, ModelScalar {
    case first
    case second
}

@Model
class TestModel {
    var string: String?
    var integer: Int = 0
    var unsignedInteger: UInt = 0
    var int8: Int8 = 0
    var uint8: UInt8 = 0
    var int16: Int16 = 0
    var uint16: UInt16 = 0
    var int32: Int32 = 0
    var uint32: UInt32 = 0
    var int64: Int64 = 0
    var uint64: UInt64 = 0
    var float32: Float = 0
    var double64: Double = 0
    var boolean: Bool = false
    var testType: TestType = .normal
    var testName: TestName?
    var date: Date?
    var color: RGBAColor?
    var image: Data?
    var identifier: UUID?
    var optionalInteger: Int?
    var title: String = "untitled"
    var tint: RGBAColor = RGBAColor(0xFF)
    var tags: [String] = []
    var types: [TestType] = []
    @Local var localString: String?
    @MinSyncInterval(0.05) var throttled: Int = 0
    var childModel: TestModel?
    var childModel2: TestModel?
    var array: [AnotherTestModel] = []
    var array2: [AnotherTestModel] = []
    var children: [TestModel] = []
    var another: AnotherTestModel?
    @Local var localModel: TestModel?
    @Local var localArray: [AnotherTestModel] = []

    @Composite(\.float32, \.array)
    var composite: Double { Double(float32) + Double(array.count) }
}

@Model
final class AnotherTestModel {
    var anotherString: String?
    var anotherInteger: Int = 0
    var anotherArray: [AnotherTestModel] = []
    var owner: TestModel?

    @Composite(\.anotherString, \.anotherInteger)
    var anotherComposite: String { "\(anotherString ?? "") \(anotherInteger)" }
}

@Model
class DerivedTestModel: TestModel {
    var extra: Int = 0
    var partner: TestModel?
}

@Model
final class Panel {
    var name: String = ""
    var panels: [Panel] = []
    @MinSyncInterval(0.05) var focus: Panel?
    @Local var pinned: Panel?
    weak var partner: Panel?
}
