/* pcap-filter.manmisc.in: "vpi n": "True if the packet is an ATM packet, for SunATM on Solaris, with a virtual
 * path identifier of n." The identifier is 8 bits at the user-network interface (ITU-T I.361), so that 261 is
 * none. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	struct bpf_program code;
	pcap_t *p = pcap_open_dead(DLT_SUNATM, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &code, "vpi 5", 1, PCAP_NETMASK_UNKNOWN) == 0);
	pcap_freecode(&code);
	assert(pcap_compile(p, &code, "vpi 261", 1, PCAP_NETMASK_UNKNOWN) == PCAP_ERROR);
	pcap_close(p);
	return 0;
}
