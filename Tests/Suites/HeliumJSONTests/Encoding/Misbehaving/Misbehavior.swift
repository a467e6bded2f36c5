import Foundation
import HeliumJSON
import TestSupport

/// The values of one run, whose `encode(to:)` do at random what an encoder's documentation does not forbid, and some of
/// what it does: they catch errors, keep encoders and containers, use them late or inside of other values, request two
/// containers, and encode nothing.
///
/// Each number above 1,000 is encoded once. A number is expected in the text if the call that encoded it returned, and each
/// call around it that encodes a value.
final class Misbehavior {
    var random: SeededRandom
    /// The numbers that the text must have.
    private(set) var expected: Set<Int> = []

    private var lastNumber = 1000
    private var stepsLeft: Int
    private var depth = 0
    private var encoders: [any Encoder] = []
    private var objects: [KeyedEncodingContainer<MisbehavingKey>] = []
    private var arrays: [any UnkeyedEncodingContainer] = []
    /// One of so many steps misbehaves.
    private let rarity: Int
    /// Names are repeated. Values that are replaced are missing from the text then.
    let repeatsNames: Bool

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        rarity = random.pick([1_000_000, 40, 12, 5])
        repeatsNames = random.oneIn(3)
        stepsLeft = 20 + random.below(120)
    }

    /// Releases what was kept, which refers to this run.
    func release() {
        encoders = []
        objects = []
        arrays = []
    }

    /// Whether all steps are used up. Each call uses one.
    private var isTired: Bool {
        stepsLeft -= 1
        return stepsLeft < 0
    }

    private var isWicked: Bool { random.oneIn(rarity) }

    private func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Encodes by a call that takes a value. What was encoded inside of it is undone if it throws.
    private func call(_ body: () throws -> Void) throws {
        let first = lastNumber
        do { try body() } catch {
            expected = expected.filter { $0 <= first }
            throw error
        }
    }

    // MARK: Values

    func encode(to encoder: any Encoder) throws {
        depth += 1
        defer { depth -= 1 }
        if random.oneIn(3), encoders.count < 40 { encoders.append(encoder) }
        let form = random.below(depth > 8 ? 3 : 12)
        for _ in 0..<(1 + random.below(5)) where !isTired {
            if isWicked { try misbehave(encoder) }
            switch form {
            case 0: try attempt { try single(encoder) }
            case 1: break
            case 2...7:
                var object = encoder.container(keyedBy: MisbehavingKey.self)
                if random.oneIn(4), objects.count < 40 { objects.append(object) }
                try member(of: &object)
            default:
                var array = encoder.unkeyedContainer()
                if random.oneIn(4), arrays.count < 40 { arrays.append(array) }
                try element(of: &array)
            }
            // A second value is not expected of a value that may be one token.
            if form < 2 { break }
        }
    }

    private func attempt(_ body: () throws -> Void) throws {
        do { try body() } catch {
            if random.oneIn(3) { throw error }
        }
    }

    private func misbehave(_ encoder: any Encoder) throws {
        switch random.below(9) {
        case 0: throw CancellationError()
        case 1: try Misbehaving(self).encode(to: encoder)
        case 2: try single(encoder)
        case 3:
            var object = encoder.container(keyedBy: MisbehavingKey.self)
            try attempt { try member(of: &object) }
        case 4:
            var array = encoder.unkeyedContainer()
            try attempt { try element(of: &array) }
        case 5, 6:
            guard !objects.isEmpty else { return }
            let index = random.below(objects.count)
            var object = objects[index]
            try attempt { try member(of: &object) }
        case 7:
            guard !arrays.isEmpty else { return }
            let index = random.below(arrays.count)
            var array = arrays[index]
            try attempt { try element(of: &array) }
        default:
            guard !encoders.isEmpty else { return }
            let kept = random.pick(encoders)
            try attempt { try Misbehaving(self).encode(to: kept) }
        }
    }

    /// Uses what was kept, in the place where the encoder asks for a name.
    func nameWasRequested() {
        guard !objects.isEmpty, stepsLeft > 0 else { return }
        stepsLeft -= 1
        var object = random.pick(objects)
        try? object.encode(7, forKey: key())
    }

    private func key() -> MisbehavingKey {
        let name =
            repeatsNames ? random.pick(["a", "b", "c", "\"/", "n\(random.below(60))"]) : "k\(number())"
        return MisbehavingKey(name, of: isWicked ? self : nil)
    }

    // MARK: Calls

    private func single(_ encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        for _ in 0..<3 {
            do {
                try encodeAny { value in
                    try single.encode(value)
                } none: {
                    try single.encodeNil()
                }
                return
            } catch {
                if random.oneIn(3) { throw error }
            }
        }
    }

    private func member(of object: inout KeyedEncodingContainer<MisbehavingKey>) throws {
        var copy = object
        let key = key()
        switch random.below(12) {
        case 0:
            var inner = copy.nestedContainer(keyedBy: MisbehavingKey.self, forKey: key)
            if random.oneIn(2), objects.count < 40 { objects.append(inner) }
            if random.oneIn(2) { try attempt { try member(of: &inner) } }
        case 1:
            var inner = copy.nestedUnkeyedContainer(forKey: key)
            if random.oneIn(2), arrays.count < 40 { arrays.append(inner) }
            if random.oneIn(2) { try attempt { try element(of: &inner) } }
        case 2:
            let encoder = copy.superEncoder(forKey: key)
            if random.oneIn(2), encoders.count < 40 { encoders.append(encoder) }
            if random.oneIn(2) { try attempt { try Misbehaving(self).encode(to: encoder) } }
        default:
            try attempt {
                try encodeAny { value in
                    try copy.encode(value, forKey: key)
                } none: {
                    try copy.encodeNil(forKey: key)
                }
            }
        }
        object = copy
    }

    private func element(of array: inout any UnkeyedEncodingContainer) throws {
        var copy = array
        switch random.below(12) {
        case 0:
            var inner = copy.nestedContainer(keyedBy: MisbehavingKey.self)
            if random.oneIn(2), objects.count < 40 { objects.append(inner) }
            if random.oneIn(2) { try attempt { try member(of: &inner) } }
        case 1:
            var inner = copy.nestedUnkeyedContainer()
            if random.oneIn(2), arrays.count < 40 { arrays.append(inner) }
            if random.oneIn(2) { try attempt { try element(of: &inner) } }
        case 2:
            let encoder = copy.superEncoder()
            if random.oneIn(2), encoders.count < 40 { encoders.append(encoder) }
            if random.oneIn(2) { try attempt { try Misbehaving(self).encode(to: encoder) } }
        default:
            try attempt {
                try encodeAny { value in
                    try copy.encode(value)
                } none: {
                    try copy.encodeNil()
                }
            }
        }
        array = copy
    }

    /// Encodes a value of any type by a call of a container.
    private func encodeAny(_ encode: (any Encodable) throws -> Void, none: () throws -> Void) throws {
        guard !isTired else { return try none() }
        func expect(_ numbers: [Int], _ value: any Encodable) throws {
            try call {
                try encode(value)
                expected.formUnion(numbers)
            }
        }
        let (first, second) = (number(), number())
        switch random.below(depth > 8 ? 6 : 14) {
        case 0: try expect([first], first)
        case 1: try expect([first, second], [first, second])
        case 2: try none()
        case 3: try expect([first], [Double(first), .nan])
        case 4: try expect([first], ["x\(first)": Double(first), "y\(first)": .infinity])
        case 5: try expect([first], [Date(timeIntervalSince1970: .nan): first])
        case 6: try expect([], [Misbehaving(self), Misbehaving(self)])
        case 7: try expect([], ["p\(first)": Misbehaving(self), "q\(first)": Misbehaving(self)])
        case 8: try expect([], Misbehaving?.some(Misbehaving(self)))
        case 9: try expect([first], [[first]: Misbehaving(self)])
        default: try expect([], Misbehaving(self))
        }
    }
}

/// A value that encodes what its run decides.
struct Misbehaving: Encodable {
    private let run: Misbehavior

    init(_ run: Misbehavior) { self.run = run }

    func encode(to encoder: any Encoder) throws { try run.encode(to: encoder) }
}

/// A name, which may use kept containers when it is read.
struct MisbehavingKey: CodingKey {
    private let name: String
    /// Keys must be sendable. One task uses a run and its keys.
    private nonisolated(unsafe) let run: Misbehavior?

    init(_ name: String, of run: Misbehavior? = nil) {
        self.name = name
        self.run = run
    }

    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
    var stringValue: String {
        run?.nameWasRequested()
        return name
    }
}
