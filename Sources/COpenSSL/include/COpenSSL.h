#ifndef HELIUM_COPENSSL_H
#define HELIUM_COPENSSL_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#endif
