// Type-checked by a test: properties that can't be a model's.
import Jetstream

@Model
final class Constants {
    let x = 0 // expected-error {{'x' must be a variable: the server sets a model's properties}}
    // expected-note@-1 {{add '@Ignored'}} {{5-5=@Ignored }}
    // expected-note@-2 {{replace 'let' with 'var'}} {{5-8=var}}
    static let y = 0
    @Ignored let z = 0
}

@Model
final class Defaults {
    var x: Double // expected-error {{'x' needs a default value: objects from the server are created without arguments}}
    // expected-note@-1 {{add '= <#value#>'}} {{18-18= = <#value#>}}
    // expected-note@-2 {{add '@Ignored'}} {{5-5=@Ignored }}
    var list: [Defaults] // expected-error {{'list' needs a default value: objects from the server are created without arguments}}
    // expected-note@-1 {{add '= []'}} {{25-25= = []}}
    // expected-note@-2 {{add '@Ignored'}} {{5-5=@Ignored }}
    var next: Defaults?
}

@Model
final class Storage {
    lazy var x = 0 // expected-error {{'x' can't be 'lazy': '@Model' makes its storage}}
    // expected-note@-1 {{add '@Ignored'}} {{5-5=@Ignored }}
    // expected-note@-2 {{remove 'lazy'}} {{5-10=}}
    weak var y: Storage?
    @Ignored lazy var z = 0
    @Ignored weak var w: Storage?
}

@Model
final class Patterns {
    var (x, y) = (0, 0) // expected-error {{a model's property must be declared by its name, not by a pattern}}
    var z = 0, w = 0 // expected-error {{each property of a model needs a declaration of its own}}
}

@Model
final class Computed {
    var x: Int { 0 } // expected-error {{'x' is computed: name the properties it depends on with '@Composite', or add '@Ignored'}}
    // expected-note@-1 {{add '@Composite(\\.<#property#>)'}} {{5-5=@Composite(\\.<#property#>) }}
    // expected-note@-2 {{add '@Ignored'}} {{5-5=@Ignored }}
    @Ignored var y: Int { 0 }
}

@Model
final class Conditions {
    #if DEBUG // expected-error {{a model's properties can't be in '#if': '@Model' does not see which branch is compiled}}
    var x = 0
    #endif
}

@Model
final class WireNames {
    var x = 0 // expected-note {{'x' has this name on the wire}}
    @Key("x") var y = 0 // expected-error {{'y' has the same name on the wire as another property: 'x'}}
}

@Model
class Base {
    var x = 0
}

@Model
final class Derived: Base {
    override var x: Int { // expected-error {{'x' can't override a property: a model's property has one declaration}}
        didSet {}
    }
}

@Model
final class Reserved {
    var className = "" // expected-error {{'className' is a member of every model; choose another name, and keep this one on the wire with '@Key'}}
    @Key("uuid") var identifier = ""
}

@Model
final class StorageNames {
    var x = 0
    var _x = 0 // expected-error {{'_x' is the name of the storage that '@Model' makes for 'x'; choose another name, and keep this one on the wire with '@Key'}}
}
