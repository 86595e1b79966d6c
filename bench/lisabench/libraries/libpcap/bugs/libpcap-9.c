/* pcap-filter.manmisc.in: "expr1 relop expr2": "True if the relation holds". 0 & 0xffffffff is 0, so that the
 * relation "!= 0" does not hold, whether the code is optimized (pcap_compile.3pcap: "optimize controls whether
 * optimization on the resulting code is performed") or not. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char packet[14] = { 0 };
	struct pcap_pkthdr header = { .caplen = sizeof packet, .len = sizeof packet };
	struct bpf_program plain, optimized;
	pcap_t *p = pcap_open_dead(DLT_EN10MB, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &plain, "ether[0:4] & 0xffffffff != 0", 0, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_compile(p, &optimized, "ether[0:4] & 0xffffffff != 0", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&plain, &header, packet) == 0);
	assert(pcap_offline_filter(&optimized, &header, packet) == 0);
	packet[3] = 1;
	assert(pcap_offline_filter(&plain, &header, packet) != 0);
	assert(pcap_offline_filter(&optimized, &header, packet) != 0);
	pcap_freecode(&plain);
	pcap_freecode(&optimized);
	pcap_close(p);
	return 0;
}
