/// What the API's answers hold, as JSON Schema.
///
/// Tests hold every answer against it: a member that is not named here fails them.
enum Schemas {
    static let components = #"""
        {"securitySchemes": {
          "token": {"type": "http", "scheme": "bearer"},
          "cookie": {"type": "apiKey", "in": "cookie", "name": "pinproof_8081", "description": "set by opening /?token=…; the number is the port"}},
        "schemas": {
        "Problem": {"type": "object", "required": ["type", "title", "status", "detail"], "additionalProperties": false, "properties": {
          "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
          "column": {"type": "integer", "description": "of a wrong filter: its first wrong character, from 1, in Unicode code points"},
          "length": {"type": "integer", "description": "how many are wrong; 0: something is missing there"},
          "suggestion": {"type": "string", "description": "what was probably meant in their place"}}},
        "Row": {"type": "object", "required": ["id", "kind", "state", "started"], "additionalProperties": false, "properties": {
          "id": {"type": "integer"}, "kind": {"enum": ["http", "websocket", "raw", "tunnel", "failure"]},
          "state": {"enum": ["open", "complete", "aborted"]}, "started": {"type": "string", "format": "date-time"},
          "duration_ms": {"type": "number"}, "client": {"type": "string"}, "host": {"type": "string"}, "port": {"type": "integer"},
          "scheme": {"type": "string"}, "method": {"type": "string"}, "path": {"type": "string", "description": "with the query; 300 characters of it"},
          "status": {"type": "integer"}, "type": {"type": "string"}, "size": {"type": "integer", "description": "of the response's body, in bytes"},
          "messages": {"type": "integer"}, "connection": {"type": "integer"}, "mark": {"type": "string"}, "commented": {"type": "boolean"},
          "failure": {"type": "string"}, "text": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}},
        "FlowPage": {"type": "object", "required": ["flows"], "additionalProperties": false, "properties": {
          "flows": {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/Flow"}, {"$ref": "#/components/schemas/Row"}]}},
          "next": {"type": "string", "description": "goes back as after, in the same order"}}},
        "Index": {"type": "object", "required": ["count", "ids"], "additionalProperties": false, "properties": {
          "count": {"type": "integer"}, "ids": {"type": "array", "items": {"type": "integer"}}}},
        "Fields": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}, "description": "name and value, as they came"},
        "Places": {"type": "array", "items": {"type": "integer"}, "description": "of the fields that were not UTF-8 but ISO 8859-1"},
        "Body": {"type": "object", "required": ["size", "kept"], "additionalProperties": false, "properties": {
          "size": {"type": "integer"}, "decoded_size": {"type": "integer"}, "sha256": {"type": "string"}, "kept": {"type": "integer"},
          "shed": {"type": "integer"}, "encoding": {"type": "string"}, "type": {"type": "string"}}},
        "Side": {"type": "object", "required": ["headers"], "additionalProperties": false, "properties": {
          "target": {"type": "string", "description": "of the request line, where the URL does not tell it"},
          "latin1_target": {"type": "boolean", "description": "the target was not UTF-8 but ISO 8859-1"},
          "version": {"type": "string", "description": "the answer's, where it is not the request's"},
          "reason": {"type": "string"}, "headers": {"$ref": "#/components/schemas/Fields"}, "trailers": {"$ref": "#/components/schemas/Fields"},
          "latin1_headers": {"$ref": "#/components/schemas/Places"}, "latin1_trailers": {"$ref": "#/components/schemas/Places"},
          "body": {"$ref": "#/components/schemas/Body"},
          "informational": {"type": "array", "items": {"type": "object", "required": ["status", "headers"], "additionalProperties": false, "properties": {
            "status": {"type": "integer"}, "reason": {"type": "string"},
            "headers": {"$ref": "#/components/schemas/Fields"}, "latin1_headers": {"$ref": "#/components/schemas/Places"}}}}}},
        "Certificate": {"type": "object", "required": ["subject", "issuer", "not_after", "sha256", "spki_sha256"], "additionalProperties": false, "properties": {
          "subject": {"type": "string"}, "issuer": {"type": "string"}, "not_after": {"type": "string"}, "sha256": {"type": "string"},
          "spki_sha256": {"type": "string"}}},
        "Flow": {"type": "object", "required": ["schema", "id", "kind", "state", "started"], "additionalProperties": false, "properties": {
          "schema": {"const": "pinproof.flow/1"}, "id": {"type": "integer"}, "connection": {"type": "integer"}, "stream": {"type": "integer"},
          "kind": {"enum": ["http", "websocket", "raw", "tunnel", "failure"]}, "state": {"enum": ["open", "complete", "aborted"]},
          "started": {"type": "string", "format": "date-time"}, "duration_ms": {"type": "number"},
          "client": {"type": "object", "additionalProperties": false, "properties": {"address": {"type": "string"}, "name": {"type": "string"}}},
          "server": {"type": "object", "additionalProperties": false, "properties": {
            "host": {"type": "string"}, "port": {"type": "integer"}, "address": {"type": "string"}, "proxy": {"type": "string"}}},
          "scheme": {"type": "string"}, "method": {"type": "string"}, "url": {"type": "string"}, "status": {"type": "integer"},
          "version": {"type": "string"}, "request": {"$ref": "#/components/schemas/Side"}, "response": {"$ref": "#/components/schemas/Side"},
          "messages": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}},
          "timing": {"type": "object", "additionalProperties": false, "properties": {
            "blocked_ms": {"type": "number"}, "connect_ms": {"type": "number"}, "tls_ms": {"type": "number"}, "client_tls_ms": {"type": "number"},
            "sent_ms": {"type": "number"}, "first_byte_ms": {"type": "number"}, "last_byte_ms": {"type": "number"}}},
          "tls": {"type": "object", "additionalProperties": false, "properties": {
            "version": {"type": "string"}, "cipher": {"type": "string"}, "alpn": {"type": "string"}, "sni": {"type": "string"}, "ja4": {"type": "string"},
            "upstream": {"type": "object", "additionalProperties": false, "properties": {
              "version": {"type": "string"}, "cipher": {"type": "string"}, "alpn": {"type": "string"}, "ja4": {"type": "string"},
              "chain": {"type": "array", "items": {"$ref": "#/components/schemas/Certificate"}}}}}},
          "failure": {"type": "object", "required": ["id", "leg", "text"], "additionalProperties": false, "properties": {
            "id": {"type": "string"}, "leg": {"enum": ["client", "origin", "proxy"]}, "alert": {"type": "string"}, "text": {"type": "string"},
            "hint": {"type": "string"}}},
          "undecodable": {"type": "object", "required": ["at", "why"], "additionalProperties": false, "properties": {
            "at": {"type": "integer"}, "why": {"type": "string"}}},
          "mark": {"type": "string"}, "comment": {"type": "string"}}},
        "Message": {"type": "object", "required": ["at_ms", "from", "type", "size"], "additionalProperties": false, "properties": {
          "index": {"type": "integer"}, "at_ms": {"type": "number"}, "from": {"enum": ["client", "server"]}, "type": {"type": "string"},
          "name": {"type": "string", "description": "an event's"}, "size": {"type": "integer"}, "data": {"type": "string"}, "base64": {"type": "string"}, "cut": {"type": "boolean"},
          "fault": {"type": "string", "description": "what its standard does not allow"}}},
        "MessagePage": {"type": "object", "required": ["messages"], "additionalProperties": false, "properties": {
          "messages": {"type": "array", "items": {"$ref": "#/components/schemas/Message"}}, "next": {"type": "string"}}},
        "Match": {"type": "object", "required": ["place", "offset", "excerpt"], "additionalProperties": false, "properties": {
          "place": {"type": "string", "description": "url, request header NAME, response body, message 3"},
          "offset": {"type": "integer", "description": "bytes before it"}, "excerpt": {"type": "string"}}},
        "SearchPage": {"type": "object", "required": ["found"], "additionalProperties": false, "properties": {
          "found": {"type": "array", "items": {"type": "object", "required": ["flow", "matches"], "additionalProperties": false, "properties": {
            "flow": {"$ref": "#/components/schemas/Row"}, "matches": {"type": "array", "items": {"$ref": "#/components/schemas/Match"}},
            "more": {"type": "boolean", "description": "the text stands in other places too"}}}},
          "next": {"type": "string", "description": "goes back as after"}}},
        "Comparison": {"type": "object", "required": ["first", "second", "differences"], "additionalProperties": false, "properties": {
          "first": {"type": "integer"}, "second": {"type": "integer"}, "more": {"type": "integer", "description": "differences that are not listed"},
          "differences": {"type": "array", "items": {"type": "object", "required": ["place"], "additionalProperties": false, "properties": {
            "place": {"type": "string"}, "first": {"type": "string"}, "second": {"type": "string"}}}}}},
        "Explanation": {"type": "object", "required": ["id", "what", "facts"], "additionalProperties": false, "properties": {
          "id": {"type": "integer"}, "what": {"type": "string"}, "todo": {"type": "string"}, "facts": {"type": "array", "items": {"type": "string"}},
          "host": {"type": "object", "required": ["name", "flows", "failed", "tunnels"], "additionalProperties": false, "properties": {
            "name": {"type": "string"}, "flows": {"type": "integer"}, "failed": {"type": "integer"}, "tunnels": {"type": "integer"},
            "last_read": {"type": "integer", "description": "the newest exchange that could be read"},
            "last_failed": {"type": "integer", "description": "the newest other failure"}}}}},
        "Group": {"type": "object", "required": ["flows", "request_bytes", "response_bytes"], "additionalProperties": false, "properties": {
          "name": {"type": ["string", "null"]}, "flows": {"type": "integer"}, "request_bytes": {"type": "integer"}, "response_bytes": {"type": "integer"},
          "p50_ms": {"type": "number"}, "p95_ms": {"type": "number"}, "p99_ms": {"type": "number"}}},
        "Statistics": {"type": "object", "required": ["all", "hosts", "statuses", "types"], "additionalProperties": false, "properties": {
          "all": {"$ref": "#/components/schemas/Group"}, "hosts": {"type": "array", "items": {"$ref": "#/components/schemas/Group"}},
          "statuses": {"type": "array", "items": {"$ref": "#/components/schemas/Group"}}, "types": {"type": "array", "items": {"$ref": "#/components/schemas/Group"}}}},
        "Deleted": {"type": "object", "required": ["deleted"], "additionalProperties": false, "properties": {"deleted": {"type": "integer"}}},
        "Annotation": {"type": "object", "properties": {
          "mark": {"type": "string", "maxLength": 64}, "comment": {"type": "string", "maxLength": 16384}}},
        "HostChange": {"type": "object", "required": ["host", "action"], "properties": {
          "host": {"type": "string"}, "action": {"enum": ["tunnel", "intercept"]}}},
        "HostActions": {"type": "object", "additionalProperties": {"enum": ["tunnel", "intercept"]}},
        "Hosts": {"type": "object", "required": ["hosts"], "additionalProperties": false, "properties": {
          "hosts": {"$ref": "#/components/schemas/HostActions"}}},
        "Status": {"type": "object", "required": ["version", "store", "recording", "flows", "bytes", "dropped", "behind", "uptime_s", "proxy", "devices", "ui", "hosts", "filters"], "additionalProperties": false, "properties": {
          "version": {"type": "string"}, "store": {"type": ["string", "null"]}, "recording": {"type": "boolean"},
          "fault": {"type": "string", "description": "why recording has stopped"},
          "flows": {"type": "integer"}, "bytes": {"type": "integer", "description": "of the store's files together"},
          "dropped": {"type": "integer", "description": "flows, messages and connections that are not in the store"},
          "behind": {"type": "boolean", "description": "the writer needs more than 2 s for what was recorded before the question: lists may lack the latest flows"},
          "uptime_s": {"type": "number"}, "proxy": {"type": "array", "items": {"type": "string"}},
          "devices": {"type": "array", "items": {"type": "string"}, "description": "where other devices reach the proxy, the likeliest first; empty: nowhere"}, "ui": {"type": "string"},
          "hosts": {"$ref": "#/components/schemas/HostActions"},
          "filters": {"type": "array", "description": "saved ones and mutes: `filter:NAME` in a filter", "items": {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
            "name": {"type": "string"}, "filter": {"type": "string"}}}}}},
        "Runs": {"type": "object", "required": ["runs"], "additionalProperties": false, "properties": {
          "runs": {"type": "array", "items": {"type": "object", "required": ["name", "hosts"], "additionalProperties": false, "properties": {
            "name": {"type": "string"}, "verdict": {"type": "string"}, "status": {"type": "integer"}, "started": {"type": "string"},
            "profile": {"type": "string"}, "kind": {"enum": ["rehearsal"], "description": "no key: a gate run"},
            "hosts": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
              "host": {"type": "string"}, "expect": {"type": "string"}, "verdict": {"type": "string"}, "strength": {"type": "string"},
              "subtype": {"type": "string"}, "why": {"type": "string"}, "missing": {"type": "array", "items": {"type": "string"}}}}}}}}}},
        "Run": {"type": "object", "additionalProperties": false, "properties": {
          "report": {"type": "object", "description": "report.json, as docs/report.md describes it"},
          "rehearsal": {"type": "object", "description": "rehearsal.json, as docs/rehearse.md describes it"},
          "connections": {"type": "array", "items": {"type": "object"}, "description": "the lines of evidence.jsonl"},
          "outcomes": {"type": "array", "items": {"type": ["string", "null"]}, "description": "what the verdict counts each of these lines as: data, alert, silent, post, idle, early, negotiation, resumed; null: it is no intercepted connection"},
          "truncated": {"type": "boolean"},
          "client": {"type": "array", "description": "what the client printed, start by start", "items": {"type": "object", "required": ["name", "text"],
            "additionalProperties": false, "properties": {"name": {"type": "string"}, "text": {"type": "string"}, "cut": {"type": "boolean"}}}},
          "certificates": {"type": "array", "items": {"$ref": "#/components/schemas/Certificate"}, "description": "those that were presented"}}},
        "Event": {"type": "object", "required": ["event"], "additionalProperties": false, "properties": {
          "event": {"enum": ["flows", "dropped", "reload"]}, "flows": {"type": "array", "items": {"$ref": "#/components/schemas/Row"}},
          "count": {"type": "integer"}}},
        "Document": {"type": "object"}
        }}
        """#
}
