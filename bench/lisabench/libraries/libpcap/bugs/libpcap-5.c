/* pcap-filter.manmisc.in, ether proto: "True if the packet is of ether type protocol".  No
 * packet is of two types.  A BACnet MS/TP frame has none, so that the filter is either
 * refused (pcap_compile.3pcap.in, RETURN VALUE) or accepts nothing. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char frame[] = { 0x55, 0xff, 5, 1, 2, 0, 0, 0 };
	struct pcap_pkthdr header = { .caplen = sizeof frame, .len = sizeof frame };
	struct bpf_program type, both;
	int refused;
	pcap_t *p = pcap_open_dead(DLT_BACNET_MS_TP, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &type, "link[2] == 5", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&type, &header, frame) != 0);
	refused = pcap_compile(p, &both, "ether proto 0x0800 and ether proto 0x0806", 1, PCAP_NETMASK_UNKNOWN) == PCAP_ERROR;
	assert(refused || pcap_offline_filter(&both, &header, frame) == 0);
	pcap_freecode(&type);
	if (!refused)
		pcap_freecode(&both);
	pcap_close(p);
	return 0;
}
