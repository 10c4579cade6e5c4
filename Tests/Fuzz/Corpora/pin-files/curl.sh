#!/bin/sh
curl --pinnedpubkey 'sha256//+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk=;sha256//7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=' https://example.com/
