package dev.millrace.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.UnknownFieldSet;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.testing.Mutation;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormats;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProtobufFormatTest {

  private static final String[] PATHS = {
    "duration",
    "protocol",
    "count",
    "flag",
    "status",
    "at",
    "big",
    "steps[1].x",
    "numbers[0]",
    "tags.b",
    "card",
    "cash",
    "raw",
    "step.x",
    "step.y",
    "step"
  };

  @Test
  void readsEveryKindOfField() throws Exception {
    assertThat(read(Messages.usual(), PATHS))
        .containsExactly(
            "LONG/DOUBLE 1.5",
            "TEXT tcp ☂",
            "LONG/DOUBLE 0.0",
            "BOOLEAN true",
            "TEXT FRAUD",
            "LONG/DOUBLE 1.700000000123E12",
            "CELL 18446744073709551615",
            "LONG/DOUBLE 2.5",
            "LONG/DOUBLE -4.0",
            "LONG/DOUBLE 2.0",
            "MISSING",
            "LONG/DOUBLE 5.0",
            "OTHER bytes",
            "LONG/DOUBLE 0.5",
            "LONG/DOUBLE 0.0",
            "OTHER a message");
  }

  @Test
  void whatIsNotWrittenIsTheDefaultOrMissing() throws Exception {
    assertThat(read(new byte[0], PATHS))
        .as("a field without presence has its default, one with presence is missing")
        .containsExactly(
            "LONG/DOUBLE 0.0",
            "TEXT ",
            "MISSING",
            "BOOLEAN false",
            "TEXT OK",
            "MISSING",
            "LONG/DOUBLE 0.0",
            "MISSING",
            "MISSING",
            "MISSING",
            "MISSING",
            "MISSING",
            "OTHER bytes",
            "MISSING",
            "MISSING",
            "MISSING");
  }

  @Test
  void theElementsOfASequenceAreItsSteps() throws Exception {
    FieldPlan plan =
        new FieldPlan(List.of(), Optional.of(FieldPath.of("steps")), List.of(FieldPath.of("y")));
    FieldValues values = new FieldValues(plan);

    format(plan).read(Messages.usual(), values);

    assertThat(values.steps()).isEqualTo(2);
    assertThat(values.step(1).longAt(0)).isEqualTo(2);
  }

  @Test
  void fieldsOfANewerWriterArePassedOver() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeString(99, "new");
    out.writeEnum(5, 8);
    out.writeDouble(1, 2.5);
    out.flush();

    assertThat(read(bytes.toByteArray(), "duration", "status"))
        .containsExactly("LONG/DOUBLE 2.5", "TEXT 8");
  }

  @Test
  void refusesWhatIsNotTheMessage() throws Exception {
    assertRefused(encoded(out -> out.writeString(1, "1.5")), "\"duration\": wire type 1 expected");
    assertRefused(
        encoded(
            out -> {
              out.writeDouble(1, 1);
              out.writeDouble(1, 2);
            }),
        "\"duration\" is there twice");
    assertRefused(
        encoded(
            out -> {
              out.writeString(11, "visa");
              out.writeInt32(12, 5);
            }),
        "another of its oneof");
    assertRefused(encoded(out -> out.writeByteArray(2, new byte[] {-1})), "not UTF-8");
    assertRefused(new byte[] {9, 1, 2}, "not the Protobuf message net.Flow at byte");
    assertRefused(new byte[] {12}, "the end of a group that never began");
    // A length of 2 GB.
    assertRefused(new byte[] {18, -1, -1, -1, -1, 7}, "at byte");
    assertRefused(
        new byte[] {9, 1, 2}, "a field expected, bytes found that are none, or less than");
    assertRefused(
        encoded(out -> out.writeByteArray(6, encoded(time -> time.writeInt64(1, Long.MAX_VALUE)))),
        "\"at\": a time of 9223372036854775807 s, which is beyond any calendar");
    // Groups that nobody knows, each in the one before.
    assertRefused(
        encoded(
            out -> {
              for (int i = 0; i < 500_000; i++) {
                out.writeTag(99, 3);
              }
            }),
        "not the Protobuf message net.Flow at byte");
  }

  private interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] encoded(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    writing.to(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static void assertRefused(byte[] value, String reason) {
    assertThatThrownBy(() -> read(value, PATHS))
        .isInstanceOf(InvalidExampleException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void damagedBytesAreRejectedOrReadAsProtobufReadsThem() throws Exception {
    long seed = Seeds.next();
    Random random = new Random(seed);
    FieldPlan plan = plan(PATHS);
    RecordFormat format = format(plan);
    FieldValues values = new FieldValues(plan);
    byte[] good = Messages.usual();
    List<String> expected = read(good, PATHS);
    int accepted = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] damaged = Mutation.of(good, random);
      values.clear();
      try {
        format.read(damaged, values);
        accepted++;
        // It looks at no message within: of those, some aren't wanted.
        UnknownFieldSet reference = UnknownFieldSet.parseFrom(damaged);
        assertThat(told(values, 4))
            .as("seed %d, record %d", seed, i)
            .startsWith(
                "LONG/DOUBLE " + duration(reference.getField(1)),
                "TEXT " + protocol(reference.getField(2)))
            .endsWith("BOOLEAN " + flag(reference.getField(4)));
      } catch (InvalidExampleException e) {
        assertThat(e.getMessage()).as("seed %d, record %d", seed, i).startsWith("not the Protobuf");
      }
      values.clear();
      format.read(good, values);
      assertThat(told(values, PATHS.length))
          .as("the record behind it, seed %d, record %d", seed, i)
          .isEqualTo(expected);
    }
    assertThat(accepted).as("seed %d", seed).isBetween(100, 10_000);
  }

  private static double duration(UnknownFieldSet.Field field) {
    List<Long> values = field.getFixed64List();
    return values.isEmpty() ? 0 : Double.longBitsToDouble(values.get(values.size() - 1));
  }

  private static String protocol(UnknownFieldSet.Field field) {
    List<ByteString> values = field.getLengthDelimitedList();
    return values.isEmpty() ? "" : values.get(values.size() - 1).toStringUtf8();
  }

  private static boolean flag(UnknownFieldSet.Field field) {
    List<Long> values = field.getVarintList();
    return !values.isEmpty() && values.get(values.size() - 1) != 0;
  }

  @Test
  void readsTheHeaderOfARegistrysSerializer(@TempDir Path directory) throws Exception {
    RecordFormat format = named("protobuf-confluent", directory, plan("duration"));
    FieldValues values = new FieldValues(plan("duration"));
    // Schema 7; one place: message 1 of the file.
    byte[] header = {0, 0, 0, 0, 7, 2, 2};
    byte[] value =
        ByteBuffer.allocate(header.length + Messages.usual().length)
            .put(header)
            .put(Messages.usual())
            .array();

    format.read(value, values);

    assertThat(told(values, 1)).containsExactly("LONG/DOUBLE 1.5");
    value[6] = 0;
    assertThatThrownBy(() -> format.read(value, values))
        .hasMessageContaining(
            "the message at the places [1] of its file expected, the one at [0] found");
  }

  @Test
  void saysWhatIsWrongWithDescriptors(@TempDir Path directory) {
    FieldPlan plan = plan("duration");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormats.named("protobuf", plan, Map.of()))
        .withMessageContaining("protoc --include_imports --descriptor_set_out=FILE");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProtobufFormat(Messages.SET, "net.Flows", false, plan))
        .withMessageContaining("it has no message net.Flows; it has net.Other, net.Flow");
    byte[] without =
        FileDescriptorSet.newBuilder().addFile(Messages.set().getFile(0)).build().toByteArray();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProtobufFormat(without, "net.Flow", false, plan))
        .withMessageContaining("it lacks google/protobuf/timestamp.proto");
  }

  private static RecordFormat named(String name, Path directory, FieldPlan plan)
      throws IOException {
    Path file = Files.write(directory.resolve("flow.desc"), Messages.SET);
    return RecordFormats.named(
        name, plan, Map.of("schema", file.toString(), "protobuf.message", "net.Flow"));
  }

  private static RecordFormat format(FieldPlan plan) {
    return new ProtobufFormat(Messages.SET, "net.Flow", false, plan);
  }

  private static FieldPlan plan(String... paths) {
    return new FieldPlan(Stream.of(paths).map(FieldPath::of).toList(), Optional.empty(), List.of());
  }

  private static List<String> read(byte[] value, String... paths) throws InvalidExampleException {
    FieldPlan plan = plan(paths);
    FieldValues values = new FieldValues(plan);
    format(plan).read(value, values);
    return told(values, paths.length);
  }

  private static double number(FieldValues values, int field) {
    return values.kind(field) == FieldValues.Kind.LONG
        ? values.longAt(field)
        : values.doubleAt(field);
  }

  private static List<String> told(FieldValues values, int fields) {
    return IntStream.range(0, fields)
        .mapToObj(
            field ->
                switch (values.kind(field)) {
                  case MISSING -> "MISSING";
                  case LONG, DOUBLE -> "LONG/DOUBLE " + number(values, field);
                  case BOOLEAN -> "BOOLEAN " + values.booleanAt(field);
                  case TEXT -> "TEXT " + values.textAt(field);
                  case CELL -> "CELL " + values.textAt(field);
                  case LIST ->
                      "LIST "
                          + IntStream.range(0, values.listAt(field).steps())
                              .mapToObj(i -> told(values.listAt(field).step(i), 1).get(0))
                              .toList();
                  case OTHER -> "OTHER " + values.otherAt(field);
                })
        .toList();
  }
}
