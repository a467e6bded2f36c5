#if !Server && !MessageBeast
    #error("HeliumDatabase needs the package trait Server or MessageBeast: .package(…, traits: [\"MessageBeast\"])")
#endif
