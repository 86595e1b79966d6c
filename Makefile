# The two commands of the README are quickstart and test; `make help` lists the rest.
BENCH := bin/bench
# A test that takes long asks testing.Short(). A test ends a hang itself; the limit here is the last resort.
LIMIT := 80m
SANDBOX ?= bwrap
# What the tests have fetched and built is there (package testcache).
TESTCACHE := $${XDG_CACHE_HOME:-$$HOME/.cache}/lisa-bench-tests

.PHONY: help install build image quickstart inner vet lint size test test-all validate attack torture slurm-test bench picture recordings results scored clean

##@ Start

help: ## show this list
	@awk -F ':.*## ' '/^##@ /{print "\n" substr($$0, 5) ":"} /^[a-z-]+:.*## /{printf "  %-18s%s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: ## install what is missing on Debian 12 (clang-19, bubblewrap, deb-src, ...)
	scripts/install.sh

build: ## build bin/bench
	go build -o $(BENCH) ./cmd/bench

image: ## build the toolchain image, for `sandbox: docker`
	scripts/image.sh

# apt keeps one core busy, and the build takes the other.
quickstart: ## install, build and run experiments/quickstart.yaml
	@$(MAKE) --no-print-directory -j2 install build
	$(BENCH) run experiments/quickstart.yaml

##@ Work on the code

# What starts no compiler, sandbox or library build.
INNER := ./bench/... ./experiments/... ./stats/... ./results/... ./internal/arch ./internal/bounded ./internal/clex ./internal/durable \
	./internal/llm/... ./report ./run/slurm ./internal/trial ./internal/store ./pipeline/genloop ./pipeline/ngram

inner: ## gofmt, vet, and the tests that start no compiler (under 30 s once built)
	@test -z "$$(gofmt -l .)" || { echo "gofmt these:"; gofmt -l .; exit 1; }
	go vet $(INNER)
	go test -short $(INNER)

vet: ## gofmt, go vet, and govulncheck if its database can be reached
	@test -z "$$(gofmt -l .)" || { echo "gofmt these:"; gofmt -l .; exit 1; }
	go vet ./...
	scripts/govulncheck.sh

# Its first run fetches and compiles golangci-lint: 102 s of CPU on one core of an AMD EPYC.
lint: vet ## vet, and golangci-lint
	go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...

size: ## lines of code by package, against the budgets of scripts/size.budget
	@scripts/size.sh

test: install build vet ## run the short tests; prove changed bugs
	go test -short -vet off -timeout $(LIMIT) ./...
	$(BENCH) validate --cache $(TESTCACHE) $$(scripts/sample-corpus.sh)

test-all: install build lint ## lint, run all tests, and prove the whole corpus (what CI does)
	scripts/install.sh afl++ agents libgtest-dev check libcmocka-dev
	go test -vet off -timeout $(LIMIT) ./...
	$(BENCH) validate --cache $(TESTCACHE)

##@ Prove and attack

validate: install build ## prove every bug of the debian edition
	$(BENCH) validate

# Part of test-all.
attack: install ## run hostile programs, suites, answers and submissions (ATTACK=SCRIPT, SANDBOX=bwrap)
	LISA_BENCH_ATTACK_SANDBOX=$(SANDBOX) go test -count 1 -timeout $(LIMIT) -run 'TestAttack/$(ATTACK)' ./cmd/bench
	LISA_BENCH_ATTACK_SANDBOX=$(SANDBOX) go test -count 1 -timeout $(LIMIT) -run TestForgedDetections ./run/harness

# Killed at MOMENTS random moments that SEED draws; then every single fault, one at a time.
SEED ?= 1
MOMENTS ?= 100
torture: install ## kill runs at random moments, inject faults, count losses (SEED=1, MOMENTS=100)
	for test in TestTorture TestFaults TestNoSecretLeaves; do \
		LISA_BENCH_TORTURE_SEED=$(SEED) LISA_BENCH_TORTURE_MOMENTS=$(MOMENTS) \
			go test -v -count 1 -timeout 120m -run "^$$test$$" ./cmd/bench || exit 1; \
	done

slurm-test: install ## run on a real Slurm of one node; kill node and controller (root)
	scripts/slurm-test.sh

##@ Measure speed

bench: install ## compare the inner loop with the plain way, and time a whole suite (LISA_BENCH_SUITES=DIR)
	go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./execute/testrun
	go test -run '^$$' -bench Suites -benchtime 1x -timeout 60m ./run/harness
	go test -run '^$$' -bench BenchmarkRead -benchtime 3x ./internal/cprog

##@ Results and recordings

picture: ## screenshot the quickstart's report for the README (chromium)
	scripts/picture.sh

recordings: install ## replay all of recordings/ and compare the tables (minutes per cell)
	LISA_BENCH_RECORDINGS=all go test -v -count 1 -timeout 120m -run '^Test(Recordings|Replayed)' ./cmd/bench

results: build ## make docs/results/index.html, the report of recordings/scored
	mkdir -p docs/results
	$(BENCH) report recordings/scored/recorded --format html > docs/results/index.html

scored: ## keep the records of a finished "bench run recorded" as those that come with the project (RUN=DIR)
	scripts/scored.sh $(RUN)

##@ Clean up

clean: ## remove bin/ (results and the cache stay)
	rm -rf bin
