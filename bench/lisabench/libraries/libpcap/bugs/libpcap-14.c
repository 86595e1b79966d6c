/* pcap-filter.manmisc.in: "dir dir": "True if the IEEE 802.11 frame direction matches the specified dir. Valid
 * directions are: nods, tods, fromds, dstods, or a numeric value." IEEE 802.11, section 9.2.4.1: To DS and From DS
 * are one bit each, so that 4 is no value of them. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	struct bpf_program code;
	pcap_t *p = pcap_open_dead(DLT_IEEE802_11, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &code, "wlan dir 3", 1, PCAP_NETMASK_UNKNOWN) == 0);
	pcap_freecode(&code);
	assert(pcap_compile(p, &code, "wlan dir 4", 1, PCAP_NETMASK_UNKNOWN) == PCAP_ERROR);
	pcap_close(p);
	return 0;
}
