package dev.millrace.protobuf;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.testing.Fuzz;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Descriptors and messages of Protobuf that nobody would write. */
public final class FuzzedProtobuf {

  private static final FieldPlan PLAN =
      new FieldPlan(
          Stream.of("duration", "protocol", "at", "big", "numbers[1]", "tags.b", "card", "step.x")
              .map(FieldPath::of)
              .toList(),
          Optional.of(FieldPath.of("steps")),
          List.of(FieldPath.of("x")));

  private FuzzedProtobuf() {}

  /** Damaged messages, and bytes that are none. */
  public static int values(int count) throws InterruptedException {
    ProtobufFormat format = new ProtobufFormat(Messages.SET, "net.Flow", false, PLAN);
    return Fuzz.run(
        count,
        random ->
            format.read(
                random.nextBoolean() ? Fuzz.damaged(Messages.usual(), random) : Fuzz.bytes(random),
                new FieldValues(PLAN)));
  }

  /** Damaged descriptors, by which a message is read if they can be used. */
  public static int descriptors(int count) throws InterruptedException {
    return Fuzz.run(
        count,
        random -> {
          ProtobufFormat format =
              new ProtobufFormat(Fuzz.damaged(Messages.SET, random), "net.Flow", false, PLAN);
          try {
            format.read(Messages.usual(), new FieldValues(PLAN));
          } catch (InvalidExampleException e) {
            // The message is of the descriptors before they were damaged.
          }
        });
  }
}
