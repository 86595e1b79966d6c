// sends to the host by every family
// outcome: ok
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
static int reach(int family, int type, const void *address, socklen_t n) {
	int s = socket(family, type, 0);
	return s >= 0 && connect(s, address, n) == 0;
}
int main(void) {
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in out = in;
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(PORT), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_un abstract = {.sun_family = AF_UNIX}, named = {.sun_family = AF_UNIX};
	strcpy(abstract.sun_path + 1, ABSTRACT), strcpy(named.sun_path, SOCKET);
	inet_pton(AF_INET, "1.1.1.1", &out.sin_addr);
	if (reach(AF_INET, SOCK_STREAM, &in, sizeof in) || reach(AF_INET, SOCK_DGRAM, &out, sizeof out) || reach(AF_INET6, SOCK_STREAM, &in6, sizeof in6)) return 1;
	if (reach(AF_UNIX, SOCK_STREAM, &abstract, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(ABSTRACT))) return 2;
	if (reach(AF_UNIX, SOCK_STREAM, &named, sizeof named)) return 3;
	for (int family = 3; family < 46; family++) { // vsock, packet, alg, bluetooth, ...
		if (family != AF_INET6 && family != AF_NETLINK && socket(family, SOCK_STREAM, 0) >= 0) return 100 + family;
		if (family != AF_INET6 && family != AF_NETLINK && socket(family, SOCK_DGRAM, 0) >= 0) return 100 + family;
	}
	if (socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0) return 4;
	struct ifaddrs *all, *a;
	if (getifaddrs(&all)) return 0;
	for (a = all; a; a = a->ifa_next) {
		if (strcmp(a->ifa_name, "lo") && a->ifa_addr && a->ifa_addr->sa_family != AF_PACKET) return 5;
	}
	return 0;
}
