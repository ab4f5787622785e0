package dev.millrace.kafka.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReceivedSerializerTest {

  private static final String EXAMPLE_V1 =
      "01027401000000030000000000000007000000020000000201000000020000803f00000040"
          + "000000020000003f0000003e3f00000000000000000003e8036964";
  private static final String EXAMPLE_V2 = "03" + EXAMPLE_V1.substring(2) + "01000000026b79";
  private static final String REJECTED_V1 =
      "0202740100000003000000000000000700000000000003e80001000000020a0b04626164";

  private final TypeSerializer<Received> serializer =
      new ReceivedTypeInfo().createSerializer(new SerializerConfigImpl());

  static Stream<Received> values() {
    return Stream.of(
        example(new Random(1), new ExampleShape(5, 3, Target.CLASSIFICATION)),
        example(new Random(2), new ExampleShape(20_000, 1, Target.REGRESSION)),
        sequence(new Random(4)),
        rejected(new byte[] {1, 2}, new byte[70_000], "x".repeat(70_000)),
        rejected(null, null, "a tombstone"),
        rejected(new byte[0], new byte[0], ""));
  }

  @ParameterizedTest
  @MethodSource("values")
  void readsWhatItWrote(Received value) throws IOException {
    assertSame(value, serializer.deserialize(input(write(value))));
  }

  @ParameterizedTest
  @MethodSource("values")
  void readsIntoWhatItIsGiven(Received value) throws IOException {
    Received reuse = new Example(new ExampleShape(5, 3, Target.CLASSIFICATION));

    Received read = serializer.deserialize(reuse, input(write(value)));

    assertSame(value, read);
    if (value instanceof Example example && example.shape().features() == 5) {
      assertThat(read).isSameAs(reuse);
    }
  }

  @ParameterizedTest
  @MethodSource("values")
  void copiesValuesAndBytes(Received value) throws IOException {
    assertSame(value, serializer.copy(value));
    assertSame(value, serializer.copy(value, rejected(null, null, "")));
    assertSame(
        value, serializer.copy(value, new Example(new ExampleShape(5, 3, Target.CLASSIFICATION))));

    DataOutputSerializer copy = new DataOutputSerializer(64);
    serializer.copy(input(write(value)), copy);
    assertThat(copy.getCopyOfBuffer()).isEqualTo(write(value));
  }

  @Test
  void wordsAndStepsAreThere() throws IOException {
    Example sequence = sequence(new Random(5));

    Example read = (Example) serializer.duplicate().deserialize(input(write(sequence)));

    assertThat(read).usingRecursiveComparison().isEqualTo(sequence);
    assertThat(read.words()).containsExactly("a", null, "é", null);
    assertThat(read.steps()).isEqualTo(2);
  }

  @Test
  void copiesOfAnExampleAreItsOwn() {
    Example example = example(new Random(3), new ExampleShape(5, 3, Target.CLASSIFICATION));
    Example copy = (Example) serializer.copy(example);

    example.features()[0] = 42;

    assertThat(copy.features()[0]).isNotEqualTo(42);
  }

  @Test
  void restoresFromItsSnapshot() throws Exception {
    DataOutputSerializer out = new DataOutputSerializer(64);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    TypeSerializerSnapshot<Received> snapshot =
        TypeSerializerSnapshot.readVersionedSnapshot(
            input(out.getCopyOfBuffer()), getClass().getClassLoader());

    assertThat(
            serializer
                .snapshotConfiguration()
                .resolveSchemaCompatibility(snapshot)
                .isCompatibleAsIs())
        .isTrue();
    assertThat(snapshot.restoreSerializer()).isEqualTo(serializer);
    assertThat(InstantiationUtil.clone(serializer)).isEqualTo(serializer);
    assertThat(serializer.duplicate()).isEqualTo(serializer).isNotSameAs(serializer);
  }

  @Test
  void readsTheBytesOfVersion1() throws IOException {
    Example example = fixture();
    RejectedRecord rejected =
        new RejectedRecord(new Partition("t", 3), 7, 1000, null, new byte[] {10, 11}, "bad");

    assertThat(HexFormat.of().formatHex(write(rejected))).isEqualTo(REJECTED_V1);
    assertThat(serializer.deserialize(input(HexFormat.of().parseHex(EXAMPLE_V1))))
        .usingRecursiveComparison()
        .isEqualTo(example);
    assertThat(serializer.deserialize(input(HexFormat.of().parseHex(REJECTED_V1))))
        .usingRecursiveComparison()
        .isEqualTo(rejected);
  }

  @Test
  void readsTheBytesOfVersion2() throws IOException {
    Example example = fixture();
    example.setKey(new byte[] {'k', 'y'});

    assertThat(HexFormat.of().formatHex(write(example))).isEqualTo(EXAMPLE_V2);
    assertThat(serializer.deserialize(input(HexFormat.of().parseHex(EXAMPLE_V2))))
        .usingRecursiveComparison()
        .isEqualTo(example);
  }

  private static Example fixture() {
    Example example = new Example(new ExampleShape(2, 2, Target.MULTI_LABEL));
    System.arraycopy(new float[] {1, 2}, 0, example.features(), 0, 2);
    System.arraycopy(new float[] {0.5f, 0.125f}, 0, example.labels(), 0, 2);
    example.setWeight(0.5f);
    example.setTimestamp(1000);
    example.setId("id");
    example.setOrigin(new Partition("t", 3), 7);
    return example;
  }

  @Test
  void refusesAFormatThatItDoesNotKnow() {
    assertThatThrownBy(() -> serializer.deserialize(input(new byte[] {9})))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("format 9");
  }

  /** The fixtures see to it that nothing is left out of the bytes. */
  private void assertSame(Received expected, Received actual) throws IOException {
    assertThat(write(actual)).isEqualTo(write(expected));
  }

  private byte[] write(Received value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return out.getCopyOfBuffer();
  }

  private static DataInputDeserializer input(byte[] bytes) {
    return new DataInputDeserializer(bytes);
  }

  private static Example example(Random random, ExampleShape shape) {
    Example example = new Example(shape);
    for (int i = 0; i < shape.features(); i++) {
      example.features()[i] = random.nextFloat();
    }
    example.labels()[0] = 1;
    example.setWeight(random.nextFloat());
    example.setKey(random.nextBoolean() ? new byte[] {1, 2, 3} : null);
    example.setOrigin(new Partition("topic", random.nextInt(100)), random.nextLong());
    return example;
  }

  private static Example sequence(Random random) {
    List<WordColumn> words =
        List.of(new WordColumn("one", 3, 0, false), new WordColumn("two", 3, 1, false));
    Example example =
        example(
            random,
            new ExampleShape(
                4,
                3,
                Target.CLASSIFICATION,
                new FeatureColumns("{}", List.of(), words, List.of()),
                new ExampleStructure(2, true)));
    example.words()[0] = "a";
    example.words()[2] = "é";
    return example;
  }

  private static RejectedRecord rejected(byte[] key, byte[] value, String reason) {
    return new RejectedRecord(new Partition("topic", 0), 12, 34, key, value, reason);
  }
}
