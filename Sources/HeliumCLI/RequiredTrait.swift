#if !CommandLineTool
    #error("the tool helium needs the package trait CommandLineTool: .package(…, traits: [\"CommandLineTool\"])")
#endif
