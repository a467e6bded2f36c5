#if !Server
    #error("HeliumServer needs the package trait Server: .package(…, traits: [\"Server\"])")
#endif
