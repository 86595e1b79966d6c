/* pcap-filter.manmisc.in: "ip multicast" is "True if the packet is an IPv4 multicast
 * packet".  Multicast addresses are those whose four upper bits are 1110, 224.0.0.0 to
 * 239.255.255.255 (RFC 1112, section 4), and 255.255.255.255 is the limited broadcast
 * (RFC 919, section 7). */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char packet[] = { 0x45, 0, 0, 20, 0, 0, 0, 0, 1, 17, 0, 0, 10, 0, 0, 1, 224, 0, 0, 1 };
	struct pcap_pkthdr header = { .caplen = sizeof packet, .len = sizeof packet };
	struct bpf_program multicast;
	pcap_t *p = pcap_open_dead(DLT_RAW, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &multicast, "ip multicast", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&multicast, &header, packet) != 0);
	packet[16] = 223;
	assert(pcap_offline_filter(&multicast, &header, packet) == 0);
	packet[16] = packet[17] = packet[18] = packet[19] = 255;
	assert(pcap_offline_filter(&multicast, &header, packet) == 0);
	pcap_freecode(&multicast);
	pcap_close(p);
	return 0;
}
