// Type-checked by a test: a property without a type, which the compiler reports too.
import Jetstream

@Model
final class Shape {
    var x // expected-error {{'x' needs a type and a default value}} expected-error {{type annotation missing in pattern}}
    // expected-note@-1 {{add ': <#type#> = <#value#>'}} {{10-10=: <#type#> = <#value#>}}
    // expected-note@-2 {{add '@Ignored'}} {{5-5=@Ignored }}
}
