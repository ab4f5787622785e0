package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON that stands beside an archive: which model it is, what it has learned from, and how good
 * it was. Readers pass over fields that they don't know.
 *
 * @param format version of this description's format
 * @param millrace version of the software that wrote it; null where it isn't packaged
 * @param archive name of the archive's file, in the same directory
 * @param generation and {@code round}: the model's version
 * @param iteration optimizer steps of the replica that had made the most
 * @param created ISO-8601 instant
 * @param engine name of the engine, {@code kind} its kind of network
 * @param configurationHash SHA-256 of the engine's configuration of the network
 * @param features length of an example's feature vector
 * @param outputs classes, or length of an example's label vector
 * @param target what labels mean
 * @param parameters of the network
 * @param updaterState values of updater state in the archive; 0 where it isn't averaged
 * @param standardized examples that feature statistics cover; 0 where features aren't standardized
 * @param ledger what it has taken from each partition
 * @param prequential predictions before learning
 * @param holdOut predictions of the hold-out set; null where there is none
 * @param options of the job
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"format", "millrace", "archive"})
public record SnapshotDescription(
    int format,
    String millrace,
    String archive,
    long generation,
    long round,
    long iteration,
    String created,
    String engine,
    String kind,
    @JsonProperty("configuration_sha256") String configurationHash,
    int features,
    int outputs,
    String target,
    int parameters,
    @JsonProperty("updater_state") int updaterState,
    long standardized,
    List<Taken> ledger,
    Quality prequential,
    @JsonProperty("hold_out") Quality holdOut,
    Map<String, String> options) {

  private static final int FORMAT = 1;
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** What was taken from one partition. */
  public record Taken(String topic, int partition, Ledger.Span learned, Ledger.Span rejected) {}

  /** Measures as means; those that the target doesn't have are left out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Quality(long examples, Double accuracy, Double loss, Double mae, Double rmse) {

    static Quality of(Measures measures, Target target) {
      if (measures.examples() == 0) {
        return new Quality(0, null, null, null, null);
      }
      boolean regression = target == Target.REGRESSION;
      return new Quality(
          measures.examples(),
          regression ? null : measures.accuracy(),
          measures.meanLoss(),
          regression ? measures.meanAbsoluteError() : null,
          regression ? measures.rootMeanSquaredError() : null);
    }
  }

  static SnapshotDescription of(
      GlobalModel model,
      Optional<Measures> holdOut,
      Map<String, String> options,
      String archive,
      Instant created) {
    ModelSpec spec = model.spec();
    Target target = spec.shape().target();
    List<Taken> ledger = new ArrayList<>();
    model
        .ledger()
        .entries()
        .forEach(
            (partition, entry) ->
                ledger.add(
                    new Taken(
                        partition.topic(), partition.number(), entry.learned(), entry.rejected())));
    return new SnapshotDescription(
        FORMAT,
        SnapshotDescription.class.getPackage().getImplementationVersion(),
        archive,
        model.version().generation(),
        model.version().round(),
        model.iteration(),
        created.toString(),
        spec.engine(),
        spec.kind(),
        sha256(spec.configuration()),
        spec.shape().features(),
        spec.shape().outputs(),
        target.toString(),
        spec.parameters(),
        model.vector().length - spec.parameters(),
        model.standardizes() ? model.statistics().count() : 0,
        ledger,
        Quality.of(model.prequential(), target),
        holdOut.map(measures -> Quality.of(measures, target)).orElse(null),
        options);
  }

  /** Records of a partition that the model learned from or rejected. */
  public Ledger.Span taken(Partition partition) {
    return ledger.stream()
        .filter(
            entry ->
                entry.topic().equals(partition.topic()) && entry.partition() == partition.number())
        .map(entry -> new Ledger.Entry(entry.learned(), entry.rejected()).taken())
        .findFirst()
        .orElse(Ledger.Span.EMPTY);
  }

  /** As indented JSON. */
  public String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A description is made of plain values", e);
    }
  }

  /**
   * Reads a description's file.
   *
   * @throws IOException if it can't be read or is none; the message names the file
   */
  public static SnapshotDescription read(Path file) throws IOException {
    try {
      return JSON.readValue(file.toFile(), SnapshotDescription.class);
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is no description of a model: " + e.getOriginalMessage(), e);
    }
  }

  private static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
