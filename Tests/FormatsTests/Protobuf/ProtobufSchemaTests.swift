import Facts
import Flows
import Testing

@testable import Formats

@Suite struct ProtobufSchemaTests {
    private static func schema(_ sets: [UInt8]...) throws -> ProtobufSchema {
        try ProtobufSchema(descriptorSet: sets.flatMap { $0 })
    }

    private static func shown(
        _ bytes: [UInt8], _ message: String, _ schema: ProtobufSchema, type: String = "application/x-protobuf"
    ) -> String {
        BodyText.pretty(bytes, contentType: type, protobuf: ProtobufView(schema, message: message))
    }

    private static let order = """
        id: -7
        note: "two\\nlines"
        kind: ADMIN (2)
        lines {
          sku: "a"
          count: 2
          price: 1.5
        }
        lines {
          sku: "b"
        }
        deltas: [-1, 2, -300]
        labels["env"]: 1
        places[4] {
          sku: "z"
        }
        email: "a@b" (oneof contact)
        extra {
          @type: "type.googleapis.com/shop.Receipt"
          number: "R1"
        }
        made {
          seconds: 1767225600
        }
        paid: false
        tags: "x"
        tags: "y"
        crc: 4294967295
        rate: 0.5
        delta: -9

        """

    @Test("a message of every kind of field is shown by names, also where sets were joined and types are there twice")
    func names() throws {
        for sets in [[ProtobufSamples.shop], [ProtobufSamples.shop, ProtobufSamples.old, ProtobufSamples.shop]] {
            let schema = try ProtobufSchema(descriptorSet: sets.flatMap { $0 })
            #expect(Self.shown(ProtobufSamples.order, "shop.Order", schema) == Self.order)
        }
    }

    @Test("groups and extensions of proto2")
    func groups() throws {
        let text = Self.shown(ProtobufSamples.box, "old.Box", try Self.schema(ProtobufSamples.old))
        #expect(text == "id: 1\npart {\n  name: \"p\"\n}\n[colour]: \"red\"\n")
    }

    @Test("what the schema does not have stands there by its number, and what is not as it says, too")
    func unknown() throws {
        let schema = try Self.schema(ProtobufSamples.shop)
        // 99: 5, id as text, kind 7, an enumeration's number without a name.
        let bytes: [UInt8] = [0x98, 6, 5, 0x0a, 1, 0x41, 0x18, 7]
        #expect(
            Self.shown(bytes, "shop.Order", schema)
                == "99: 5 (not in shop.Order)\nid 1: \"A\" (not as shop.Order says)\nkind: 7 (no name in shop.Kind)\n")
        // An Any of a type that nobody has.
        let any: [UInt8] = [0x0a, 3, 0x61, 0x2f, 0x62, 0x12, 2, 8, 1]
        #expect(Self.shown(any, "google.protobuf.Any", schema) == "type_url: \"a/b\"\nvalue: 0801 (2 bytes)\n")
        #expect(Self.shown([8, 1], "nobody.Knows", schema) == "1: 1\n")
    }

    @Test("a repeated field is read packed and not, and a map's missing value is its type's first")
    func packing() throws {
        let schema = try Self.schema(ProtobufSamples.shop)
        #expect(Self.shown([0x28, 1, 0x28, 2], "shop.Order", schema) == "deltas: -1\ndeltas: 1\n")
        #expect(Self.shown([0x32, 0], "shop.Order", schema) == "labels[\"\"]: 0\n")
        #expect(Self.shown([0x3a, 2, 8, 9], "shop.Order", schema) == "places[9] {}\n")
        // Two keys make it no entry of a map.
        let odd = Self.shown([0x32, 6, 0x0a, 1, 0x61, 0x0a, 1, 0x62], "shop.Order", schema)
        #expect(odd == "labels {\n  key: \"a\"\n  key: \"b\"\n}\n")
    }

    @Test("messages of gRPC are shown by the method's types, of either direction")
    func methods() throws {
        let schema = try Self.schema(ProtobufSamples.shop)
        var flow = Flow(id: 1, kind: .http, state: .complete, started: 0)
        #expect(schema.type(of: flow, .up) == nil)
        flow.tags = ["grpc:/shop.Cart/Put"]
        #expect(schema.type(of: flow, .up) == "shop.Order")
        #expect(schema.type(of: flow, .down) == "shop.Receipt")
        flow.tags = []
        flow.url = "https://api.example.com/twirp/shop.Cart/Watch?x=1"
        #expect(schema.type(of: flow, .down) == "shop.Order")
        flow.response = FlowSide(headers: [
            HeaderField("content-type", "application/x-protobuf; messageType=\"shop.Receipt\"")
        ])
        #expect(schema.type(of: flow, .down) == "shop.Receipt")
        let framed: [UInt8] = [0, 0, 0, 0, 4, 0x0a, 2, 0x52, 0x31]
        #expect(
            Self.shown(framed, "shop.Receipt", schema, type: "application/grpc")
                == "message 1, 4 bytes\n  number: \"R1\"\n")
        #expect(schema.nearestMessage(to: "shop.Ordr") == "shop.Order")
    }

    @Test("what is no descriptor set is told, and a set that is cut anywhere does no harm")
    func faults() throws {
        #expect(throws: ProtobufSchemaFault("it looks like the source, and a compiled one is wanted")) {
            try ProtobufSchema(descriptorSet: Array("syntax = \"proto3\";\nmessage A { string b = 1; }".utf8))
        }
        for bytes in [[], [1, 2, 3], [8, 1], [0x0a, 0], Array("{\"a\": 1}".utf8)] as [[UInt8]] {
            #expect(throws: ProtobufSchemaFault.self) { try ProtobufSchema(descriptorSet: bytes) }
        }
        for end in ProtobufSamples.shop.indices {
            let schema = try? ProtobufSchema(descriptorSet: Array(ProtobufSamples.shop[..<end]))
            if let schema { _ = Self.shown(ProtobufSamples.order, "shop.Order", schema) }
        }
    }

    @Test("a message that is cut or changed anywhere is shown all the same, and a deep one has an end")
    func hostile() throws {
        let schema = try Self.schema(ProtobufSamples.shop, ProtobufSamples.old)
        let order = ProtobufSamples.order
        for end in order.indices {
            _ = Self.shown(Array(order[..<end]), "shop.Order", schema)
            for flip in [UInt8(1), 4, 0x80, 0xff] {
                var changed = order
                changed[end] ^= flip
                #expect(!Self.shown(changed, "shop.Order", schema).isEmpty)
                _ = Self.shown(changed, "old.Box", schema)
            }
        }
        var deep: [UInt8] = []
        for _ in 0..<200 { deep = [0x0a] + Self.varint(deep.count) + deep }
        #expect(!Self.shown(deep, "google.protobuf.Any", schema).isEmpty)
        #expect(!Self.shown(deep, "google.protobuf.FileDescriptorSet", schema).isEmpty)
        let url = Array("a/google.protobuf.Any".utf8)
        deep = []
        for _ in 0..<4000 {
            deep = [0x0a] + Self.varint(url.count) + url + [0x12] + Self.varint(deep.count) + deep
        }
        #expect(!Self.shown(deep, "google.protobuf.Any", schema).isEmpty)
    }

    private static func varint(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
    }
}
