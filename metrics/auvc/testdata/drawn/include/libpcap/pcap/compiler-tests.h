
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
#ifndef lib_pcap_compiler_tests_h
#define lib_pcap_compiler_tests_h
#ifndef __has_attribute
 #define __has_attribute(x) 0
#endif
#if ! defined(__GNUC__)
 #define PCAP_IS_AT_LEAST_GNUC_VERSION(major, minor) 0
#else
 #define PCAP_IS_AT_LEAST_GNUC_VERSION(major, minor) \
 (__GNUC__ > (major) || \
 (__GNUC__ == (major) && __GNUC_MINOR__ >= (minor)))
#endif
#if !defined(__clang__)
 #define PCAP_IS_AT_LEAST_CLANG_VERSION(major, minor) 0
#else
 #define PCAP_IS_AT_LEAST_CLANG_VERSION(major, minor) \
 (__clang_major__ > (major) || \
 (__clang_major__ == (major) && __clang_minor__ >= (minor)))
#endif
#if ! defined(__SUNPRO_C)
 #define PCAP_IS_AT_LEAST_SUNC_VERSION(major,minor) 0
#else
 #define PCAP_SUNPRO_VERSION_TO_BCD(major, minor) \
 (((minor) >= 10) ? \
 (((major) << 12) | (((minor)/10) << 8) | (((minor)%10) << 4)) : \
 (((major) << 8) | ((minor) << 4)))
 #define PCAP_IS_AT_LEAST_SUNC_VERSION(major,minor) \
 (__SUNPRO_C >= PCAP_SUNPRO_VERSION_TO_BCD((major), (minor)))
#endif
#if ! defined(__xlC__) && ! defined(__ibmxl__)
 #define PCAP_IS_AT_LEAST_XL_C_VERSION(major,minor) 0
#else
 #if defined(__ibmxl__)
 #define PCAP_IS_AT_LEAST_XL_C_VERSION(major, minor) \
 (__ibmxl_version__ > (major) || \
 (__ibmxl_version__ == (major) && __ibmxl_release__ >= (minor)))
 #else
 #define PCAP_IS_AT_LEAST_XL_C_VERSION(major, minor) \
 (__xlC__ >= (((major) << 8) | (minor)))
 #endif
#endif
#if ! defined(__HP_aCC)
 #define PCAP_IS_AT_LEAST_HP_C_VERSION(major,minor) 0
#else
 #define PCAP_IS_AT_LEAST_HP_C_VERSION(major,minor) \
 (__HP_aCC >= ((major)*10000 + (minor)*100))
#endif
#endif
