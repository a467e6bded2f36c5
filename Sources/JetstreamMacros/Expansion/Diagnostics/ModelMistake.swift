import SwiftDiagnostics
import SwiftSyntax

/// An error in the declaration of a model.
struct ModelMistake: DiagnosticMessage, Hashable {
    let message: String
    private let id: String

    var diagnosticID: MessageID { MessageID(domain: "Jetstream", id: id) }
    var severity: DiagnosticSeverity { .error }

    private init(_ id: String, _ message: String) {
        self.id = id
        self.message = message
    }
}

// MARK: Classes

extension ModelMistake {
    static func notAClass(_ name: String, _ kind: String) -> Self {
        Self("not-a-class", "'@Model' needs a class, but '\(name)' is \(kind)")
    }

    static let modelTwice = Self("model-twice", "'@Model' is already applied to this class")

    static func generic(_ name: String) -> Self {
        Self("generic", "a model can't be generic: '\(name)' has one class name and one list of properties on the wire")
    }

    static func insideGeneric(_ outer: String) -> Self {
        Self("inside-generic", "a model can't be declared in the generic type '\(outer)', which makes it generic too")
    }

    static let localClass = Self(
        "local-class",
        "a model can't be declared in a function; declare it in the file or in a type"
    )

    static let privateClass = Self(
        "private-class",
        "a model in a type can't be 'private': its conformance is written outside of that type"
    )

    static func insidePrivate(_ outer: String) -> Self {
        Self(
            "inside-private",
            "a model can't be declared in '\(outer)', which is private to its type; use 'fileprivate' there"
        )
    }

    static let ownConformance = Self(
        "own-conformance",
        "'@Model' adds the conformance to 'ModelObject'; remove the one that is written here"
    )

    static func ownConformanceElsewhere(_ name: String) -> Self {
        Self(
            "own-conformance-elsewhere",
            "'@Model' adds the conformance to 'ModelObject'; remove the extension that makes '\(name)' conform"
        )
    }

    static let notAnActor = Self("not-an-actor", "'on:' needs the type of a global actor, such as 'MainActor.self'")

    static func actorTwice(_ name: String) -> Self {
        Self("actor-twice", "the class already has the attribute '@\(name)'; remove 'on:'")
    }

    static func actorNotOnClass(_ name: String) -> Self {
        Self(
            "actor-not-on-class",
            "'on:' repeats the class's global actor, which is missing; add '@\(name)' to the class"
        )
    }

    static let dotInClassName = Self(
        "dot-in-class-name",
        "a class name on the wire can't contain '.', which separates it from a procedure's name"
    )

    static let unidentified = Self(
        "unidentified",
        "call 'modelNode.identify(uuid)' in 'init(uuid:)', or leave the initializer out: '@Model' makes one"
    )

    static let inConditionalCompilation = Self(
        "conditional-compilation",
        "a model's properties can't be in '#if': '@Model' does not see which branch is compiled"
    )
}

// MARK: Properties

extension ModelMistake {
    static func constant(_ name: String) -> Self {
        Self("constant", "'\(name)' must be a variable: the server sets a model's properties")
    }

    static func storage(_ name: String, _ keyword: String) -> Self {
        Self("storage", "'\(name)' can't be '\(keyword)': '@Model' makes its storage")
    }

    static func override(_ name: String) -> Self {
        Self("override", "'\(name)' can't override a property: a model's property has one declaration")
    }

    static func noDefault(_ name: String) -> Self {
        Self("no-default", "'\(name)' needs a default value: objects from the server are created without arguments")
    }

    static func noTypeAndDefault(_ name: String) -> Self {
        Self("no-type-and-default", "'\(name)' needs a type and a default value")
    }

    static func computed(_ name: String) -> Self {
        Self(
            "computed",
            "'\(name)' is computed: name the properties it depends on with '@Composite', or add '@Ignored'"
        )
    }

    static let severalProperties = Self("several-properties", "each property of a model needs a declaration of its own")
    static let notAName = Self("not-a-name", "a model's property must be declared by its name, not by a pattern")

