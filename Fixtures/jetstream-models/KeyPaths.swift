// Type-checked by a test: a key path that does not begin at the object.
import Jetstream

@Model
final class Shape {
    var x = 0
    @Composite(\ModelProperties.x) var y: Int { x } // expected-error {{'\\ModelProperties.x' is not the key path of a property of the same object, such as '\\.width'}}
}
