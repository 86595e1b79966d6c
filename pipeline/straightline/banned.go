package straightline

import "strings"

// banned maps functions that tests must not name to what they would do.
var banned = kinds(map[Kind]string{
	Process: `system popen fork vfork _Fork clone execl execlp execle execv execve execvp execvpe fexecve posix_spawn
		posix_spawnp kill killpg raise signal sigaction bsd_signal sigqueue ptrace syscall daemon dlopen dlmopen dlsym
		wordexp prctl setrlimit prlimit mprotect`,
	Exit: `exit _exit _Exit quick_exit abort atexit at_quick_exit on_exit __cxa_atexit longjmp _longjmp siglongjmp
		err errx verr verrx error terminate rethrow_exception __assert_fail __assert_perror_fail __assert
		__builtin_trap __builtin_unreachable pthread_exit thrd_exit`,
	Network: `socket socketpair connect bind listen accept accept4 send sendto sendmsg sendmmsg recv recvfrom recvmsg
		recvmmsg getaddrinfo getnameinfo gethostbyname gethostbyname2 gethostbyaddr getservbyname res_query res_search
		rcmd rexec`,
	Thread: `pthread_create thrd_create async`,
	Time: `time clock gettimeofday clock_gettime clock_getres timespec_get ftime times getrusage sleep usleep nanosleep
		clock_nanosleep sleep_for sleep_until alarm ualarm setitimer timer_create timerfd_create __rdtsc
		__builtin_readcyclecounter __builtin_ia32_rdtsc`,
	Random: `rand srand rand_r random srandom random_r initstate setstate drand48 erand48 lrand48 nrand48 mrand48 jrand48
		srand48 getrandom getentropy arc4random arc4random_uniform arc4random_buf getpid getppid gettid tmpnam tempnam`,
})

// bannedClasses are standard classes whose construction is banned.
var bannedClasses = kinds(map[Kind]string{
	Thread: "std::thread std::jthread",
	Random: "std::random_device",
})

// bannedMacros are predefined macros that differ from build to build.
var bannedMacros = kinds(map[Kind]string{Time: "__DATE__ __TIME__ __TIMESTAMP__"})

// hiddenAttributes make a function run, or mean another one, without a statement saying so.
var hiddenAttributes = map[string]string{
	"ConstructorAttr": "constructor", "DestructorAttr": "destructor", "CleanupAttr": "cleanup",
	"AliasAttr": "alias", "IFuncAttr": "ifunc", "WeakRefAttr": "weakref",
}

func kinds(names map[Kind]string) map[string]Kind {
	out := map[string]Kind{}
	for kind, list := range names {
		for _, name := range strings.Fields(list) {
			out[name] = kind
		}
	}
	return out
}

// bannedFunction returns the kind of violation that naming a function is, or "". Some names
// are also those of harmless C++ functions, which their types tell apart.
func bannedFunction(name, spelling string) Kind {
	switch name {
	case "bind":
		if !strings.HasPrefix(spelling, "int (int, ") { // std::bind
			return ""
		}
	case "async":
		if !strings.Contains(spelling, "future<") {
			return ""
		}
	case "now":
		if strings.Contains(spelling, "time_point") {
			return Time
		}
	}
	return banned[name]
}
