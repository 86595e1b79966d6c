// r0001-c-sequence06
#include <zlib.h>
#include <stdio.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    const char text[] = "A gzip file has a header, a deflate stream, a CRC-32 and a length.";
    unsigned char raw[512];
    unsigned char plain[256];
    unsigned char again[256];
    memset(raw, 0, sizeof raw);
    memset(plain, 0, sizeof plain);
    memset(again, 0, sizeof again);
    z_stream strm;
    memset(&strm, 0, sizeof strm);
    gz_header header;
    memset(&header, 0, sizeof header);

    // STEP2
    gzFile out = gzopen("raw06.gz", "wb7");
    int wrote = gzwrite(out, text, (unsigned)sizeof text);
    long pos = gzseek(out, 20, SEEK_CUR);
    int close_rc = gzclose_w(out);
    FILE *file = fopen("raw06.gz", "rb");
    size_t size = fread(raw, 1, sizeof raw, file);
    int fclose_rc = fclose(file);

    // STEP3
    strm.zalloc = Z_NULL;
    strm.zfree = Z_NULL;
    strm.opaque = Z_NULL;
    strm.next_in = raw;
    strm.avail_in = (uInt)size;
    int init_rc = inflateInit2(&strm, MAX_WBITS + 16);
    int header_rc = inflateGetHeader(&strm, &header);
    strm.next_out = plain;
    strm.avail_out = (uInt)sizeof plain;
    int inflate_rc = inflate(&strm, Z_FINISH);
    uLong stream_check = strm.adler;
    uLong total_in = strm.total_in;
    uLong total_out = strm.total_out;
    uInt left_out = strm.avail_out;
    int end_rc = inflateEnd(&strm);

    // STEP4
    uLong expected = crc32(0L, Z_NULL, 0);
    expected = crc32(expected, plain, (uInt)total_out);
    uLong part1 = crc32(crc32(0L, Z_NULL, 0), plain, 30);
    uLong part2 = crc32(crc32(0L, Z_NULL, 0), plain + 30, (uInt)total_out - 30);
    uLong combined = crc32_combine(part1, part2, (long)total_out - 30);

    // STEP5
    unsigned char packed[512];
    memset(packed, 0, sizeof packed);
    uLongf packed_len = compressBound(total_out);
    int pack_rc = compress(packed, &packed_len, plain, total_out);
    uLongf again_len = total_out;
    uLong packed_used = packed_len;
    int unpack_rc = uncompress2(again, &again_len, packed, &packed_used);
}
