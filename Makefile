# What people run. Continuous integration runs "make test" and nothing else.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Pinned, so that a new release of the linter can't turn a green tree red.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# SQLite is C that was translated to Go. What it works on is not in Go's heap,
# where the race detector looks, so that watching it finds nothing; and it would
# take five times as long, which is most of the time of the tests.
RACE := -race $(foreach c,libc memory sqlite/lib,-gcflags=modernc.org/$(c)=-race=false)

.PHONY: help run test check fmt vet lint tidy setup bench torture learnbench eval build clients

help: ## This list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: ## Run the bot, with the terminal chat where no platform has a token
	go run ./gateway

build: ## Build bin/talaria
	go build -trimpath -ldflags '-s -w' -o bin/talaria ./gateway

# The program that is killed and timed is built without the race detector, and
# has the machine to itself. Vet has looked at everything in the checks; random
# inputs are fewer than in "make torture". More packages than processors are at
# work at once, since many tests wait, and the race detector doesn't sleep for a
# second at the end of each.
test: setup check ## Everything that has to hold: checks, then all tests with the race detector
	@mkdir -p bin
	@{ GORACE=atexit_sleep_ms=50 RAPID_CHECKS=$${RAPID_CHECKS:-25} \
	go test $(RACE) -vet=off -p $$((2 * $$(getconf _NPROCESSORS_ONLN))) -timeout 30m $$(go list ./... | grep -v /gateway/torture) && \
	go test -vet=off -timeout 15m ./gateway/torture; } 2>&1 | tee bin/test.log && failed= || failed=1; \
	echo; echo "The slowest packages:"; \
	grep -E '^ok' bin/test.log | awk '{print $$3, $$0}' | sort -rn | head -5 | cut -d' ' -f2-; \
	if [ -n "$$failed" ]; then echo; grep -E '^(FAIL|---? FAIL|panic:)' bin/test.log; exit 1; fi

check: fmt vet lint tidy ## Format, vet, lint, module file

fmt:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi

vet:
	go vet ./...
	go vet -tags failpoints ./gateway/...
	go vet -tags clients ./adapters/fake/clients

lint: ## Lint with staticcheck
	go run $(STATICCHECK) ./...

tidy:
	go mod tidy -diff

setup: ## Install what the tests need: redis-server, a C compiler, and what scripts of skills are run with
	@missing=(); \
	command -v redis-server >/dev/null || missing+=(redis-server); \
	[ -x /usr/bin/python3 ] || missing+=(python3); \
	PATH=/usr/local/bin:/usr/bin:/bin command -v node >/dev/null || missing+=(nodejs); \
	command -v cc >/dev/null || missing+=(gcc libc6-dev); \
	if [ $${#missing[@]} -eq 0 ]; then exit 0; fi; \
	as=(); [ "$$(id -u)" = 0 ] || as=(sudo -n); \
	if command -v apt-get >/dev/null && "$${as[@]}" true 2>/dev/null; then \
		"$${as[@]}" apt-get update -q && "$${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "$${missing[@]}"; \
	else \
		echo "The tests need $${missing[*]}, and it can't be installed without rights. Please install it and run make again."; exit 1; \
	fi

bench: setup ## Benchmarks
	go test -run '^$$' -bench . -benchmem ./...

learnbench: setup ## What the learning loop learns in made-up worlds, as a table and bin/learnbench.png: make learnbench SEED=1
	@mkdir -p bin
	TALARIA_LEARNBENCH=$${SEED:-1} go test -count=1 -v -timeout 30m -run TestLearnbench ./gateway/learnbench

torture: setup ## The long forms of the tests that kill, share and load the built program
	TALARIA_TORTURE=1 RAPID_CHECKS=$${RAPID_CHECKS:-1000} go test -count=1 -v -timeout 120m ./gateway/torture ./gateway/isolation ./gateway/outbox \
		./gateway/lane ./core/learning/... ./core/memory ./core/skill/... ./scheduler/... ./storage/... ./adapters/markdown

clients: ## Clients that are not ours, from the npm registry, against the simulated platforms
	cd adapters/fake/clients && npm ci --ignore-scripts
	go test -count=1 -tags clients ./adapters/fake/clients

eval: build ## Answer and judge files of recorded inputs: make eval CASES=DIR
	@.ci/eval "$(CASES)"
