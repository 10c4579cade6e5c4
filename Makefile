# Everything that can be done here. `make` alone lists it.
.DEFAULT_GOAL := help
# A list of errands, not a graph: two of them at once would fight over apt's and SwiftPM's locks.
.NOTPARALLEL:
.PHONY: help demo test test-all nightly soak build release install uninstall deb dist try-dist ci-files bench install-deps clients check-clients weak-exam unit end-to-end format lint asan tsan fuzz clean

SWIFT_FILES = Package.swift Sources Tests
# With Swift's libraries inside it starts in less time, and runs where there is no Swift. They are part of macOS.
RELEASE = swift build -c release $(if $(filter Darwin,$(shell uname -s)),,--static-swift-stdlib) --product
# Nothing calls libcurl (Sources/CNoCurl/nocurl.c), but Foundation has it linked, and 27 libraries behind it: a tenth of a start.
SLIM = $(if $(filter Darwin,$(shell uname -s)),true,patchelf --remove-needed libcurl.so.4) .build/release/pinproof

help: ## List what can be done
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: ## Install what a build needs, build, and see four verdicts in under a minute
	@.ci/install build static demo
	$(RELEASE) pinproof
	@$(SLIM)
	.build/release/pinproof demo

test: ## Install what the tests need, clients included, and run every test
	@.ci/install build demo clients
	@.ci/test

test-all: ## `make test` with every client in every end-to-end test
	PINPROOF_TESTS=all $(MAKE) test

nightly: ## Every client in every test, both sanitizers, ten minutes of fuzzing for each reader, half an hour of load (five hours)
	@.ci/nightly

soak: release ## Half an hour of full load with faults mixed in; then memory, descriptors and every record are checked
	Tests/Soak/run --pinproof .build/release/pinproof

build: ## Build for debugging
	@.ci/install build
	swift build

release: ## Build .build/release/pinproof, which runs without Swift
	@.ci/install build static
	$(RELEASE) pinproof
	@$(SLIM)

PROGRAM ?= .build/release/pinproof
PREFIX ?= /usr/local
# PROGRAM=.build/release/pinproof: what was built before, as for root, who may have no Swift.
$(if $(filter command environment,$(origin PROGRAM)),install deb dist: ,install deb dist: release)

install: ## Install program, completions and man pages: PREFIX=/usr/local [DESTDIR=...] [PROGRAM=.build/release/pinproof]
	@packaging/install "$(PROGRAM)" "$(PREFIX)"

uninstall: ## Remove what `make install` put there, with the same PREFIX and DESTDIR
	@packaging/install --remove "$(PREFIX)"

deb: ## Pack a Debian package into dist/
	@.ci/install package
	@packaging/deb "$(PROGRAM)" dist

dist: ## Pack dist/pinproof-VERSION-linux-ARCH.tar.gz, which runs without Swift and most libraries
	@.ci/install package
	@packaging/dist "$(PROGRAM)" dist

try-dist: ## Try that tar ball in a bare Debian 12 (debootstrap, as root), and have lintian look at the package
	@.ci/install try
	@packaging/try dist/pinproof-*.tar.gz
	@if ls dist/*.deb > /dev/null 2>&1; then lintian --allow-root --fail-on error,warning dist/*.deb; fi

ci-files: ## Check what CI systems read, by their own schemas and linters (from PyPI)
	@.ci/install try
	@.ci/ci-files

bench: ## What decoding, recording and finding cost, in a table (a minute; BENCH="store filter" for some of it)
	@.ci/install build static
	$(RELEASE) Benchmarks
	.build/release/Benchmarks $(BENCH)

install-deps: ## Install every package that building and testing need (.ci/packages)
	@.ci/install build demo clients

clients: ## Build the test clients and say which are installed
	@.ci/install build clients
	@Tests/Clients/install
	@Tests/Clients/install --list

check-clients: clients ## Examine the test clients without pinproof
	Tests/Clients/check

weak-exam: clients release ## Every weak and tricky client against every attack, with a table (some 30 minutes)
	Tests/Clients/matrix --pinproof .build/release/pinproof --out .build/weak-exam-$$(date -u +%Y%m%dT%H%M%SZ)

unit: ## Run every test but the end-to-end ones
	@.ci/install build
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32 swift test --disable-xctest --skip EndToEndTests

end-to-end: clients ## Run the end-to-end tests alone
	swift build --build-tests
	swift test --skip-build --disable-xctest --filter EndToEndTests

format: ## Format every Swift file
	swift format --in-place --recursive $(SWIFT_FILES)

lint: ## Every check that runs nothing: format, fences, sizes, paths, scripts
	@.ci/lint

asan: ## Run the tests under AddressSanitizer
	@.ci/install build
	@.ci/sanitized-tests address

fuzz: ## Fuzz every reader of outside bytes, 30 seconds each (a quarter of an hour, and as much for its build)
	@.ci/install build
	@Tests/Fuzz/run

tsan: ## Run the tests under ThreadSanitizer
	@.ci/install build
	@.ci/sanitized-tests thread

clean: ## Remove everything that was built
	rm -rf .build
