package dev.millrace.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.testing.Mutation;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for all formats. */
class ExampleFormatTest {

  private static final FormatSettings DEFAULTS = FormatSettings.defaults();

  record Case(String name, Target target, FormatSettings settings) {
    ExampleFormat format(ExampleShape shape) {
      return ExampleFormat.named(name, shape, settings);
    }

    ExampleFormat unlabelled(ExampleShape shape) {
      return ExampleFormat.unlabelled(name, shape, settings);
    }
  }

  static Stream<Case> cases() {
    return ExampleFormat.names().stream()
        .flatMap(name -> Stream.of(Target.values()).map(t -> new Case(name, t, DEFAULTS)));
  }

  static Stream<Case> casesWithSettings() {
    FormatSettings other =
        new FormatSettings(true, '\t', List.of("a \"b\"", "c\td", "é,\\", "1", "0"));
    return Stream.concat(cases(), cases().map(c -> new Case(c.name(), c.target(), other)));
  }

  @ParameterizedTest
  @MethodSource("casesWithSettings")
  void readsWhatItWrote(Case c) throws Exception {
    Random random = random();
    for (int run = 0; run < 200; run++) {
      ExampleShape shape = new ExampleShape(1 + random.nextInt(60), 5, c.target());
      ExampleFormat format = c.format(shape);
      Example written = randomExample(shape, c.name(), random);
      Example read = new Example(shape);

      format.read(format.write(written), read);

      assertThat(read.features()).containsExactly(written.features());
      assertThat(read.labels()).containsExactly(written.labels());
      if (!c.name().equals("csv")) {
        assertThat(read.weight()).isEqualTo(written.weight());
        assertThat(read.timestamp()).isEqualTo(written.timestamp());
      }
      if (c.name().equals("json")) {
        assertThat(read.id()).isEqualTo(written.id());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("casesWithSettings")
  void labelsThatNobodyNeedsMayBeThereOrNot(Case c) throws Exception {
    Random random = random();
    for (int run = 0; run < 200; run++) {
      ExampleShape shape = new ExampleShape(1 + random.nextInt(60), 5, c.target());
      ExampleFormat unlabelled = c.unlabelled(shape);
      Example written = randomExample(shape, c.name(), random);
      boolean bare = random.nextBoolean();
      Example read = new Example(shape);

      unlabelled.read((bare ? unlabelled : c.format(shape)).write(written), read);

      assertThat(read.features()).containsExactly(written.features());
      assertThat(read.labels()).containsOnly(0f);
      if (!c.name().equals("csv")) {
        assertThat(read.weight()).isEqualTo(written.weight());
        assertThat(read.timestamp()).isEqualTo(written.timestamp());
      }
      if (c.name().equals("json")) {
        assertThat(read.id()).isEqualTo(written.id());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("casesWithSettings")
  void labelsThatAreNeededMustBeThere(Case c) {
    ExampleShape shape = new ExampleShape(7, 5, c.target());
    byte[] bare = c.unlabelled(shape).write(zeros(shape));

    assertThatThrownBy(() -> c.format(shape).read(bare, new Example(shape)))
        .isInstanceOf(InvalidExampleException.class);
  }

  @ParameterizedTest
  @MethodSource("casesWithSettings")
  void readsOrRefusesAnyBytes(Case c) {
    ExampleShape shape = new ExampleShape(7, 5, c.target());

    assertReadsOrRefuses(c, c.format(shape), shape, true);
  }

  @ParameterizedTest
  @MethodSource("casesWithSettings")
  void readsOrRefusesAnyBytesWithoutLabels(Case c) {
    ExampleShape shape = new ExampleShape(7, 5, c.target());

    assertReadsOrRefuses(c, c.unlabelled(shape), shape, false);
  }

  private static void assertReadsOrRefuses(
      Case c, ExampleFormat format, ExampleShape shape, boolean labelled) {
    Random random = random();
    ExampleFormat writer = random.nextBoolean() ? format : c.format(shape);
    Example read = new Example(shape);
    int refused = 0;
    for (int run = 0; run < 1_500; run++) {
      byte[] value = Mutation.of(writer.write(randomExample(shape, c.name(), random)), random);
      read.reset();
      try {
        format.read(value, read);
        assertIsValid(read, labelled);
      } catch (InvalidExampleException e) {
        refused++;
        assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(400).doesNotContain("\n", "\0");
      }
    }
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void refusesNoiseOfTenMegabytes(Case c) {
    byte[] value = new byte[10_000_000];
    random().nextBytes(value);
    ExampleShape shape = new ExampleShape(7, 5, c.target());

    assertThatThrownBy(() -> c.format(shape).read(value, new Example(shape)))
        .isInstanceOf(InvalidExampleException.class)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void readsAndRefusesExamplesOfTenMegabytes(Case c) throws Exception {
    ExampleShape shape = new ExampleShape(2_600_000, 5, c.target());
    ExampleShape small = new ExampleShape(7, 5, c.target());
    ExampleFormat format = c.format(shape);
    Example read = new Example(shape);
    byte[] value = format.write(zeros(shape));

    format.read(value, read);

    assertThatThrownBy(() -> c.format(small).read(value, new Example(small)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessage("7 features expected, 2600000 found");
  }

  @ParameterizedTest
  @MethodSource("casesWithSettings")
  void worksAfterSerializationAndUse(Case c) throws Exception {
    ExampleShape shape = new ExampleShape(7, 5, c.target());
    ExampleFormat format = c.format(shape);
    Example written = randomExample(shape, c.name(), random());
    Example read = new Example(shape);
    format.read(format.write(written), read);

    ExampleFormat copy = serialized(format);
    read = new Example(shape);
    copy.read(copy.write(written), read);

    assertThat(read.features()).containsExactly(written.features());
    assertThat(read.labels()).containsExactly(written.labels());
  }

  @Test
  void namesTheKnownFormatsToWhoAsksForAnother() {
    assertThatThrownBy(() -> ExampleFormat.named("xml", Shapes.CLASSES, DEFAULTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("There is no example format \"xml\"; known are json, csv, float32, uint8");
  }

  @Test
  void demandsANameForEachClassOrForNone() {
    FormatSettings two = new FormatSettings(false, ',', List.of("a", "b"));
    assertThatThrownBy(() -> ExampleFormat.named("csv", Shapes.CLASSES, two))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 class names for 3 classes");
    assertThatThrownBy(() -> new FormatSettings(false, ',', List.of("a", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[a, a]");
    for (char separator : new char[] {'"', '5', 'e', '-', '.', '\n', 'é'}) {
      assertThatThrownBy(() -> new FormatSettings(false, separator, List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("separator");
    }
  }

  private static void assertIsValid(Example example, boolean labelled) {
    for (float feature : example.features()) {
      assertThat(Float.isFinite(feature)).isTrue();
    }
    float sum = 0;
    for (float label : example.labels()) {
      assertThat(Float.isFinite(label)).isTrue();
      if (example.shape().target() != Target.REGRESSION) {
        assertThat(label >= 0 && label <= 1).as("%s in [0, 1]", label).isTrue();
      }
      sum += label;
    }
    if (!labelled) {
      assertThat(example.labels()).containsOnly(0f);
    } else if (example.shape().target() == Target.CLASSIFICATION) {
      assertThat(sum).isEqualTo(1f);
    }
    assertThat(example.weight()).isPositive().isLessThan(Float.POSITIVE_INFINITY);
  }

  private static Example randomExample(ExampleShape shape, String format, Random random) {
    Example example = new Example(shape);
    for (int i = 0; i < shape.features(); i++) {
      example.features()[i] = format.equals("uint8") ? random.nextInt(256) / 255f : finite(random);
    }
    switch (shape.target()) {
      case CLASSIFICATION -> example.setClass(random.nextInt(shape.outputs()));
      case MULTI_LABEL -> {
        for (int i = 0; i < shape.outputs(); i++) {
          example.labels()[i] = random.nextBoolean() ? random.nextInt(2) : random.nextFloat();
        }
      }
      case REGRESSION -> {
        for (int i = 0; i < shape.outputs(); i++) {
          example.labels()[i] = finite(random);
        }
      }
    }
    if (random.nextBoolean()) {
      example.setWeight(Float.MIN_VALUE + random.nextFloat() * 10);
    }
    if (random.nextBoolean()) {
      example.setTimestamp(random.nextLong() >> random.nextInt(64));
    }
    if (random.nextBoolean()) {
      example.setId(random.nextBoolean() ? "" : "ä\"\n\u0000" + random.nextLong());
    }
    return example;
  }

  /** Any float that there is, but NaN and the infinite ones. */
  private static float finite(Random random) {
    float number = Float.intBitsToFloat(random.nextInt());
    return Float.isFinite(number) ? number : random.nextInt(100);
  }

  private static Example zeros(ExampleShape shape) {
    Example example = new Example(shape);
    example.labels()[0] = 1;
    return example;
  }

  private static ExampleFormat serialized(ExampleFormat format) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(format);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (ExampleFormat) in.readObject();
    }
  }

  private static Random random() {
    long seed = Seeds.next();
    System.out.println("seed " + seed + ", repeat with -Dseed=" + seed);
    return new Random(seed);
  }
}
