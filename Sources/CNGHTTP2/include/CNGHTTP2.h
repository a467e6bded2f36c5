#ifndef HELIUM_CNGHTTP2_H
#define HELIUM_CNGHTTP2_H

#include <nghttp2/nghttp2.h>

#endif
