/* grammar.y.in: "byte" NUM byteop NUM, as "byte 3 = 1", is about the octet at that place of the packet (gen_byteop
 * compares it for =, < and >), and so is & of a bit: true where the octet has the bit. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char packet[] = { 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0 };
	struct pcap_pkthdr header = { .caplen = sizeof packet, .len = sizeof packet };
	struct bpf_program code;
	pcap_t *p = pcap_open_dead(DLT_EN10MB, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &code, "byte 3 & 1", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&code, &header, packet) != 0);
	packet[3] = 2;
	assert(pcap_offline_filter(&code, &header, packet) == 0);
	pcap_freecode(&code);
	pcap_close(p);
	return 0;
}
