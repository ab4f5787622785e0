package dev.millrace.avro;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.testing.Fuzz;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Schemas of Avro that nobody would write, and values of them. */
public final class FuzzedAvro {

  private static final int VALUES = 4;

  private static final List<FieldPlan> PLANS =
      List.of(
          Flows.plan("a", "b", "a.b", "b.a.c", "c[1]", "d.a[0].b"),
          Flows.sequence("c", "a", "b.c"),
          new FieldPlan(
              List.of(FieldPath.of("a"), FieldPath.of("b.b.b")),
              Optional.of(FieldPath.of("a.c")),
              List.of(FieldPath.of("d"))),
          new FieldPlan(
              List.of(FieldPath.of("a"), FieldPath.of("b"), FieldPath.of("c.a"), FieldPath.of("d")),
              Optional.empty(),
              List.of(),
              List.of(),
              Set.of(0, 1, 2)));

  private static final String[] SCALARS = {
    "\"null\"",
    "\"int\"",
    "\"long\"",
    "\"boolean\"",
    "\"string\"",
    "\"double\"",
    "\"float\"",
    "\"bytes\"",
    "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}",
    "{\"type\":\"int\",\"logicalType\":\"date\"}"
  };

  private final Random random;
  private int types;

  private FuzzedAvro(Random random) {
    this.random = random;
  }

  /** Schemas, and values of each that isn't refused. */
  public static int run(int schemas) throws InterruptedException {
    return Fuzz.run(
        schemas,
        random -> {
          byte[] text = new FuzzedAvro(random).record(0).getBytes(UTF_8);
          if (random.nextInt(3) == 0) {
            text = Fuzz.damaged(text, random);
          }
          FieldPlan plan = PLANS.get(random.nextInt(PLANS.size()));
          AvroReader reader = new AvroReader(AvroSchemas.of(new String(text, UTF_8)), plan);
          for (int i = 0; i < VALUES; i++) {
            try {
              reader.read(Fuzz.bytes(random), 0, new AvroInput(), new FieldValues(plan));
            } catch (InvalidExampleException e) {
              // Most bytes are no value of the schema.
            }
          }
        });
  }

  private String record(int depth) {
    StringBuilder record = new StringBuilder();
    record.append("{\"type\":\"record\",\"name\":\"R").append(types++).append("\",\"fields\":[");
    int fields = random.nextInt(5);
    for (int i = 0; i < fields; i++) {
      record.append(i == 0 ? "" : ",").append("{\"name\":\"").append((char) ('a' + i));
      if (random.nextInt(5) == 0) {
        record.append("\",\"aliases\":[\"").append((char) ('a' + random.nextInt(6))).append("\"]");
      } else {
        record.append('"');
      }
      record.append(",\"type\":").append(type(depth + 1)).append('}');
    }
    return record.append("]}").toString();
  }

  private String type(int depth) {
    if (depth > 8 || random.nextInt(3) == 0) {
      return SCALARS[random.nextInt(SCALARS.length)];
    }
    return switch (random.nextInt(8)) {
      case 0 -> "{\"type\":\"array\",\"items\":%s}".formatted(type(depth + 1));
      case 1 -> "{\"type\":\"map\",\"values\":%s}".formatted(type(depth + 1));
      case 2 -> "[\"null\",%s,\"R%s\"]".formatted(record(depth + 1), random.nextInt(types));
      // Of itself, of one that comes later, or of none.
      case 3 -> "\"R%s\"".formatted(random.nextInt(types + 2));
      case 4 ->
          "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":%s,\"scale\":%s}"
              .formatted(random.nextInt(), random.nextInt(20));
      case 5 ->
          "{\"type\":\"fixed\",\"name\":\"F%s\",\"size\":%s}"
              .formatted(types++, random.nextInt() >> random.nextInt(32));
      case 6 -> "{\"type\":\"enum\",\"name\":\"E%s\",\"symbols\":[\"x\",\"y\"]}".formatted(types++);
      default -> record(depth + 1);
    };
  }
}
