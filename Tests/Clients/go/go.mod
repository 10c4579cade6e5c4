module pinproof.test/client

go 1.19
