package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.learning.config.Sgd;

/** Archives that aren't what was written, or that nobody should have written. */
final class DamagedArchiveTest {

  @TempDir private Path directory;

  private final Dl4jEngine engine = new Dl4jEngine();
  private Path whole;

  @BeforeEach
  void write() throws IOException {
    InitialModel initial = engine.define(TestNetworks.mlp());
    FeatureStatistics statistics = new FeatureStatistics(12);
    statistics.add(new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 1);
    whole = directory.resolve("whole.zip");
    engine.writeArchive(
        new GlobalModel(
            initial.spec(),
            new ModelVersion(0, 3),
            7,
            initial.vector(),
            statistics,
            new Ledger(),
            Measures.NONE,
            Lineage.NONE,
            new ServerOptimizerState(List.of(new float[initial.spec().parameters()]), 0),
            false),
        Optional.of("{\"said\":true}"),
        whole);
  }

  @Test
  void theWholeOneTellsAll() {
    assertThat(engine.readArchive(whole).description()).contains("{\"said\":true}");
    assertThat(engine.readArchive(whole).iteration()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.5, 0.99})
  void aTruncatedOneIsRefused(double part) throws IOException {
    byte[] bytes = Files.readAllBytes(whole);
    Path cut =
        Files.write(
            directory.resolve("cut.zip"), Arrays.copyOf(bytes, (int) (part * bytes.length)));

    assertRefused(cut, "cut off");
  }

  /** One byte of any entry: refused, or of no meaning (a time stamp, say). */
  @Test
  void aChangedByteIsNeverAnotherModel() throws IOException {
    byte[] bytes = Files.readAllBytes(whole);
    int entries = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("PK\1\2");
    float[] vector = engine.readArchive(whole).vector();
    Path changed = directory.resolve("changed.zip");
    long seed = Seeds.next();
    Random random = new Random(seed);
    int refused = 0;
    for (int attempt = 0; attempt < 100; attempt++) {
      int at = random.nextInt(entries);
      bytes[at] ^= 0x10;
      Files.write(changed, bytes);
      bytes[at] ^= 0x10;
      try {
        assertThat(engine.readArchive(changed).vector()).as("seed %d", seed).isEqualTo(vector);
      } catch (InvalidModelException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining(changed.toString());
        refused++;
      }
    }
    assertThat(refused).as("seed %d", seed).isGreaterThan(60);
  }

  @ParameterizedTest
  @ValueSource(strings = {ModelSerializer.CONFIGURATION_JSON, ModelSerializer.COEFFICIENTS_BIN})
  void whatIsMissingIsNamed(String entry) throws IOException {
    assertRefused(with(entry, null), entry);
  }

  @Test
  void aMissingFileAndADirectoryAreNamed() {
    assertRefused(directory.resolve("absent.zip"), "no such file");
    assertRefused(directory, "directory");
  }

