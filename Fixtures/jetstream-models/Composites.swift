// Type-checked by a test: computed properties that can't be observed as they are declared.
import Jetstream

@Model
final class Shape {
    var x = 0
    var next: Shape?
    @Ignored var y = 0

    @Composite() var a: Int { 0 } // expected-error {{'@Composite' needs the properties that the value depends on, such as '@Composite(\\.width, \\.height)'}}
    @Composite(\.x) var b = 0 // expected-error {{'@Composite' needs a computed property, but 'b' is stored}}
    // expected-note@-1 {{remove '@Composite(\\.x)'}} {{5-21=}}
    @Composite(\.x) var c: Int { get throws { 0 } } // expected-error {{the getter of the composite property 'c' can't be 'async' or throw}}
    @Composite(\.x, \.x) var d: Int { 0 } // expected-error {{'x' is already named in this '@Composite'}}
    @Composite(\.z) var e: Int { 0 } // expected-error {{the model has no property 'z'}}
    @Composite(\.y) var f: Int { 0 } // expected-error {{changes of 'y' are not observed, because it is not part of the model}}
    @Composite(\.g) var g: Int { 0 } // expected-error {{'g' can't depend on itself}}
    @Composite(\.x) @Local var h: Int { 0 } // expected-error {{'@Local' has no effect together with '@Composite': a composite property is never sent}}
    // expected-note@-1 {{remove '@Local'}} {{21-28=}}
    @Composite(\.x) var i: Int { x }
}
