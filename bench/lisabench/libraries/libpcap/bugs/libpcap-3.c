/* pcap-filter.manmisc.in, geneve: "it changes the decoding offsets for the remainder of
 * the expression on the assumption that the packet is a Geneve packet".  So "geneve and
 * icmp" accepts ICMP inside an Ethernet frame inside Geneve. */
#include <assert.h>
#include <string.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char frame[14 + 20 + 8 + 8 + 14 + 20 + 8];
	struct pcap_pkthdr header = { .caplen = sizeof frame, .len = sizeof frame };
	struct bpf_program outer, inner;
	pcap_t *p = pcap_open_dead(DLT_EN10MB, 65535);
	assert(p != NULL);
	memset(frame, 0, sizeof frame);
	frame[12] = 0x08;				/* outer Ethernet: IPv4 */
	frame[14] = 0x45; frame[22] = 64; frame[23] = 17;	/* outer IPv4: UDP */
	frame[36] = 6081 >> 8; frame[37] = 6081 & 0xff;	/* UDP destination port */
	frame[44] = 0x65; frame[45] = 0x58;		/* Geneve: an Ethernet frame */
	frame[50 + 12] = 0x08;				/* inner Ethernet: IPv4 */
	frame[64] = 0x45; frame[72] = 64; frame[73] = 1;	/* inner IPv4: ICMP */
	assert(pcap_compile(p, &outer, "geneve", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&outer, &header, frame) != 0);
	assert(pcap_compile(p, &inner, "geneve and icmp", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&inner, &header, frame) != 0);
	pcap_freecode(&outer);
	pcap_freecode(&inner);
	pcap_close(p);
	return 0;
}
