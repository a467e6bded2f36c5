#ifndef HELIUM_CLIBCURL_H
#define HELIUM_CLIBCURL_H

#include <curl/curl.h>

#endif
