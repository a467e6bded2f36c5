import JetstreamCore

// A model with an array of its own class, and a subclass.

final class AnotherTestModel {
    private var _anotherString: String?
    var anotherString: String? {
        get {
            modelNode.access(self, \AnotherTestModel.anotherString)
            return _anotherString
        }
        set {
            modelNode.mutate(
                self,
                \AnotherTestModel.anotherString,
                in: AnotherTestModel.modelSchema,
                at: 0,
                from: _anotherString,
                to: newValue
            ) {
                _anotherString = newValue
            }
        }
    }

    private var _anotherInteger: Int = 0
    var anotherInteger: Int {
        get {
            modelNode.access(self, \AnotherTestModel.anotherInteger)
            return _anotherInteger
        }
        set {
            modelNode.mutate(
                self,
                \AnotherTestModel.anotherInteger,
                in: AnotherTestModel.modelSchema,
                at: 1,
                from: _anotherInteger,
                to: newValue
            ) {
                _anotherInteger = newValue
            }
        }
    }

    private var _anotherArray: [AnotherTestModel] = []
    var anotherArray: [AnotherTestModel] {
        get {
            modelNode.access(self, \AnotherTestModel.anotherArray)
            return _anotherArray
        }
        set {
            modelNode.mutate(
                self,
                \AnotherTestModel.anotherArray,
                in: AnotherTestModel.modelSchema,
                at: 2,
                from: _anotherArray,
                to: newValue
            ) {
                _anotherArray = newValue
            }
        }
    }

    private var _owner: TestModel?
    var owner: TestModel? {
        get {
            modelNode.access(self, \AnotherTestModel.owner)
            return _owner
        }
        set {
            modelNode.mutate(
                self,
                \AnotherTestModel.owner,
                in: AnotherTestModel.modelSchema,
                at: 3,
                from: _owner,
                to: newValue
            ) {
                _owner = newValue
            }
        }
    }

    var anotherComposite: String { "\(anotherString ?? "") \(anotherInteger)" }

    static let modelSchema = ModelSchema("AnotherTestModel", of: AnotherTestModel.self) {
        [
            .stored(
                "anotherString",
                \AnotherTestModel.anotherString,
                get: { $0._anotherString },
                set: { $0.anotherString = $1 }
            ),
            .stored(
                "anotherInteger",
                \AnotherTestModel.anotherInteger,
                get: { $0._anotherInteger },
                set: { $0.anotherInteger = $1 }
            ),
            .stored(
                "anotherArray",
                \AnotherTestModel.anotherArray,
                get: { $0._anotherArray },
                set: { $0.anotherArray = $1 }
            ),
            .stored("owner", \AnotherTestModel.owner, get: { $0._owner }, set: { $0.owner = $1 }),
            .composite(
                "anotherComposite",
                \AnotherTestModel.anotherComposite,
                of: [\AnotherTestModel.anotherString, \AnotherTestModel.anotherInteger]
            ),
        ]
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        ModelTeardown.release(&_anotherString)
        ModelTeardown.release(&_anotherInteger)
        ModelTeardown.release(&_anotherArray)
        ModelTeardown.release(&_owner)
    }
}

extension AnotherTestModel: ModelObject {}

class DerivedTestModel: TestModel {
    private var _extra: Int = 0
    var extra: Int {
        get {
            modelNode.access(self, \DerivedTestModel.extra)
            return _extra
        }
        set {
            modelNode.mutate(
                self,
                \DerivedTestModel.extra,
                in: DerivedTestModel.derivedTestModelSchema,
                at: 0,
                from: _extra,
                to: newValue
            ) {
                _extra = newValue
            }
        }
    }

    private var _partner: TestModel?
    var partner: TestModel? {
        get {
            modelNode.access(self, \DerivedTestModel.partner)
            return _partner
        }
        set {
            modelNode.mutate(
                self,
                \DerivedTestModel.partner,
                in: DerivedTestModel.derivedTestModelSchema,
                at: 1,
                from: _partner,
                to: newValue
            ) {
                _partner = newValue
            }
        }
    }

    override class var modelSchema: ModelSchema { derivedTestModelSchema }

    private static let derivedTestModelSchema = ModelSchema(
        "DerivedTestModel",
        of: DerivedTestModel.self,
        super: TestModel.modelSchema
    ) {
        [
            .stored("extra", \DerivedTestModel.extra, get: { $0._extra }, set: { $0.extra = $1 }),
            .stored("partner", \DerivedTestModel.partner, get: { $0._partner }, set: { $0.partner = $1 }),
        ]
    }

    deinit {
        ModelTeardown.release(&_extra)
        ModelTeardown.release(&_partner)
    }
}
