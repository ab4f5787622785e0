package dev.millrace.example;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExampleFormatTest {

  private static final ExampleShape CLASSES = new ExampleShape(3, 4, Target.CLASSIFICATION);
  private static final ExampleShape LABELS = new ExampleShape(3, 2, Target.MULTI_LABEL);
  private static final ExampleShape NUMBERS = new ExampleShape(3, 2, Target.REGRESSION);

  @ParameterizedTest
  @ValueSource(strings = {"json", "csv", "float32", "uint8"})
  void givesBackWhatItWrote(String name) throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (ExampleShape shape : List.of(CLASSES, LABELS, NUMBERS)) {
      ExampleFormat format = format(name, shape);
      for (int run = 0; run < 200; run++) {
        Example written = random(shape, random, name);
        Example read = new Example(shape);

        format.read(format.write(written), read);

        assertThat(read.features()).as("seed %d", seed).containsExactly(written.features());
        assertThat(read.labels()).as("seed %d", seed).containsExactly(written.labels());
        if (!name.equals("csv")) {
          assertThat(read.weight()).isEqualTo(written.weight());
          assertThat(read.timestamp()).isEqualTo(written.timestamp());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "not json|not JSON",
        "[1,2]|not a JSON object",
        "{\"features\":[1,2,3]}|\"label\" is missing",
        "{\"label\":1}|\"features\" is missing",
        "{\"features\":[1,2],\"label\":1}|3 features expected, 2 found",
        "{\"features\":[1,2,3,4],\"label\":1}|3 features expected, 4 found",
        "{\"features\":[1,2,null],\"label\":1}|null where a number is expected",
        "{\"features\":[1,2,\"3\"],\"label\":1}|a string where a number is expected",
        "{\"features\":[1,2,[3]],\"label\":1}|an array where a number is expected",
        "{\"features\":[1,2,NaN],\"label\":1}|not JSON",
        "{\"features\":[1,2,1e39],\"label\":1}|beyond the range of floats",
        "{\"features\":7,\"label\":1}|not an array of numbers",
        "{\"features\":[1,2,3],\"label\":4}|label 4 is out of range 0 to 3",
        "{\"features\":[1,2,3],\"label\":-1}|label -1 is out of range 0 to 3",
        "{\"features\":[1,2,3],\"label\":1.5}|\"label\" is 1.5, not a class number",
        "{\"features\":[1,2,3],\"label\":99999999999999999999}|not a class number",
        "{\"features\":[1,2,3],\"label\":1,\"labels\":[1,0,0,0]}|both",
        "{\"features\":[1,2,3],\"features\":[1,2,3],\"label\":1}|not JSON",
        "{\"features\":[1,2,3],\"labels\":[1,1,0,0]}|must sum to 1",
        "{\"features\":[1,2,3],\"label\":1,\"weight\":0}|weight is 0.0",
        "{\"features\":[1,2,3],\"label\":1,\"weight\":\"2\"}|a string where a number",
        "{\"features\":[1,2,3],\"label\":1,\"timestamp\":\"soon\"}|neither milliseconds",
        "{\"features\":[1,2,3],\"label\":1,\"id\":{}}|neither a string nor a number",
        "{\"features\":[1,2,3],\"label\":1}{}|something follows",
        "{\"features\":[1,2,3],\"label\":1|not JSON",
      })
  void refusesJsonThatIsNoExample(String value, String reason) {
    assertRefused(format("json", CLASSES), value.getBytes(UTF_8), reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2,3|4 columns expected (3 features, 1 labels), 3 found",
        "1,2,3,0,0|4 columns expected (3 features, 1 labels), 5 found",
        "1,x,3,0|column 1 is 'x', not a number",
        "1,,3,0|column 1 is '', not a number",
        "1,NaN,3,0|column 1 is 'NaN', not a finite number",
        "1,1e99,3,0|column 1 is '1e99', not a finite number",
        "1,2,3,4|label 4 is out of range 0 to 3",
        "1,2,3,0.5|column 3 is '0.5', not a class number",
        "1,2,\"3,0|a quote is never closed",
      })
  void refusesLinesThatAreNoExample(String line, String reason) {
    assertRefused(format("csv", CLASSES), line.getBytes(UTF_8), reason);
  }

  @Test
  void readsLinesAsToolsWriteThem() throws Exception {
    FormatSettings settings = new FormatSettings(true, ';', List.of("no", "ok", "yes", "x;y"));
    ExampleFormat format = ExampleFormat.named("csv", CLASSES, settings);
    Example example = new Example(CLASSES);

    format.read("\"x;y\"; 1.5 ;-2e-3;\"7\"\r\n".getBytes(UTF_8), example);

    assertThat(example.labels()).containsExactly(0, 0, 0, 1);
    assertThat(example.features()).containsExactly(1.5f, -2e-3f, 7f);
    assertRefused(format, "maybe;1;2;3".getBytes(UTF_8), "class 'maybe' is none of");
  }

  @Test
  void refusesBinaryRecordsOfAnotherMake() {
    ExampleFormat format = format("float32", CLASSES);
    byte[] valid = format.write(random(CLASSES, new Random(1), "float32"));
    assertRefused(format, Arrays.copyOf(valid, 5), "a header of 12 bytes expected");
    assertRefused(format, with(valid, 0, 'X'), "magic byte 77 expected, 88 found");
    assertRefused(format, with(valid, 1, 9), "version 1 expected, 9 found");
    assertRefused(format, with(valid, 2, 2), "type");
    assertRefused(format, with(valid, 3, 0x80), "flags are 0x80");
    assertRefused(format, with(valid, 4, 9), "3 features expected, 9 found");
    assertRefused(format, with(valid, 8, 9), "4 labels expected, 9 found");
    assertRefused(format, Arrays.copyOf(valid, valid.length + 1), "bytes expected");
    assertRefused(format, with(valid, valid.length - 4, 4), "label 4 is out of range 0 to 3");
    Example infinite = random(CLASSES, new Random(1), "float32");
    infinite.features()[1] = Float.NEGATIVE_INFINITY;
    assertRefused(format, format.write(infinite), "feature 1 is -Infinity");
  }

  @Test
  void checksLabelVectors() {
    assertRefused(
        format("json", LABELS),
        LABELS,
        "{\"features\":[1,2,3],\"labels\":[0,2]}".getBytes(UTF_8),
        "label 1 is 2.0, not within 0 to 1");
    assertRefused(
        format("json", NUMBERS),
        NUMBERS,
        "{\"features\":[1,2,3],\"label\":1}".getBytes(UTF_8),
        "2 labels expected, 1 found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "csv", "float32", "uint8"})
  void nothingButARefusalComesOfBytesGoneWrong(String name) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    ExampleFormat format = format(name, CLASSES);
    Example into = new Example(CLASSES);
    for (int run = 0; run < 20_000; run++) {
      byte[] value = mutate(format.write(random(CLASSES, random, name)), random);
      try {
        format.read(value, into);
        for (float feature : into.features()) {
          assertThat(feature).as("seed %d", seed).isFinite();
        }
      } catch (InvalidExampleException e) {
        assertThat(e.getMessage()).as("seed %d", seed).isNotBlank();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "csv", "float32", "uint8"})
  void hugeAndDeepValuesAreRefusedToo(String name) {
    byte[] huge = new byte[10_000_000];
    Arrays.fill(huge, (byte) '[');
    assertRefused(format(name, CLASSES), huge, "");
    Arrays.fill(huge, (byte) '1');
    assertRefused(format(name, CLASSES), huge, "");
    String deep = "{\"other\":" + "[".repeat(100_000);
    assertRefused(format(name, CLASSES), deep.getBytes(UTF_8), "");
  }

  @Test
  void formatsTravelWithTheJob() throws Exception {
    for (String name : ExampleFormat.NAMES) {
      new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(format(name, CLASSES));
    }
    assertThatThrownBy(() -> format("xml", CLASSES)).hasMessageContaining("json");
  }

  private static ExampleFormat format(String name, ExampleShape shape) {
    return ExampleFormat.named(name, shape, FormatSettings.defaults());
  }

  private static void assertRefused(ExampleFormat format, byte[] value, String reason) {
    assertRefused(format, CLASSES, value, reason);
  }

  private static void assertRefused(
      ExampleFormat format, ExampleShape shape, byte[] value, String reason) {
    assertThatThrownBy(() -> format.read(value, new Example(shape)))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  private static Example random(ExampleShape shape, Random random, String format) {
    Example example = new Example(shape);
    for (int i = 0; i < shape.features(); i++) {
      example.features()[i] =
          format.equals("uint8") ? random.nextInt(256) / 255f : (float) random.nextGaussian();
    }
    if (shape.target() == Target.CLASSIFICATION) {
      example.setClass(random.nextInt(shape.outputs()));
    } else {
      for (int i = 0; i < shape.outputs(); i++) {
        example.labels()[i] = random.nextFloat();
      }
    }
    if (random.nextBoolean()) {
      example.setWeight(0.5f + random.nextFloat());
      example.setTimestamp(random.nextInt());
    }
    return example;
  }

  private static byte[] with(byte[] value, int at, int changed) {
    byte[] copy = value.clone();
    copy[at] = (byte) changed;
    return copy;
  }

  private static byte[] mutate(byte[] value, Random random) {
    byte[] mutated = value.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0 && mutated.length > 0; changes--) {
      switch (random.nextInt(3)) {
        case 0 -> mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
        case 1 -> mutated = Arrays.copyOf(mutated, random.nextInt(mutated.length + 8));
        default -> {
          int at = random.nextInt(mutated.length);
          mutated[at] = "0123456789.,-eE[]{}\":NaN".getBytes(UTF_8)[random.nextInt(24)];
        }
      }
    }
    return mutated;
  }
}
