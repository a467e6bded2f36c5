import Foundation
import Jetstream

/// A model with every type, attribute and form of declaration.
@Model
@ClassName("All")
class Everything {
    var string = "s"
    var optionalString: String?
    var bool = false
    var int = 1
    var int8: Int8 = 1
    var uint64: UInt64 = 1
    var optionalInt: Int?
    var float: Float = 0.5
    var double = 0.5
    var date = Date(timeIntervalSince1970: 10)
    var data = Data([1, 2])
    var identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var color = RGBAColor(0xFF00_00FF)
    var kind = Kind.one
    var optionalLabel: Label?
    var strings = ["a"]
    var kinds: [Kind] = []
    var child: Everything?
    var children: [Everything] = []
    @Key("wire name") var renamed = 1
    @Key("uuid") var `default` = ""
    @Local var isSelected = false
    @MinSyncInterval(0.05) var angle = 0.0
    @Composite(\.int, \.`default`) var summary: String { "\(int) \(`default`)" }
    private(set) var version = 0
    var observed = 0 {
        willSet { log.append("will \(newValue)") }
        didSet { log.append("did \(oldValue)") }
    }

    @Ignored var log: [String] = []
    @Ignored let constant = 1
    @Ignored lazy var scale = 2.0
    @Ignored weak var owner: Everything?
    static let limit = 10

    func advance() { version += 1 }

    enum Kind: Int, ModelScalar, CaseIterable { case one = 1, two }
    enum Label: String, ModelScalar { case a, b }
}

/// A subclass with a property, an initializer and a deinitializer of its own.
@Model
final class More: Everything {
    var extra = 1
    @Composite(\.extra, \.int) var total: Int { extra + int }
    @Ignored let onEnd: () -> Void

    init(extra: Int, onEnd: @escaping () -> Void = {}) {
        self.onEnd = onEnd
        super.init()
        self.extra = extra
    }

    required init(uuid: ModelID) {
        onEnd = {}
        super.init(uuid: uuid)
    }

    deinit { onEnd() }
}

/// A model whose property observer changes another property.
@Model
final class Meter {
    var value = 0 {
        didSet { peak = max(peak, value) }
    }
    var peak = 0
    var readings = 0
}

/// A link of a long chain.
@Model
final class Link {
    var next: Link?
}

@globalActor
actor Studio {
    static let shared = Studio()
}

@Studio
@Model(on: Studio.self)
final class Track {
    var title = ""
    var next: Track?
}