    static func wireNameTwice(_ wireName: String, _ name: String) -> Self {
        Self("wire-name-twice", "'\(name)' has the same name on the wire as another property: '\(wireName)'")
    }

    static func storageName(_ name: String, of property: String, _ isProperty: Bool) -> Self {
        let advice = isProperty ? ", and keep this one on the wire with '@Key'" : ""
        return Self(
            "storage-name",
            "'\(name)' is the name of the storage that '@Model' makes for '\(property)'; choose another name\(advice)"
        )
    }

    static func reservedName(_ name: String) -> Self {
        Self(
            "reserved-name",
            "'\(name)' is a member of every model; choose another name, and keep this one on the wire with '@Key'"
        )
    }
}

// MARK: Attributes

extension ModelMistake {
    static func notAProperty(_ marker: Marker) -> Self {
        Self("attribute-of-other", "'\(marker.attribute)' can only be applied to a property of a model")
    }

    static func outsideOfModel(_ marker: Marker) -> Self {
        Self("attribute-outside", "'\(marker.attribute)' has no effect outside a class with '@Model'")
    }

    static func inExtension(_ marker: Marker) -> Self {
        Self(
            "attribute-in-extension",
            "'\(marker.attribute)' has no effect in an extension; move the property into the class"
        )
    }

    static func withoutModel(_ marker: Marker) -> Self {
        Self("attribute-without-model", "'\(marker.attribute)' has no effect on a class without '@Model'")
    }

    static func ofTypeProperty(_ marker: Marker, _ keyword: String) -> Self {
        Self(
            "attribute-of-type-property",
            "'\(marker.attribute)' can't be applied to a \(keyword) property, which is not part of the model"
        )
    }

    static func twice(_ marker: Marker) -> Self {
        Self("attribute-twice", "'\(marker.attribute)' is already applied to this declaration")
    }

    static func contradiction(_ one: Marker, _ other: Marker, _ reason: String) -> Self {
        Self("contradiction", "'\(other.attribute)' has no effect together with '\(one.attribute)': \(reason)")
    }

    static func notALiteral(_ marker: Marker) -> Self {
        switch marker {
        case .minSyncInterval: Self("not-a-literal", "'@MinSyncInterval' needs a number of seconds as a literal")
        default: Self("not-a-literal", "'\(marker.attribute)' needs a string literal without interpolation")
        }
    }

    static func emptyName(_ marker: Marker) -> Self {
        Self("empty-name", "the name in '\(marker.attribute)' is empty")
    }

    static func intervalNotFinite(_ text: String) -> Self {
        Self("interval-not-finite", "the interval \(text) is not a number of seconds")
    }

    static func intervalNotPositive(_ text: String) -> Self {
        Self(
            "interval-not-positive",
            "the interval \(text) is not greater than 0; leave '@MinSyncInterval' out to send every change"
        )
    }
}

// MARK: Composites

extension ModelMistake {
    static let compositeOfNothing = Self(
        "composite-of-nothing",
        "'@Composite' needs the properties that the value depends on, such as '@Composite(\\.width, \\.height)'"
    )

    static func compositeOfStored(_ name: String) -> Self {
        Self("composite-of-stored", "'@Composite' needs a computed property, but '\(name)' is stored")
    }

    static func compositeWithEffects(_ name: String) -> Self {
        Self("composite-with-effects", "the getter of the composite property '\(name)' can't be 'async' or throw")
    }

    static func notAKeyPath(_ text: String) -> Self {
        Self("not-a-key-path", "'\(text)' is not the key path of a property of the same object, such as '\\.width'")
    }

    static func dependencyTwice(_ name: String) -> Self {
        Self("dependency-twice", "'\(name)' is already named in this '@Composite'")
    }

    static func unknownDependency(_ name: String) -> Self {
        Self("unknown-dependency", "the model has no property '\(name)'")
    }

    static func ignoredDependency(_ name: String) -> Self {
        Self("ignored-dependency", "changes of '\(name)' are not observed, because it is not part of the model")
    }

    static func compositeOfItself(_ name: String) -> Self {
        Self("composite-of-itself", "'\(name)' can't depend on itself")
    }
}
