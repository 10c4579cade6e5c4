import GRDB

/// The tables of a store, and how an older one becomes a newer one.
///
/// A migration that was released is never changed: files of those days go through it.
enum StoreSchema {
    /// In the file's header (`PRAGMA application_id`): `pprf`.
    static let applicationID: Int32 = 0x7070_7266
    /// In the file's header (`PRAGMA user_version`): how many migrations there are.
    static let version: Int32 = 4

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: first)
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
        }
        migrator.registerMigration("2") { db in
            try db.execute(sql: second)
            try db.execute(sql: "PRAGMA user_version = 2")
        }
        migrator.registerMigration("3") { db in
            try db.execute(sql: third)
            try db.execute(sql: "PRAGMA user_version = 3")
        }
        migrator.registerMigration("4") { db in
            try db.execute(sql: fourth)
            try db.execute(sql: "PRAGMA user_version = 4")
        }
        return migrator
    }

    /// - `message.name`: an event's. A recorder of the version before leaves it out.
    private static let fourth = "ALTER TABLE message ADD COLUMN name TEXT"

    /// Messages are rows beside an index of their places. In a table without rowids the row itself is what a search compares:
    /// each small message that came beside a large one read all of that one's megabytes.
    ///
    /// Columns keep their names, for a recorder of the version before may be at work.
    private static let third = """
        CREATE TABLE message_by_row (
            flow INTEGER NOT NULL, n INTEGER NOT NULL, at REAL NOT NULL, up INTEGER NOT NULL, kind TEXT NOT NULL,
            size INTEGER NOT NULL, cut INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (flow, n));
        INSERT INTO message_by_row (flow, n, at, up, kind, size, cut, data)
            SELECT flow, n, at, up, kind, size, cut, data FROM message ORDER BY flow, n;
        DROP TABLE message;
        ALTER TABLE message_by_row RENAME TO message;
        """

    /// - `ids.change`: the highest that any flow had. It stays when flows go: whoever follows knows what is beyond it.
    /// - `file`: bodies whose bytes lie beside the store, under this name; of the file so many bytes are the body's.
    private static let second = """
        ALTER TABLE ids ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        UPDATE ids SET change = (SELECT coalesce(max(change), 0) FROM flow);
        CREATE TABLE file (body INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL);
        """

    /// `flow` is narrow, so that going through all of it is quick; the flow itself is its JSON in `doc`. What is said in
    /// few different ways (hosts, methods, types) is a `word`, and its number stands in the columns.
    ///
    /// - `ids`: the highest number ever used, and those that a recorder may be giving out: from `first` to below `reserved`.
    /// - `flow.change` grows with every change of any flow: who follows asks for what is beyond the last one it saw.
    /// - `flow.duration` is in microseconds, `flow.started` in Unix seconds, `flow.flags` as `FlowFlags` says.
    /// - `flow.indexed`: 0 not yet, 1 all of its text, 2 not all of it. Flows that are not 1 are looked through by searches.
    /// - `body.key`: the first eight bytes of the hash, where the body is whole and others may share it.
    /// - `body.bytes`: all of it; NULL where it lies in pieces, as what came over a longer time does.
    /// - Indexes with a condition cost nothing for the flows that do not meet it.
    private static let first = """
        CREATE TABLE ids (
            one INTEGER PRIMARY KEY CHECK (one = 1), used INTEGER NOT NULL, first INTEGER NOT NULL,
            reserved INTEGER NOT NULL);
        INSERT INTO ids VALUES (1, 0, 1, 1);
        CREATE TABLE word (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (kind, text));
        CREATE TABLE flow (
            id INTEGER PRIMARY KEY, change INTEGER NOT NULL, indexed INTEGER NOT NULL DEFAULT 0,
            state INTEGER NOT NULL, kind INTEGER NOT NULL, started REAL NOT NULL,
            host INTEGER, port INTEGER, method INTEGER, scheme INTEGER, status INTEGER, type INTEGER,
            client INTEGER, address INTEGER, alpn INTEGER, tls INTEGER, ja4 INTEGER, failure INTEGER, connection INTEGER,
            request_size INTEGER, response_size INTEGER, duration INTEGER, messages INTEGER NOT NULL,
            flags INTEGER NOT NULL, request_body INTEGER, response_body INTEGER);
        CREATE INDEX flow_change ON flow (change);
        CREATE INDEX flow_started ON flow (started);
        CREATE INDEX flow_host ON flow (host);
        CREATE INDEX flow_status ON flow (status);
        CREATE INDEX flow_type ON flow (type);
        CREATE INDEX flow_method ON flow (method);
        CREATE INDEX flow_connection ON flow (connection);
        CREATE INDEX flow_state ON flow (state) WHERE state <> 1;
        CREATE INDEX flow_kind ON flow (kind) WHERE kind <> 0;
        CREATE INDEX flow_failure ON flow (failure) WHERE failure IS NOT NULL;
        CREATE INDEX flow_messages ON flow (messages) WHERE messages > 0;
        CREATE INDEX flow_duration ON flow (duration) WHERE duration >= 1000000;
        CREATE INDEX flow_request_size ON flow (request_size) WHERE request_size >= 65536;
        CREATE INDEX flow_response_size ON flow (response_size) WHERE response_size >= 65536;
        CREATE INDEX flow_flags ON flow (flags) WHERE flags <> 0;
        CREATE INDEX flow_not_indexed ON flow (id) WHERE indexed <> 1;
        CREATE TABLE doc (id INTEGER PRIMARY KEY, json BLOB NOT NULL);
        CREATE TABLE tag (word INTEGER NOT NULL, flow INTEGER NOT NULL, PRIMARY KEY (word, flow)) WITHOUT ROWID;
        CREATE INDEX tag_flow ON tag (flow);
        CREATE TABLE body (
            id INTEGER PRIMARY KEY, key INTEGER, sha256 BLOB, size INTEGER, uses INTEGER NOT NULL, bytes BLOB);
        CREATE INDEX body_key ON body (key) WHERE key IS NOT NULL;
        CREATE TABLE piece (
            body INTEGER NOT NULL, n INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (body, n)) WITHOUT ROWID;
        CREATE TABLE message (
            flow INTEGER NOT NULL, n INTEGER NOT NULL, at REAL NOT NULL, up INTEGER NOT NULL, kind TEXT NOT NULL,
            size INTEGER NOT NULL, cut INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (flow, n)) WITHOUT ROWID;
        CREATE TABLE raw (
            flow INTEGER NOT NULL, up INTEGER NOT NULL, n INTEGER NOT NULL, bytes BLOB NOT NULL,
            PRIMARY KEY (flow, up, n)) WITHOUT ROWID;
        CREATE TABLE shelf (
            n INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, flows INTEGER NOT NULL,
            bytes INTEGER NOT NULL);
        """
}
