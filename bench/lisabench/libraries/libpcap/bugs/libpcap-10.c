/* pcap-filter.manmisc.in: "ip proto protocol": "True if the packet is an IPv4 packet of protocol type protocol".
 * RFC 791, section 3.1: Protocol is 8 bits. pcap_compile.3pcap.in: a string that is no filter is refused with
 * PCAP_ERROR. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	struct bpf_program code;
	pcap_t *p = pcap_open_dead(DLT_EN10MB, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &code, "ip proto 6", 1, PCAP_NETMASK_UNKNOWN) == 0);
	pcap_freecode(&code);
	assert(pcap_compile(p, &code, "ip proto 262", 1, PCAP_NETMASK_UNKNOWN) == PCAP_ERROR);
	pcap_close(p);
	return 0;
}
