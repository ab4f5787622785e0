package dev.millrace.model.torch;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.FeaturesFile;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.io.HeapRoom;
import dev.millrace.model.io.StrictJson;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.JitModule;

/**
 * What lies in a TorchScript archive, {@link ArchiveWriter}'s or another's. The module belongs to
 * the caller's {@code PointerScope}.
 *
 * @param module on the CPU
 * @param facts what the archive tells besides; none where others wrote it
 * @param slots the module's tensors in the vector
 * @param updaterState of the updater that the facts name; empty where there is none
 * @param statisticsOrNull where the archive standardizes features, and not what follows
 * @param featuresOrNull where the features are made of named fields
 * @param descriptionOrNull of the snapshot
 */
record TorchArchive(
    JitModule module,
    ModelFacts facts,
    List<TensorSlot> slots,
    float[] updaterState,
    FeatureStatistics statisticsOrNull,
    FeaturesFile featuresOrNull,
    ServerOptimizerState serverOptimizer,
    String descriptionOrNull) {

  /** Name of the engine. */
  static final String ENGINE = "torch";

  /** The kind of all its networks, see {@link dev.millrace.model.ModelSpec#kind()}. */
  static final String KIND = "torchscript";

  // Extra files, as Python names them.

  /** Floats, little-endian. */
  static final String UPDATER_STATE = "millrace/updaterState.bin";

  /** See {@link FeatureStatistics#WIRE}. */
  static final String STATISTICS = "millrace/featureStatistics.bin";

  /** The entry for Python: means, scales and clip as JSON. */
  static final String STANDARDIZATION = "millrace/standardization.json";

  /** See {@link ServerOptimizerState#WIRE}. */
  static final String SERVER_OPTIMIZER = "millrace/serverOptimizer.bin";

  private static final int CHUNK_FLOATS = 1 << 14;

  private static final JsonMapper MAPPER = StrictJson.mapper().build();

  /**
   * @throws IOException if it can't be read, is damaged or no such archive; the message doesn't
   *     name it
   */
  static TorchArchive read(Path file) throws IOException {
    try (CheckedArchive archive = CheckedArchive.open(file)) {
      JitModule module = archive.load();
      ModelFacts facts = ModelFacts.read(archive.extra(ModelFacts.NAME));
      List<TensorSlot> slots = ModuleSlots.of(module);
      TorchConfiguration sizes = new TorchConfiguration(facts.training(), slots, Map.of(), "");
      return new TorchArchive(
          module,
          facts,
          slots,
          updaterState(archive, sizes),
          archive.hasExtra(FeaturesFile.ENTRY) ? null : statistics(archive),
          features(archive),
          archive.hasExtra(SERVER_OPTIMIZER)
              ? archive.readExtra(
                  SERVER_OPTIMIZER, in -> ServerOptimizerState.read(in, sizes.parameters()))
              : ServerOptimizerState.NONE,
          archive
              .extra(ModelEngine.DESCRIPTION_ENTRY)
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
              .orElse(null));
    }
  }

  /** Reads what an archive says of itself, without a look at its module. */
  static ModelFacts facts(Path file) throws IOException {
    try (CheckedArchive archive = CheckedArchive.open(file)) {
      return ModelFacts.read(archive.extra(ModelFacts.NAME));
    }
  }

  ArchivedModel model() {
    TorchConfiguration configuration =
        new TorchConfiguration(
            facts.training(),
            slots,
            ModuleSlots.types(module, slots),
            ModuleArchive.toText(module));
    return new ArchivedModel(
        KIND,
        configuration.toJson(),
        facts.iteration(),
        configuration.parameters(),
        vector(updaterState),
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

  /** [trainable parameters | buffers | the state that is given]. */
  float[] vector(float[] state) {
    int parameters = slots.isEmpty() ? 0 : slots.get(slots.size() - 1).to();
    float[] vector =
        HeapRoom.floats((long) parameters + state.length, "Its parameters and updater state");
    ModuleSlots.read(module, slots, vector);
    System.arraycopy(state, 0, vector, parameters, state.length);
    return vector;
  }

  private static float[] updaterState(CheckedArchive archive, TorchConfiguration sizes)
      throws IOException {
    if (!archive.hasExtra(UPDATER_STATE) || sizes.training() == null) {
      return new float[0];
    }
    int length = sizes.updaterState();
    if (archive.mostBytesOfExtra(UPDATER_STATE) < (long) length * Float.BYTES) {
      throw new IOException(
          "its updater state has not the %s values that %s keeps"
              .formatted(length, sizes.training().updater()));
    }
    float[] state = HeapRoom.floats(length, "Its updater state");
    archive.readExtra(
        UPDATER_STATE,
        in -> {
          readFloats(in, state);
          return state;
        });
    return state;
  }

  private static void readFloats(DataInputStream in, float[] target) throws IOException {
    byte[] chunk = new byte[CHUNK_FLOATS * Float.BYTES];
    FloatBuffer floats = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    for (int done = 0; done < target.length; done += CHUNK_FLOATS) {
      int count = Math.min(CHUNK_FLOATS, target.length - done);
      in.readFully(chunk, 0, count * Float.BYTES);
      floats.clear().get(target, done, count);
    }
  }

  private static FeaturesFile features(CheckedArchive archive) throws IOException {
    Optional<byte[]> json = archive.extra(FeaturesFile.ENTRY);
    return json.isEmpty() ? null : FeaturesFile.read(json.get());
  }

  private static FeatureStatistics statistics(CheckedArchive archive) throws IOException {
    Optional<byte[]> json = archive.extra(STANDARDIZATION);
    if (!archive.hasExtra(STATISTICS) || json.isEmpty()) {
      return null;
    }
    StrictJson.requireRoom(json.get());
    int features = MAPPER.readValue(json.get(), Standardization.class).mean().length;
    byte[] bytes = archive.extra(STATISTICS).orElseThrow();
    if (bytes.length != FeatureStatistics.bytes(features)) {
      throw new IOException(
          "its feature statistics aren't those of %s features".formatted(features));
    }
    return FeatureStatistics.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }
}
