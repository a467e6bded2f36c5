import Foundation
import HeliumJSON
import Testing

@testable import JetstreamCore

@Suite("Values on the wire")
struct ModelValueTests {
    @Test("equal values of each kind are equal on the wire, and others not", .original("testEqaulity"))
    func equality() {
        #expect(String.isSame("a", "a") && !String.isSame("a", "b"))
        #expect(Int.isSame(1, 1) && !Int.isSame(1, 2))
        #expect(Double.isSame(.nan, .nan) && !Double.isSame(1, .nan))
        #expect(Bool.isSame(true, true) && !Bool.isSame(true, false))
        #expect(RGBAColor.isSame(RGBAColor(1), RGBAColor(1)) && !RGBAColor.isSame(RGBAColor(1), RGBAColor(2)))
        #expect(Data.isSame(Data([1]), Data([1])) && !Data.isSame(Data([1]), Data([2])))
        #expect(Optional<Int>.isSame(nil, nil) && !Optional<Int>.isSame(nil, 0))
        #expect([Int].isSame([1, 2], [1, 2]) && ![Int].isSame([1, 2], [2, 1]) && ![Int].isSame([1], [1, 2]))
    }

    @Test(
        "integers cut off fractions and ignore what they cannot hold",
        arguments: [(5.5, 5), (-5.5, -5), (127, 127), (127.9, 127), (128, nil), (-129, nil), (1e300, nil)]
            as [(Double, Int8?)]
    )
    func integers(json: Double, value: Int8?) throws {
        #expect(Int8.fromModelJSON(.number(try #require(JSONNumber(json))), .none) == value)
        #expect(UInt64.fromModelJSON(-1, .none) == nil)
        #expect(UInt64.fromModelJSON(18_446_744_073_709_551_615, .none) == .max)
    }

    @Test("whole numbers are written without a fraction, and others exactly")
    func numbers() {
        #expect(Double(9).modelJSON(ModelFormat()).description == "9")
        #expect((-0.0).modelJSON(ModelFormat()).description == "-0.0")
        #expect(Float(0.1).modelJSON(ModelFormat()).description == "0.1")
        #expect(Double.infinity.modelJSON(ModelFormat()) == .null)
        #expect(Int64.min.modelJSON(ModelFormat()).description == "-9223372036854775808")
        #expect(true.modelJSON(ModelFormat()) == .bool(true))
    }

    @Test("Booleans are read from numbers too")
    func booleans() {
        #expect(Bool.fromModelJSON(1, .none) == true)
        #expect(Bool.fromModelJSON(0, .none) == false)
        #expect(Bool.fromModelJSON("true", .none) == nil)
    }

    @Test("dates are seconds or text, and both are read")
    func dates() {
        let date = Date(timeIntervalSince1970: 1.5)
        #expect(date.modelJSON(ModelFormat()) == 1.5)
        #expect(date.modelJSON(ModelFormat(dates: .iso8601)) == "1970-01-01T00:00:01.500Z")
        #expect(Date.fromModelJSON(1.5, .none) == date)
        #expect(Date.fromModelJSON("1970-01-01T00:00:01.500Z", .none) == date)
        #expect(Date.fromModelJSON("yesterday", .none) == nil)
    }

    @Test("components of colours are clamped and truncated")
    func colors() {
        #expect(RGBAColor(red: 1, green: 0.25, blue: 0.5, alpha: 0.25).rawValue == 0xFF3F_7F3F)
        #expect(RGBAColor(red: 2, green: -1, blue: .nan, alpha: .infinity).rawValue == 0xFF00_00FF)
        #expect(RGBAColor(0xFF3F_7F3F).modelJSON(ModelFormat()) == 4_282_351_423)
        #expect(RGBAColor.fromModelJSON(4_294_967_296, .none) == nil)
    }

    @Test("a colour from floating-point components is equal")
    func colorComponents() {
        for byte in 0...255 as ClosedRange<UInt32> {
            let component = Double(Float(byte) / 255)
            let color = RGBAColor(
                red: component,
                green: component,
                blue: component,
                alpha: component,
                tolerance: RGBAColor.componentTolerance
            )
            #expect(color.rawValue == byte * 0x0101_0101)
        }
    }

    @Test("a number of Core Graphics is a number")
    func coreGraphics() {
        #expect(CGFloat.modelKind == .number && CGFloat(2.5).modelJSON(ModelFormat()) == 2.5)
        #expect(CGFloat.fromModelJSON(2.5, .none) == 2.5 && CGFloat.fromModelJSON("2.5", .none) == nil)
        #expect(CGFloat.isSame(.nan, .nan) && !CGFloat.isSame(1, 2))
        #expect(CGFloat.infinity.modelJSON(ModelFormat()).isNull)
    }

    @Test("identifiers are lower case, and read in either case")
    func identifiers() throws {
        let id = try #require(UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"))
        #expect(id.modelJSON(ModelFormat()) == "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
        #expect(UUID.fromModelJSON("0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0", .none) == id)
        #expect(UUID.fromModelJSON("0F1E2D3C4B5A69788796A5B4C3D2E1F0", .none) == nil)
    }

    @Test("data is encoded in Base64")
    func data() {
        #expect(Data([0, 255]).modelJSON(ModelFormat()) == "AP8=")
        #expect(Data.fromModelJSON("AP8=", .none) == Data([0, 255]))
    }

    @Test("enumerations are encoded as raw values, and unknown ones ignored")
    func enumerations() {
        #expect(TestType.active.modelJSON(ModelFormat()) == 1)
        #expect(TestType.fromModelJSON(2, .none) == .disabled)
        #expect(TestType.fromModelJSON(7, .none) == nil)
        #expect(TestName.fromModelJSON("second", .none) == .second)
        #expect(TestType.modelKind == .enumeration(name: "TestType", raw: .number, values: [0, 1, 2]))
    }
}
