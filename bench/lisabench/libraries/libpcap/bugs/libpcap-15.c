/* pcap-filter.manmisc.in: "isis proto protocol": "True if the packet is an IS-IS packet of protocol type
 * protocol." ISO/IEC 10589, sections 9.5 to 9.13: the type is the lower five bits of its octet; the others are
 * reserved, "ignored on receipt". */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char packet[] = { 1, 0x80, 0xc2, 0, 0, 0x14, 0, 0, 0, 0, 0, 1, 0, 11, 0xfe, 0xfe, 3, 0x83, 27, 1, 0, 0x10, 1, 0, 0 };
	struct pcap_pkthdr header = { .caplen = sizeof packet, .len = sizeof packet };
	struct bpf_program code;
	pcap_t *p = pcap_open_dead(DLT_EN10MB, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &code, "isis proto 16", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&code, &header, packet) != 0);
	packet[21] = 0xf0;
	assert(pcap_offline_filter(&code, &header, packet) != 0);
	packet[21] = 0x11;
	assert(pcap_offline_filter(&code, &header, packet) == 0);
	pcap_freecode(&code);
	pcap_close(p);
	return 0;
}
