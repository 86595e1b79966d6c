
/*
 * Copyright (c) 1993, 1994, 1995, 1996, 1997
 * The Regents of the University of California. All rights reserved.
 *
 * Redistribution and use in source and binary forms, with or without
 * modification, are permitted provided that the following conditions
 * are met:
 * 1. Redistributions of source code must retain the above copyright
 * notice, this list of conditions and the following disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright
 * notice, this list of conditions and the following disclaimer in the
 * documentation and/or other materials provided with the distribution.
 * 3. All advertising materials mentioning features or use of this software
 * must display the following acknowledgement:
 * This product includes software developed by the Computer Systems
 * Engineering Group at Lawrence Berkeley Laboratory.
 * 4. Neither the name of the University nor of the Laboratory may be used
 * to endorse or promote products derived from this software without
 * specific prior written permission.
 *
 * THIS SOFTWARE IS PROVIDED BY THE REGENTS AND CONTRIBUTORS ``AS IS'' AND
 * ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
 * IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
 * ARE DISCLAIMED. IN NO EVENT SHALL THE REGENTS OR CONTRIBUTORS BE LIABLE
 * FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
 * DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS
 * OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION)
 * HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT
 * LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY
 * OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF
 * SUCH DAMAGE.
 */
#ifndef lib_pcap_funcattrs_h
#define lib_pcap_funcattrs_h
#include <pcap/compiler-tests.h>
#if defined(_WIN32)
 #if defined(pcap_EXPORTS)
 #define PCAP_API_DEF __declspec(dllexport)
 #elif defined(PCAP_DLL)
 #define PCAP_API_DEF __declspec(dllimport)
 #else
 #define PCAP_API_DEF
 #endif
#elif defined(MSDOS)
 #define PCAP_API_DEF
#else
 #ifdef pcap_EXPORTS
 #if PCAP_IS_AT_LEAST_GNUC_VERSION(3,4) \
 || PCAP_IS_AT_LEAST_XL_C_VERSION(12,0)
 #define PCAP_API_DEF __attribute__((visibility("default")))
 #elif PCAP_IS_AT_LEAST_SUNC_VERSION(5,5)
 #define PCAP_API_DEF __global
 #else
 #define PCAP_API_DEF
 #endif
 #else
 #define PCAP_API_DEF
 #endif
#endif
#define PCAP_API PCAP_API_DEF extern
#ifdef __APPLE__
#include <Availability.h>
#define PCAP_AVAILABLE(...)
#define PCAP_AVAILABLE_0_4 PCAP_AVAILABLE(macos(10.0))
#define PCAP_AVAILABLE_0_5 PCAP_AVAILABLE(macos(10.0))
#define PCAP_AVAILABLE_0_6 PCAP_AVAILABLE(macos(10.1))
#define PCAP_AVAILABLE_0_7 PCAP_AVAILABLE(macos(10.4))
#define PCAP_AVAILABLE_0_8 PCAP_AVAILABLE(macos(10.4))
#define PCAP_AVAILABLE_0_9 PCAP_AVAILABLE(macos(10.5), ios(1.0))
#define PCAP_AVAILABLE_1_0 PCAP_AVAILABLE(macos(10.6), ios(4.0))
#define PCAP_AVAILABLE_1_2 PCAP_AVAILABLE(macos(10.9), ios(6.0))
#define PCAP_AVAILABLE_1_5 PCAP_AVAILABLE(macos(10.10), ios(7.0), watchos(1.0))
#define PCAP_AVAILABLE_1_7 PCAP_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0))
#define PCAP_AVAILABLE_1_8 PCAP_AVAILABLE(macos(10.13), ios(11.0), tvos(11.0), watchos(4.0))
#define PCAP_AVAILABLE_1_9 PCAP_AVAILABLE(macos(10.13), ios(11.0), tvos(11.0), watchos(4.0))
#define PCAP_AVAILABLE_1_10
#define PCAP_AVAILABLE_1_11
#else
#define PCAP_AVAILABLE_0_4
#define PCAP_AVAILABLE_0_5
#define PCAP_AVAILABLE_0_6
#define PCAP_AVAILABLE_0_7
#define PCAP_AVAILABLE_0_8
#define PCAP_AVAILABLE_0_9
#define PCAP_AVAILABLE_1_0
#define PCAP_AVAILABLE_1_2
#define PCAP_AVAILABLE_1_5
#define PCAP_AVAILABLE_1_7
#define PCAP_AVAILABLE_1_8
#define PCAP_AVAILABLE_1_9
#define PCAP_AVAILABLE_1_10
#define PCAP_AVAILABLE_1_11
#endif
#if __has_attribute(noreturn) \
 || PCAP_IS_AT_LEAST_GNUC_VERSION(2,5) \
 || PCAP_IS_AT_LEAST_SUNC_VERSION(5,9) \
 || PCAP_IS_AT_LEAST_XL_C_VERSION(10,1) \
 || PCAP_IS_AT_LEAST_HP_C_VERSION(6,10)
 #define PCAP_NORETURN __attribute((noreturn))
 #define PCAP_NORETURN_DEF __attribute((noreturn))
#elif defined(_MSC_VER)
 #define PCAP_NORETURN __declspec(noreturn)
 #define PCAP_NORETURN_DEF
#else
 #define PCAP_NORETURN
 #define PCAP_NORETURN_DEF
#endif
#if __has_attribute(__format__) \
 || PCAP_IS_AT_LEAST_GNUC_VERSION(2,3) \
 || PCAP_IS_AT_LEAST_XL_C_VERSION(10,1) \
 || PCAP_IS_AT_LEAST_HP_C_VERSION(6,10)
 #define PCAP_PRINTFLIKE(x,y) __attribute__((__format__(__printf__,x,y)))
#else
 #define PCAP_PRINTFLIKE(x,y)
#endif
#if __has_attribute(deprecated) \
 || PCAP_IS_AT_LEAST_GNUC_VERSION(4,5) \
 || PCAP_IS_AT_LEAST_SUNC_VERSION(5,13)
 #define PCAP_DEPRECATED(msg) __attribute__((deprecated(msg)))
#elif PCAP_IS_AT_LEAST_GNUC_VERSION(3,1)
 #define PCAP_DEPRECATED(msg) __attribute__((deprecated))
#elif defined(_MSC_VER) && !defined(BUILDING_PCAP)
 #define PCAP_DEPRECATED(msg) _declspec(deprecated(msg))
#else
 #define PCAP_DEPRECATED(msg)
#endif
#ifdef _MSC_VER
 #include <sal.h>
 #define PCAP_FORMAT_STRING(p) _Printf_format_string_ p
#else
 #define PCAP_FORMAT_STRING(p) p
#endif
#endif
