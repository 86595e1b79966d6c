/* pcap-filter.manmisc.in: "Primitives may be combined using", and there
 * "Alternation (`||' or `or')".  So "igmp or ip" accepts whatever "ip" accepts,
 * here a TCP packet.  On DLT_IPV4 every packet is IPv4. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char packet[40] = { 0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6 /* TCP */ };
	struct pcap_pkthdr header = { .caplen = sizeof packet, .len = sizeof packet };
	struct bpf_program ip, either;
	pcap_t *p = pcap_open_dead(DLT_IPV4, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &ip, "ip", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&ip, &header, packet) != 0);
	assert(pcap_compile(p, &either, "igmp or ip", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&either, &header, packet) != 0);
	pcap_freecode(&ip);
	pcap_freecode(&either);
	pcap_close(p);
	return 0;
}
