#if !MessageBeast
    #error("MessageBeast needs the package trait MessageBeast: .package(…, traits: [\"MessageBeast\"])")
#endif
