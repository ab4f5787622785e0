package dev.millrace.model.dl4j;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.FeaturesFile;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.HeapRoom;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.deeplearning4j.util.ModelSerializer;

/**
 * The contents of an archive in the format of DL4J's {@link ModelSerializer}. It is not read by
 * that class, which would deserialize any Java object in it, and not written by it, which fails to
 * add a normalizer.
 *
 * @param network as its configuration describes it, not initialized
 * @param vector [parameters | updater state], or the parameters alone
 * @param parameters length of their part of the vector
 * @param statisticsOrNull where the archive has a normalizer, and not what follows
 * @param featuresOrNull where the features are made of named fields
 * @param serverOptimizer none where the archive has no such entry
 * @param descriptionOrNull of the snapshot, where it has one
 */
record Dl4jArchive(
    Network network,
    float[] vector,
    int parameters,
    FeatureStatistics statisticsOrNull,
    FeaturesFile featuresOrNull,
    ServerOptimizerState serverOptimizer,
    String descriptionOrNull) {

  /** An entry of ours, which DL4J passes over: the statistics that the normalizer comes from. */
  static final String STATISTICS_ENTRY = "millrace/featureStatistics.bin";

  /** Another one: what the server optimizer keeps, see {@link ServerOptimizerState#WIRE}. */
  static final String SERVER_OPTIMIZER_ENTRY = "millrace/serverOptimizer.bin";

  /** No updater of DL4J's keeps more than three values a parameter. */
  private static final int MOST_STATE_PER_PARAMETER = 4;

  /**
   * Takes no more memory than the network that the configuration describes, and a server
   * optimizer's state for it; and none for them, where the file is too short for the parameters.
   *
   * @throws IOException if the file can't be read or isn't such an archive; the message doesn't
   *     name it
   * @throws dev.millrace.model.io.InvalidModelException if its configuration is of no network
   */
  static Dl4jArchive read(Path file) throws IOException {
    try (ArchiveEntries entries = ArchiveEntries.open(file)) {
      String configuration = configuration(entries);
      if (!entries.has(ModelSerializer.COEFFICIENTS_BIN)) {
        throw new IOException("it has no entry " + ModelSerializer.COEFFICIENTS_BIN);
      }
      Network network = ConfigurationJson.read(configuration, "The network in the archive " + file);
      int parameters = parameters(network);
      return new Dl4jArchive(
          network,
          vector(entries, parameters),
          parameters,
          entries.has(FeaturesFile.ENTRY) ? null : statistics(entries),
          features(entries),
          serverOptimizer(entries, parameters),
          entries
              .bytes(ModelEngine.DESCRIPTION_ENTRY)
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
              .orElse(null));
    }
  }

  /**
   * The network's configuration alone, as JSON.
   *
   * @throws IOException if the file can't be read or isn't such an archive
   */
  static String readConfiguration(Path file) throws IOException {
    try (ArchiveEntries entries = ArchiveEntries.open(file)) {
      return configuration(entries);
    }
  }

  private static String configuration(ArchiveEntries entries) throws IOException {
    return entries
        .bytes(ModelSerializer.CONFIGURATION_JSON, ConfigurationJson.MOST_BYTES)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .orElseThrow(
            () -> new IOException("it has no entry " + ModelSerializer.CONFIGURATION_JSON));
  }

  ArchivedModel model() {
    return new ArchivedModel(
        network.kind().className(),
        network.toJson(),
        network.iteration(),
        parameters,
        vector,
        learnedOrNull(),
        serverOptimizer,
        descriptionOrNull);
  }

  /** Returns what is known of features, if anything. */
  LearnedFeatures learnedOrNull() {
    if (featuresOrNull != null) {
      return featuresOrNull.learned();
    }
    return statisticsOrNull == null ? null : LearnedFeatures.of(statisticsOrNull);
  }

  int updaterState() {
    return vector.length - parameters;
  }

  private static int parameters(Network network) throws IOException {
    try {
      return network.layers().descriptions().stream()
          .map(LayerDescription::parameters)
          .mapToInt(range -> range.to())
          .max()
          .orElse(0);
    } catch (RuntimeException e) {
      throw new IOException("its configuration is of no network: " + e.getMessage(), e);
    }
  }

  private static float[] vector(ArchiveEntries entries, int parameters) throws IOException {
    length(entries, ModelSerializer.COEFFICIENTS_BIN, parameters, parameters);
    long most = (long) parameters * MOST_STATE_PER_PARAMETER;
    int state =
        entries.has(ModelSerializer.UPDATER_BIN)
            ? length(entries, ModelSerializer.UPDATER_BIN, 0, most)
            : 0;
    float[] vector = HeapRoom.floats((long) parameters + state, "Its parameters and updater state");
    fill(entries, ModelSerializer.COEFFICIENTS_BIN, vector, 0, parameters);
    if (state > 0) {
      fill(entries, ModelSerializer.UPDATER_BIN, vector, parameters, state);
    }
    return vector;
  }

  /**
   * Looks at the beginning of an array alone, before memory is taken for all of it: a configuration
   * of a few bytes and a header can ask for gigabytes.
   */
  private static int length(ArchiveEntries entries, String name, long least, long most)
      throws IOException {
    return entries.peek(
        name,
        in -> {
          int length = checked(ArrayBytes.readLength(in), least, most);
          if ((long) length * Float.BYTES > entries.mostBytes(name)) {
            throw new IOException(
                "it says that %s values follow, and can't have more than %s bytes"
                    .formatted(length, entries.mostBytes(name)));
          }
          return length;
        });
  }

  private static void fill(
      ArchiveEntries entries, String name, float[] vector, int from, int length)
      throws IOException {
    entries.read(
        name,
        in -> {
          checked(ArrayBytes.readLength(in), length, length);
          ArrayBytes.readValues(in, vector, from, length);
          return vector;
        });
  }

  private static int checked(int length, long least, long most) throws IOException {
    if (length < least || length > most) {
      throw new IOException(
          "it has %s values, and the archive's configuration asks for %s"
              .formatted(length, least == most ? least : "at most " + most));
    }
    return length;
  }

  private static FeaturesFile features(ArchiveEntries entries) throws IOException {
    Optional<byte[]> json = entries.bytes(FeaturesFile.ENTRY);
    return json.isEmpty() ? null : FeaturesFile.read(json.get());
  }

  private static FeatureStatistics statistics(ArchiveEntries entries) throws IOException {
    Optional<byte[]> normalizer = entries.bytes(ModelSerializer.NORMALIZER_BIN);
    if (normalizer.isEmpty()) {
      return null;
    }
    Standardization standardization = Normalizers.read(normalizer.get());
    Optional<byte[]> bytes = entries.bytes(STATISTICS_ENTRY);
    int features = standardization.mean().length;
    // Somebody may have put in another normalizer since.
    if (bytes.isPresent() && bytes.get().length == FeatureStatistics.bytes(features)) {
      FeatureStatistics ours =
          FeatureStatistics.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes.get())));
      if (same(ours.standardization(), standardization)) {
        return ours;
      }
    }
    return Normalizers.statistics(standardization);
  }

  private static ServerOptimizerState serverOptimizer(ArchiveEntries entries, int parameters)
      throws IOException {
    return entries.has(SERVER_OPTIMIZER_ENTRY)
        ? entries.read(SERVER_OPTIMIZER_ENTRY, in -> ServerOptimizerState.read(in, parameters))
        : ServerOptimizerState.NONE;
  }

  private static boolean same(Standardization one, Standardization other) {
    return Arrays.equals(one.mean(), other.mean()) && Arrays.equals(one.scale(), other.scale());
  }
}
