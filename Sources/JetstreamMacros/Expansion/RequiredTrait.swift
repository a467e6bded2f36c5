#if !Jetstream
    #error("Jetstream needs the package trait Jetstream: .package(…, traits: [\"Jetstream\"])")
#endif
