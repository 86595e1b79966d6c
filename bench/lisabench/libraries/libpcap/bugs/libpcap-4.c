/* pcap-filter.manmisc.in, proto [ expr : size ]: the byte offset is "relative to the
 * indicated protocol layer".  The first byte of an IPv4 packet has the version, 4, in its
 * upper half (RFC 791), so what "ip" accepts "ip[0] >> 4 == 4" has to accept too: also a
 * frame of the older ARCnet encapsulation (RFC 1051), whose header is 3 bytes shorter. */
#include <assert.h>
#include <pcap/pcap.h>
int main(void)
{
	unsigned char rfc1201[] = { 1, 2, 212, 0, 0, 1, 0x45, 0, 0, 20, 0, 0, 0, 0, 64, 6,
	    0, 0, 10, 0, 0, 1, 10, 0, 0, 2 };
	unsigned char rfc1051[] = { 1, 2, 240, 0x45, 0, 0, 20, 0, 0, 0, 0, 64, 6,
	    0, 0, 10, 0, 0, 1, 10, 0, 0, 2 };
	struct pcap_pkthdr h1 = { .caplen = sizeof rfc1201, .len = sizeof rfc1201 };
	struct pcap_pkthdr h2 = { .caplen = sizeof rfc1051, .len = sizeof rfc1051 };
	struct bpf_program ip, version;
	pcap_t *p = pcap_open_dead(DLT_ARCNET, 65535);
	assert(p != NULL);
	assert(pcap_compile(p, &ip, "ip", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_compile(p, &version, "ip[0] >> 4 == 4", 1, PCAP_NETMASK_UNKNOWN) == 0);
	assert(pcap_offline_filter(&ip, &h1, rfc1201) != 0);
	assert(pcap_offline_filter(&version, &h1, rfc1201) != 0);
	assert(pcap_offline_filter(&ip, &h2, rfc1051) == 0 || pcap_offline_filter(&version, &h2, rfc1051) != 0);
	pcap_freecode(&ip);
	pcap_freecode(&version);
	pcap_close(p);
	return 0;
}
