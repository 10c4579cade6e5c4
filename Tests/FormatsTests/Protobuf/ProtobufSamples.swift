import Facts

/// Descriptor sets and messages, made by protoc of `shop.proto` and `old.proto`.
///
///     syntax = "proto3"; package shop;                    syntax = "proto2"; package old;
///     enum Kind { UNKNOWN = 0; ADMIN = 2; }               message Box {
///     message Order {                                       required int32 id = 1;
///       message Line { string sku = 1;                      repeated group Part = 2 { optional string name = 3; }
///         uint32 count = 2; double price = 3; }             extensions 100 to 199;
///       int64 id = 1;                                     }
///       string note = 2;                                  extend Box { optional string colour = 100; }
///       Kind kind = 3;
///       repeated Line lines = 4;                          message Receipt { string number = 1; }
///       repeated sint32 deltas = 5;                       service Cart {
///       map<string, int32> labels = 6;                      rpc Put(Order) returns (Receipt);
///       map<int32, Line> places = 7;                        rpc Watch(Receipt) returns (stream Order);
///       oneof contact { string email = 8;                 }
///         bytes phone = 9; }
///       google.protobuf.Any extra = 10;
///       google.protobuf.Timestamp made = 11;
///       optional bool paid = 12;
///       repeated string tags = 13;
///       fixed32 crc = 14; float rate = 15; sfixed64 delta = 16;
///     }
enum ProtobufSamples {
    static let shop = bytes(
        """
        CuQBChlnb29nbGUvcHJvdG9idWYvYW55LnByb3RvEg9nb29nbGUucHJvdG9idWYiNgoDQW55EhkKCHR5cGVfdXJsGAEgASgJUgd0\
        eXBlVXJsEhQKBXZhbHVlGAIgASgMUgV2YWx1ZUJ2ChNjb20uZ29vZ2xlLnByb3RvYnVmQghBbnlQcm90b1ABWixnb29nbGUuZ29s\
        YW5nLm9yZy9wcm90b2J1Zi90eXBlcy9rbm93bi9hbnlwYqICA0dQQqoCHkdvb2dsZS5Qcm90b2J1Zi5XZWxsS25vd25UeXBlc2IG\
        cHJvdG8zCv8BCh9nb29nbGUvcHJvdG9idWYvdGltZXN0YW1wLnByb3RvEg9nb29nbGUucHJvdG9idWYiOwoJVGltZXN0YW1wEhgK\
        B3NlY29uZHMYASABKANSB3NlY29uZHMSFAoFbmFub3MYAiABKAVSBW5hbm9zQoUBChNjb20uZ29vZ2xlLnByb3RvYnVmQg5UaW1l\
        c3RhbXBQcm90b1ABWjJnb29nbGUuZ29sYW5nLm9yZy9wcm90b2J1Zi90eXBlcy9rbm93bi90aW1lc3RhbXBwYvgBAaICA0dQQqoC\
        Hkdvb2dsZS5Qcm90b2J1Zi5XZWxsS25vd25UeXBlc2IGcHJvdG8zCrIHCgpzaG9wLnByb3RvEgRzaG9wGhlnb29nbGUvcHJvdG9i\
        dWYvYW55LnByb3RvGh9nb29nbGUvcHJvdG9idWYvdGltZXN0YW1wLnByb3RvIsQFCgVPcmRlchIOCgJpZBgBIAEoA1ICaWQSEgoE\
        bm90ZRgCIAEoCVIEbm90ZRIeCgRraW5kGAMgASgOMgouc2hvcC5LaW5kUgRraW5kEiYKBWxpbmVzGAQgAygLMhAuc2hvcC5PcmRl\
        ci5MaW5lUgVsaW5lcxIWCgZkZWx0YXMYBSADKBFSBmRlbHRhcxIvCgZsYWJlbHMYBiADKAsyFy5zaG9wLk9yZGVyLkxhYmVsc0Vu\
        dHJ5UgZsYWJlbHMSLwoGcGxhY2VzGAcgAygLMhcuc2hvcC5PcmRlci5QbGFjZXNFbnRyeVIGcGxhY2VzEhYKBWVtYWlsGAggASgJ\
        SABSBWVtYWlsEhYKBXBob25lGAkgASgMSABSBXBob25lEioKBWV4dHJhGAogASgLMhQuZ29vZ2xlLnByb3RvYnVmLkFueVIFZXh0\
        cmESLgoEbWFkZRgLIAEoCzIaLmdvb2dsZS5wcm90b2J1Zi5UaW1lc3RhbXBSBG1hZGUSFwoEcGFpZBgMIAEoCEgBUgRwYWlkiAEB\
        EhIKBHRhZ3MYDSADKAlSBHRhZ3MSEAoDY3JjGA4gASgHUgNjcmMSEgoEcmF0ZRgPIAEoAlIEcmF0ZRIUCgVkZWx0YRgQIAEoEFIF\
        ZGVsdGEaRAoETGluZRIQCgNza3UYASABKAlSA3NrdRIUCgVjb3VudBgCIAEoDVIFY291bnQSFAoFcHJpY2UYAyABKAFSBXByaWNl\
        GjkKC0xhYmVsc0VudHJ5EhAKA2tleRgBIAEoCVIDa2V5EhQKBXZhbHVlGAIgASgFUgV2YWx1ZToCOAEaSwoLUGxhY2VzRW50cnkS\
        EAoDa2V5GAEgASgFUgNrZXkSJgoFdmFsdWUYAiABKAsyEC5zaG9wLk9yZGVyLkxpbmVSBXZhbHVlOgI4AUIJCgdjb250YWN0QgcK\
        BV9wYWlkIiEKB1JlY2VpcHQSFgoGbnVtYmVyGAEgASgJUgZudW1iZXIqHgoES2luZBILCgdVTktOT1dOEAASCQoFQURNSU4QAjJQ\
        CgRDYXJ0EiEKA1B1dBILLnNob3AuT3JkZXIaDS5zaG9wLlJlY2VpcHQSJQoFV2F0Y2gSDS5zaG9wLlJlY2VpcHQaCy5zaG9wLk9y\
        ZGVyMAFiBnByb3RvMw==
        """)

    static let old = bytes(
        """
        Co8BCglvbGQucHJvdG8SA29sZCJbCgNCb3gSDgoCaWQYASACKAVSAmlkEiEKBHBhcnQYAiADKAoyDS5vbGQuQm94LlBhcnRSBHBh\
        cnQaGgoEUGFydBISCgRuYW1lGAMgASgJUgRuYW1lKgUIZBDIATogCgZjb2xvdXISCC5vbGQuQm94GGQgASgJUgZjb2xvdXI=
        """)

    static let order = bytes(
        """
        CPn//////////wESCXR3bwpsaW5lcxgCIg4KAWEQAhkAAAAAAAD4PyIDCgFiKgQBBNcEMgcKA2VudhABOgcIBBIDCgF6QgNhQGJS\
        KAogdHlwZS5nb29nbGVhcGlzLmNvbS9zaG9wLlJlY2VpcHQSBAoCUjFaBgiA8tbKBmAAagF4agF5df////99AAAAP4EB9///////\
        //8=
        """)

    static let box = bytes("CAETGgFwFKIGA3JlZA==")

    private static func bytes(_ base64: String) -> [UInt8] { Base64.decoded(Array(base64.utf8)[...]) ?? [] }
}
