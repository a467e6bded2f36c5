// SwiftPM compiles every target of this package, also without the trait HTTP2 and where nghttp2 is not installed.
#if __has_include(<nghttp2/nghttp2.h>)
#include "CNGHTTP2.h"
#endif
