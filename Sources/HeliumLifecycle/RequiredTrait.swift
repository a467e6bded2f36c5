#if !Server && !Lifecycle
    #error("HeliumLifecycle needs the package trait Lifecycle or Server: .package(…, traits: [\"Lifecycle\"])")
#endif
