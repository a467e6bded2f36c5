// Type-checked by a test: attributes in the wrong place, or that contradict each other.
import Jetstream

let interval = 0.5
let name = "x"

@Model
final class Shape {
    @Key("") var a = 0 // expected-error {{the name in '@Key' is empty}}
    @Key(name) var b = 0 // expected-error {{'@Key' needs a string literal without interpolation}}
    @Key("\(name)") var c = 0 // expected-error {{'@Key' needs a string literal without interpolation}}
    @Local @Local var d = 0 // expected-error {{'@Local' is already applied to this declaration}}
    // expected-note@-1 {{remove '@Local'}} {{12-19=}}
    @Local @Key("y") var e = 0 // expected-error {{'@Key' has no effect together with '@Local': a local property is never sent}}
    // expected-note@-1 {{remove '@Key("y")'}} {{12-22=}}
    @Local @MinSyncInterval(1) var f = 0 // expected-error {{'@MinSyncInterval' has no effect together with '@Local': a local property is never sent}}
    // expected-note@-1 {{remove '@MinSyncInterval(1)'}} {{12-32=}}
    @Ignored @Local var g = 0 // expected-error {{'@Local' has no effect together with '@Ignored': an ignored property is not part of the model}}
    // expected-note@-1 {{remove '@Local'}} {{14-21=}}
    @Local static var h: Int { 0 } // expected-error {{'@Local' can't be applied to a static property, which is not part of the model}}
    // expected-note@-1 {{remove '@Local'}} {{5-12=}}
    @MinSyncInterval(0) var i = 0 // expected-error {{the interval 0 is not greater than 0; leave '@MinSyncInterval' out to send every change}}
    @MinSyncInterval(-1) var j = 0 // expected-error {{the interval -1 is not greater than 0; leave '@MinSyncInterval' out to send every change}}
    @MinSyncInterval(interval) var k = 0 // expected-error {{'@MinSyncInterval' needs a number of seconds as a literal}}
    @MinSyncInterval(1e999) var n = 0 // expected-error {{the interval 1e999 is not a number of seconds}}
    @Local func l() {} // expected-error {{'@Local' can only be applied to a property of a model}}
    // expected-note@-1 {{remove '@Local'}} {{5-12=}}
}

final class Plain {
    @Local var x = 0 // expected-error {{'@Local' has no effect outside a class with '@Model'}}
    // expected-note@-1 {{remove '@Local'}} {{5-12=}}
}

extension Shape {
    @Composite(\.a) var m: Int { a } // expected-error {{'@Composite' has no effect in an extension; move the property into the class}}
    // expected-note@-1 {{remove '@Composite(\\.a)'}} {{5-21=}}
}
