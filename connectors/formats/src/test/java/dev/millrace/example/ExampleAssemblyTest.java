package dev.millrace.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExampleAssemblyTest {

  private static final Partition PLACE = new Partition("split-3", 0);
  private static final float[] FEATURES = {1, 2};

  private final ExampleAssembly assembly =
      new ExampleAssembly(new ExampleShape(2, 3, Target.CLASSIFICATION), true);

  @Test
  void putsAnExampleTogether() {
    Example example =
        (Example)
            end(
                to -> {
                  to.label(1);
                  to.features(FEATURES);
                  to.weight(0.5f);
                  to.id("order-7");
                });

    assertThat(example.features()).containsExactly(1, 2);
    assertThat(example.labels()).containsExactly(0, 1, 0);
    assertThat(example.weight()).isEqualTo(0.5f);
    assertThat(example.id()).isEqualTo("order-7");
    assertThat(example.partition()).isEqualTo(PLACE);
    assertThat(example.offset()).isEqualTo(8);
    assertThat(example.timestamp()).isEqualTo(99);
  }

  @Test
  void whatTheRecordBeforeHadIsForgotten() {
    end(
        to -> {
          to.features(FEATURES);
          to.label(1);
          to.weight(3);
          to.timestamp(5);
          to.position("orders", 2, 70);
        });

    Example next =
        (Example)
            end(
                to -> {
                  to.features(FEATURES);
                  to.label(0);
                });

    assertThat(next.weight()).isEqualTo(1);
    assertThat(next.timestamp()).isEqualTo(99);
    assertThat(next.partition()).isEqualTo(PLACE);
    assertThat(next.labels()).containsExactly(1, 0, 0);
  }

  @Test
  void aRejectedRecordHasThePlaceThatWasSaid() {
    Received received =
        end(
            to -> {
              to.features(new float[] {Float.NaN, 0});
              to.position("orders", 2, 70);
            });

    assertThat(received.partition()).isEqualTo(new Partition("orders", 2));
    assertThat(received.offset()).isEqualTo(70);
  }

  @Test
  void labelsAreNotAskedForWhereNobodyNeedsThem() {
    ExampleAssembly scored =
        new ExampleAssembly(new ExampleShape(2, 3, Target.CLASSIFICATION), false);
    scored.begin();
    scored.features(FEATURES);
    scored.label(17);

    assertThat(scored.end(PLACE, 0, 0)).isInstanceOf(Example.class);
  }

  @ParameterizedTest
  @MethodSource
  void rejectsWhatFormatsReject(Consumer<ExampleAssembly> values, String reason) {
    assertThat(end(values))
        .isInstanceOfSatisfying(
            RejectedRecord.class, rejected -> assertThat(rejected.reason()).isEqualTo(reason));
  }

  static Stream<Arguments> rejectsWhatFormatsReject() {
    return Stream.of(
        rejects(to -> to.label(0), "no features"),
        rejects(to -> to.features(FEATURES), "no label"),
        rejects(to -> to.features(new float[3]), "2 features expected, 3 found"),
        rejects(to -> to.features(new float[] {0, Float.NaN}), "feature 1 is NaN"),
        rejects(to -> to.label(3), "label 3 is out of range 0 to 2"),
        rejects(to -> to.labels(new float[2]), "3 labels expected, 2 found"),
        rejects(to -> to.weight(0), "weight 0.0 is not a finite number above 0"),
        rejects(
            to -> to.position("orders", 0, -1),
            "position orders, 0, -1 is no topic, partition and offset"),
        rejects(to -> to.reject("cancelled"), "cancelled"));
  }

  private static Arguments rejects(Consumer<ExampleAssembly> values, String reason) {
    return Arguments.of(values, reason);
  }

  private Received end(Consumer<ExampleAssembly> values) {
    assembly.begin();
    values.accept(assembly);
    return assembly.end(PLACE, 8, 99);
  }
}
