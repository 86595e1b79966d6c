# The two commands of the README are quickstart and test; `make help` lists the rest.
BENCH := bin/bench

.PHONY: help picture install build image stand-in quickstart inner test test-all attack torture validate slurm-test slurm-throughput slurm-sweep bench growth vet lint recordings results clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

install: ## install what is missing on Debian 12 (clang-19, bubblewrap, deb-src, ...)
	scripts/install.sh

build: ## build bin/bench
	go build -o $(BENCH) ./cmd/bench

image: ## build the toolchain image, for `sandbox: docker`
	scripts/image.sh

quickstart: install build ## install, build and run experiments/quickstart.yaml
	$(BENCH) run experiments/quickstart.yaml

# A test that takes long asks testing.Short(). A test ends a hang itself; the limit here is the last resort.
LIMIT := 60m
SANDBOX ?= bwrap

test: install build vet ## build, run the tests but for the long ones, and prove what changed and a tenth of the corpus
	go test -short -timeout $(LIMIT) ./...
	$(BENCH) validate $$(scripts/sample-corpus.sh)

# What starts no compiler, sandbox or library build.
INNER := ./bench/... ./experiments/... ./stats/... ./results/... ./internal/arch ./internal/files/bounded ./internal/code/clex ./internal/files/durable \
	./internal/llm/... ./internal/report ./internal/run/slurm ./internal/trial ./internal/exec/verdicts ./pipeline/genloop ./pipeline/ngram

inner: ## while working: format, vet, and the tests that start no compiler (under 30 s once built)
	@test -z "$$(gofmt -l .)" || { echo "gofmt these:"; gofmt -l .; exit 1; }
	go vet $(INNER)
	go test -short $(INNER)

# Part of test-all.
attack: install ## what would fool, harm or stop bench: hostile programs, suites, answers and submissions (ATTACK=SCRIPT, SANDBOX=bwrap)
	LISA_BENCH_ATTACK_SANDBOX=$(SANDBOX) go test -count 1 -timeout $(LIMIT) -run 'TestAttack/$(ATTACK)' ./cmd/bench
	LISA_BENCH_ATTACK_SANDBOX=$(SANDBOX) go test -count 1 -timeout $(LIMIT) -run TestForgedDetections ./internal/run/harness

test-all: install build lint ## build, run every test (attack among them), and prove the whole corpus
	scripts/install.sh afl++
	go test -timeout $(LIMIT) ./...
	$(BENCH) validate

validate: install build ## prove every bug of the debian edition
	$(BENCH) validate

# Killed at MOMENTS random moments that SEED draws; then every single fault, one at a time.
SEED ?= 1
MOMENTS ?= 100
torture: install ## kill runs at random moments (SEED=1, MOMENTS=100), break the machine under them, and count losses
	for test in TestTorture TestFaults TestNoSecretLeaves; do \
		LISA_BENCH_TORTURE_SEED=$(SEED) LISA_BENCH_TORTURE_MOMENTS=$(MOMENTS) \
			go test -v -count 1 -timeout 120m -run "^$$test$$" ./cmd/bench || exit 1; \
	done

slurm-test: install ## run through a real Slurm of one node, with its node and controller killed (root)
	scripts/slurm-test.sh

slurm-throughput: install ## the same cells with --jobs and through Slurm, side by side in one run (root)
	scripts/slurm-test.sh throughput

slurm-sweep: install ## 10,000 empty cells through a real Slurm of one node (root)
	scripts/slurm-test.sh sweep

stand-in: install build ## correlate mutation score, coverage and bugs reached with bugs detected over suites of many kinds (docs/reference/metrics.md)
	$(BENCH) run examples/stand-in/experiment.yaml || test $$? = 3 # a machine without ../shared/suites lacks some cells
	$(BENCH) report results/runs/stand-in --only stand_in

bench: install ## compare our inner loop with the plain way, side by side in one run, and time whole suites
	go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./internal/exec/testrun
	go test -run '^$$' -bench Suites -benchtime 1x -timeout 60m ./internal/run/harness
	go test -run '^$$' -bench BenchmarkRead -benchtime 3x ./internal/code/cprog

GROWTH ?= 10000
growth: install ## evaluate suites of 10, 100, … programs for zlib (GROWTH=10000): time, memory, files
	LISA_BENCH_GROWTH=$(GROWTH) go test -run '^$$' -bench Growth -benchtime 1x -timeout 120m ./internal/run/harness

vet: ## gofmt, go vet, and govulncheck where its database can be reached
	@test -z "$$(gofmt -l .)" || { echo "gofmt these:"; gofmt -l .; exit 1; }
	go vet ./...
	scripts/govulncheck.sh

picture: ## make the README's picture of the quickstart's report (chromium)
	scripts/picture.sh

recordings: install ## make the suites of recordings/ again from the answers, and compare their tables (minutes a cell)
	LISA_BENCH_RECORDINGS=all go test -v -count 1 -timeout 120m -run '^TestRecordings$$' ./cmd/bench

results: install build ## run experiments/recorded.yaml, and compare docs/results.md with its report (UPDATE=1 writes the page anew)
	$(BENCH) run recorded
	LISA_BENCH_RESULTS=results/runs/recorded go test -count 1 -run '^TestResultsPage$$' ./cmd/bench $(if $(UPDATE),-update)

# Its first run fetches and compiles golangci-lint: 102 s of CPU on one core of an AMD EPYC.
lint: vet ## vet, and golangci-lint with .golangci.yml (part of test-all)
	go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...

clean: ## remove bin/ (results and the cache stay)
	rm -rf bin