  /** A few bytes that name an array of gigabytes, and gigabytes of zeros in a few bytes. */
  @Test
  void nothingIsAllocatedThatTheNetworkHasNoPlaceFor() throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    Nd4jRuntime.start();
    ArrayBytes.write(new float[0], 0, 0, new DataOutputStream(header));
    byte[] huge = header.toByteArray();
    // The last dimension of the shape, and the length of the values.
    huge[huge.length - 7 - 8] = 0x7f;
    assertRefused(with(ModelSerializer.COEFFICIENTS_BIN, huge), ModelSerializer.COEFFICIENTS_BIN);
    assertRefused(with(ModelSerializer.UPDATER_BIN, array(5_000)), ModelSerializer.UPDATER_BIN);
    assertRefused(
        with(ModelSerializer.CONFIGURATION_JSON, new byte[65 << 20]),
        ModelSerializer.CONFIGURATION_JSON);
    assertRefused(
        with(ModelSerializer.COEFFICIENTS_BIN, new byte[80 << 20]),
        ModelSerializer.COEFFICIENTS_BIN);
  }

  @Test
  void nothingIsAllocatedThatTheNormalizerDoesNotHave() throws IOException {
    byte[] normalizer = content(ModelSerializer.NORMALIZER_BIN);

    assertRefused(
        with(ModelSerializer.NORMALIZER_BIN, naming(normalizer, 12, Integer.MAX_VALUE)),
        "normalizer's mean",
        "2147483647 values");
    assertRefused(
        with(ModelSerializer.NORMALIZER_BIN, Arrays.copyOf(normalizer, normalizer.length - 4)),
        "normalizer ends early");
    assertRefused(with(ModelSerializer.NORMALIZER_BIN, new byte[1]), "normalizer ends early");
  }

  /** A model whose features are all made NaN would be served as if it were sound. */
  @Test
  void aNormalizerThatIsNoNumberIsRefused() throws IOException {
    byte[] normalizer = content(ModelSerializer.NORMALIZER_BIN);
    ByteBuffer.wrap(normalizer).putFloat(normalizer.length - Float.BYTES, Float.NaN);

    assertRefused(
        with(ModelSerializer.NORMALIZER_BIN, normalizer), "normalizer's deviation", "NaN");
  }

  /** A configuration of a few bytes that asks for gigabytes. */
  @Test
  void nothingIsAllocatedForParametersThatAreNotThere() throws IOException {
    int wide = 40_000;
    String json =
        TestNetworks.layeredJson(new Sgd(0.1), 1)
            .replace("\"nin\" : 12", "\"nin\" : " + wide)
            .replace("\"nin\" : 7", "\"nin\" : " + wide)
            .replace("\"nout\" : 7", "\"nout\" : " + wide);
    int parameters = wide * wide + wide + wide * 5 + 5;
    byte[] configuration = json.getBytes(StandardCharsets.UTF_8);

    whole = with(ModelSerializer.CONFIGURATION_JSON, configuration);
    assertRefused(whole, ModelSerializer.COEFFICIENTS_BIN, "configuration asks for " + parameters);

    byte[] says = naming(array(10), 10, parameters);
    assertRefused(
        with(ModelSerializer.COEFFICIENTS_BIN, says),
        ModelSerializer.COEFFICIENTS_BIN,
        parameters + " values follow");
  }

  /** The bytes of an array with another number of values, wherever they tell it. */
  private static byte[] naming(byte[] array, long length, long other) {
    ByteBuffer bytes = ByteBuffer.wrap(array.clone());
    for (int at = 0; at <= array.length - Long.BYTES; at++) {
      if (bytes.getLong(at) == length) {
        bytes.putLong(at, other);
      }
    }
    return bytes.array();
  }

  @Test
  void parametersOfAnotherNetworkAreRefused() throws IOException {
    assertRefused(
        with(ModelSerializer.COEFFICIENTS_BIN, array(10)),
        "10 values",
        ModelSerializer.COEFFICIENTS_BIN);
  }

  @Test
  void aServerOptimizersStateOfAnotherNetworkOrCutOffIsRefused() throws IOException {
    String entry = Dl4jArchive.SERVER_OPTIMIZER_ENTRY;

    assertRefused(with(entry, state(10)), "10 floats", entry);
    assertRefused(with(entry, Arrays.copyOf(state(10), 5)), "ends early", entry);
    byte[] later = state(10);
    later[0] = 9;
    assertRefused(with(entry, later), "version 9", entry);
    byte[] negative = state(0);
    negative[1] = -1;
    negative[9] = 0;
    assertRefused(with(entry, Arrays.copyOf(negative, 10)), "rounds", entry);
    assertThat(engine.readArchive(with(entry, null)).serverOptimizer().isEmpty()).isTrue();
  }

  private static byte[] state(int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ServerOptimizerState.WIRE.write(
        new ServerOptimizerState(List.of(new float[length]), 0), new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void anArchiveOfVeryManyEntriesIsRefused() throws IOException {
    Path many = directory.resolve("many.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(many))) {
      for (int i = 0; i < 20_001; i++) {
        zip.putNextEntry(new ZipEntry("entry" + i));
      }
    }

    assertRefused(many, "20001 entries");
  }

  private void assertRefused(Path file, String... told) {
    assertThatThrownBy(() -> engine.readArchive(file))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContainingAll(told);
  }

  private static byte[] array(int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Nd4jRuntime.start();
    ArrayBytes.write(new float[length], 0, length, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private byte[] content(String name) throws IOException {
    try (ZipFile zip = new ZipFile(whole.toFile())) {
      return zip.getInputStream(zip.getEntry(name)).readAllBytes();
    }
  }

  /** The archive with another content of one entry; null to leave it out. */
  private Path with(String name, byte[] content) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(whole.toFile())) {
      for (ZipEntry entry : zip.stream().toArray(ZipEntry[]::new)) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    entries.put(name, content);
    Path file = Files.createTempFile(directory, "other", ".zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        if (entry.getValue() != null) {
          zip.putNextEntry(new ZipEntry(entry.getKey()));
          zip.write(entry.getValue());
        }
      }
    }
    return file;
  }
}
