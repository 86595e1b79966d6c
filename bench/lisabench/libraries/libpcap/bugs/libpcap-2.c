/* pcap/bpf.h, "The instruction encodings": BPF_LEN is a mode of BPF_LD and of BPF_LDX.
 * No document says how bpf_image() prints an instruction; the text for BPF_LDX
 * follows from the one for BPF_LD. */
#include <assert.h>
#include <string.h>
#include <pcap/pcap.h>
int main(void)
{
	struct bpf_insn lda = { BPF_LD | BPF_W | BPF_LEN, 0, 0, 0 };
	struct bpf_insn ldx = { BPF_LDX | BPF_W | BPF_LEN, 0, 0, 0 };
	assert(strcmp(bpf_image(&lda, 0), "(000) ld       #pktlen") == 0);
	assert(strcmp(bpf_image(&ldx, 0), "(000) ldx      #pktlen") == 0);
	return 0;
}
