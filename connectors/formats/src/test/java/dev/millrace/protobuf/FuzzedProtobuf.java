package dev.millrace.protobuf;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.testing.Fuzz;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  private static final FieldPlan LISTS =
      new FieldPlan(
          Stream.of("numbers", "steps", "tags", "at").map(FieldPath::of).toList(),
          Optional.empty(),
          List.of(),
          List.of(),
          Set.of(0, 1, 2, 3));

  private FuzzedProtobuf() {}

  /** Damaged messages, and bytes that are none. */
  public static int values(int count) throws InterruptedException {
    List<FieldPlan> plans = List.of(PLAN, LISTS);
    List<ProtobufFormat> formats =
        plans.stream()
            .map(plan -> new ProtobufFormat(Messages.SET, "net.Flow", false, plan))
            .toList();
    return Fuzz.run(
        count,
        random -> {
          int plan = random.nextInt(plans.size());
          formats
              .get(plan)
              .read(
                  random.nextBoolean()
                      ? Fuzz.damaged(Messages.usual(), random)
                      : Fuzz.bytes(random),
                  new FieldValues(plans.get(plan)));
        });
  }

  /** Damaged descriptors, by which a message is read if they can be used. */
  public static int descriptors(int count) throws InterruptedException {
    return Fuzz.run(
        count,
        random -> {
          FieldPlan plan = random.nextBoolean() ? PLAN : LISTS;
          ProtobufFormat format =
              new ProtobufFormat(Fuzz.damaged(Messages.SET, random), "net.Flow", false, plan);
          try {
            format.read(Messages.usual(), new FieldValues(plan));
          } catch (InvalidExampleException e) {
            // The message is of the descriptors before they were damaged.
          }
        });
  }
}
