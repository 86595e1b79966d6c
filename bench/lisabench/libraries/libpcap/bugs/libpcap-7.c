/* pcap_geterr.3pcap: "returns the error text pertaining to the last pcap library error".
 * The text names the number that does not fit into 32 bits, so it has to name all of it. */
#include <assert.h>
#include <string.h>
#include <pcap/pcap.h>
int main(void)
{
	struct bpf_program f;
	pcap_t *p = pcap_open_dead(DLT_RAW, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &f, "len == 123456789012345", 1, PCAP_NETMASK_UNKNOWN) == PCAP_ERROR);
	assert(strstr(pcap_geterr(p), "overflows") != NULL);
	assert(strstr(pcap_geterr(p), "123456789012345") != NULL);
	pcap_close(p);
	return 0;
}
