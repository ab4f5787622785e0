package dev.millrace.avro;

import java.util.IdentityHashMap;
import java.util.List;
import org.apache.avro.Schema;

/** Nodes of what nobody wants. A schema may hold itself, so each has one node, however often. */
final class SkipNodes {

  private final IdentityHashMap<Schema, AvroNode> nodes = new IdentityHashMap<>();

  AvroNode of(Schema schema) {
    AvroNode known = nodes.get(schema);
    if (known != null) {
      return known;
    }
    // Put in before what it holds is looked at, which may be itself.
    AvroNode[] made = new AvroNode[1];
    nodes.put(schema, (in, into) -> made[0].read(in, into));
    made[0] = make(schema);
    nodes.put(schema, made[0]);
    return made[0];
  }

  private AvroNode make(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> (in, into) -> {};
      case BOOLEAN -> (in, into) -> in.readBoolean();
      case INT -> (in, into) -> in.readInt();
      case LONG -> (in, into) -> in.readLong();
      case FLOAT -> (in, into) -> in.skip(Float.BYTES);
      case DOUBLE -> (in, into) -> in.skip(Double.BYTES);
      case STRING, BYTES -> (in, into) -> in.skip(in.readLength());
      case ENUM -> {
        int symbols = schema.getEnumSymbols().size();
        yield (in, into) -> in.readChoice(symbols, "the number of an enum's symbol");
      }
      case FIXED -> {
        int size = schema.getFixedSize();
        yield (in, into) -> in.skip(size);
      }
      case UNION -> NestedNodes.union(all(schema.getTypes()));
      case RECORD ->
          NestedNodes.record(all(schema.getFields().stream().map(Schema.Field::schema).toList()));
      case ARRAY -> {
        AvroNode element = of(schema.getElementType());
        yield (in, into) -> {
          for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
            for (long i = 0; i < count; i++) {
              element.read(in, into);
            }
          }
        };
      }
      case MAP -> {
        AvroNode element = of(schema.getValueType());
        yield (in, into) -> {
          for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
            for (long i = 0; i < count; i++) {
              in.skip(in.readLength());
              element.read(in, into);
            }
          }
        };
      }
    };
  }

  private AvroNode[] all(List<Schema> schemas) {
    return schemas.stream().map(this::of).toArray(AvroNode[]::new);
  }
}
