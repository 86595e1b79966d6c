/* pcap-filter.manmisc.in: "vpi n": "True if the packet is an ATM packet, for SunATM on Solaris, with a virtual
 * path identifier of n." The operator != is true of the others. pcap-linktype.manmisc.in, DLT_SUNATM: the octet
 * after the flags is the VPI. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char packet[] = { 0, 5, 0, 9, 0, 0, 0, 0 };
	struct pcap_pkthdr header = { .caplen = sizeof packet, .len = sizeof packet };
	struct bpf_program code;
	pcap_t *p = pcap_open_dead(DLT_SUNATM, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &code, "vpi != 5", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&code, &header, packet) == 0);
	packet[1] = 6;
	assert(pcap_offline_filter(&code, &header, packet) != 0);
	pcap_freecode(&code);
	pcap_close(p);
	return 0;
}
