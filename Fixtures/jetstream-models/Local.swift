// Type-checked by a test: a model in a function, which the compiler reports too.
import Jetstream

func make() {
    @Model
    final class Shape {} // expected-error {{a model can't be declared in a function; declare it in the file or in a type}} expected-error {{local type cannot have attached extension macro}}
}
