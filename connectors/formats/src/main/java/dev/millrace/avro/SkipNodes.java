package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldValues;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.avro.Schema;

/**
 * Nodes of what nobody wants. A schema may hold itself, so each has one node, however often. They
 * are made one after the other, not one within the other: however deep a schema is nested, it takes
 * no stack.
 */
final class SkipNodes {

  private final IdentityHashMap<Schema, AvroNode> nodes = new IdentityHashMap<>();
  private final Queue<Nested> unmade = new ArrayDeque<>();

  /** A node of what holds others, from before these are made. */
  private static final class Nested implements AvroNode {

    private Schema schema;
    private AvroNode made;

    Nested(Schema schema) {
      this.schema = schema;
    }

    @Override
    public void read(AvroInput in, FieldValues into) throws IOException, InvalidExampleException {
      made.read(in, into);
    }
  }

  AvroNode of(Schema schema) {
    AvroNode node = node(schema);
    for (Nested next = unmade.poll(); next != null; next = unmade.poll()) {
      next.made = nested(next.schema);
      next.schema = null;
    }
    return node;
  }

  private AvroNode node(Schema schema) {
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
      case UNION, RECORD, ARRAY, MAP -> nodes.computeIfAbsent(schema, this::later);
    };
  }

  private AvroNode later(Schema schema) {
    Nested node = new Nested(schema);
    unmade.add(node);
    return node;
  }

  private AvroNode nested(Schema schema) {
    return switch (schema.getType()) {
      case UNION -> NestedNodes.union(all(schema.getTypes()));
      case RECORD ->
          NestedNodes.record(all(schema.getFields().stream().map(Schema.Field::schema).toList()));
      case ARRAY -> NestedNodes.array(Map.of(), node(schema.getElementType()));
      case MAP -> entries(node(schema.getValueType()));
      default -> throw new IllegalArgumentException(schema.getType() + " holds nothing");
    };
  }

  private static AvroNode entries(AvroNode value) {
    return (in, into) -> {
      in.enter();
      for (long count = in.readBlock(); count > 0; count = in.readBlock()) {
        for (long i = 0; i < count; i++) {
          in.skip(in.readLength());
          value.read(in, into);
        }
      }
      in.leave();
    };
  }

  private AvroNode[] all(List<Schema> schemas) {
    return schemas.stream().map(this::node).toArray(AvroNode[]::new);
  }
}
