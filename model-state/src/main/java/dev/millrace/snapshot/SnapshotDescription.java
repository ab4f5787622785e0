package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Lineage;
import dev.millrace.model.MemberReport;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a snapshot's archive doesn't say itself, as JSON.
 *
 * @param format version of this description's format
 * @param millrace release that wrote it
 * @param iteration optimizer steps of the model, counted by the examples that it has learned
 * @param engine that reads the archive
 * @param kind of network, in the engine's words
 * @param parameters number of them
 * @param population of a model that is made of several its members, in their order; else null
 * @param movingAverage whether the parameters are a moving average, which is for serving: the
 *     archive has no updater state, and isn't what its job trains on from
 * @param updaterState length of the updater state in the archive, 0 if there is none
 * @param configurationHash SHA-256 of the network's configuration, in hexadecimal: the same for all
 *     snapshots of one network
 * @param standardizationCount examples that the archive's normalizer comes from, 0 if it has none
 * @param standardizationClip deviations that standardized features are clipped at, which the
 *     archive's normalizer doesn't do by itself; null if they aren't
 * @param prequential each example predicted before it was learned from
 * @param holdOut of this very model, on examples it never learns from; null if not evaluated
 * @param configuration of the job, as far as its owner put it here
 * @param number how many snapshots have been written to its place with it; 0 where it isn't known
 * @param state null for a model that was not published, such as an exported one
 * @param checkpoint that covers it, null before it is committed
 * @param parent the model that its job began with; null where it began with none
 * @param grown how the model has grown, the first time first; null where it never has
 * @param beforeDrift whether it is the model of a round that found a drift, published before
 *     training reacted; null where it isn't
 * @param gate what the gate decided; null without a gate
 * @param signature of the archive, see {@link ModelSigner}; null where it wasn't signed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SnapshotDescription(
    int format,
    String millrace,
    ModelVersion version,
    long iteration,
    @JsonSerialize(using = ToStringSerializer.class)
        @JsonDeserialize(converter = InstantReader.class)
        Instant created,
    String engine,
    String kind,
    int parameters,
    List<MemberReport> population,
    boolean movingAverage,
    int updaterState,
    String configurationHash,
    ExampleShape shape,
    long standardizationCount,
    Double standardizationClip,
    List<PartitionProgress> ledger,
    Quality prequential,
    Quality holdOut,
    Map<String, String> configuration,
    long number,
    SnapshotState state,
    Long checkpoint,
    Lineage.Parent parent,
    List<Lineage.Grown> grown,
    Boolean beforeDrift,
    PublicationGate.Verdict gate,
    String signature) {

  /** The newest format, which this release writes. */
  public static final int FORMAT = 1;

  static final JsonMapper MAPPER =
      StrictJson.mapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  public SnapshotDescription {
    ledger = List.copyOf(ledger);
    configuration = new TreeMap<>(configuration);
  }

  /** Describes {@code model} as it is now. */
  public static SnapshotDescription of(
      GlobalModel model, Optional<Quality> holdOut, Instant created) {
    ModelSpec spec = model.spec();
    return new SnapshotDescription(
        FORMAT,
        Release.version(),
        model.version(),
        model.iteration(),
        created,
        spec.engine(),
        spec.kind(),
        spec.parameters(),
        ModelMembers.of(spec.engine())
            .map(members -> members.report(spec.configuration(), model.vector()))
            .orElse(null),
        model.movingAverage(),
        model.vector().length - spec.parameters(),
        sha256(spec.configuration()),
        spec.shape(),
        model.standardizes() ? model.statistics().count() : 0,
        model.statistics().clips() ? model.statistics().clip() : null,
        PartitionProgress.of(model.ledger()),
        Quality.of(spec.shape().target(), model.prequential()),
        holdOut.orElse(null),
        model.lineage().configuration(),
        0,
        null,
        null,
        model.lineage().parentOrNull(),
        model.lineage().grown().isEmpty() ? null : model.lineage().grown(),
        null,
        null,
        null);
  }

  /** Returns the same description, published as the {@code newNumber}th in its place. */
  SnapshotDescription numbered(long newNumber) {
    return published(newNumber, SnapshotState.FRESH, null, beforeDrift, gate, signature);
  }

  SnapshotDescription judged(PublicationGate.Verdict verdict) {
    return published(number, state, checkpoint, beforeDrift, verdict, signature);
  }

  SnapshotDescription ofBeforeDrift() {
    return published(number, state, checkpoint, true, gate, signature);
  }

  /** Whether it is marked as the model of before a drift. */
  public boolean wasBeforeDrift() {
    return beforeDrift != null && beforeDrift;
  }

  SnapshotDescription committed(long byCheckpoint) {
    return published(number, SnapshotState.COMMITTED, byCheckpoint, beforeDrift, gate, signature);
  }

  /** Returns this with the signature of its archive; null for none. */
  public SnapshotDescription signed(String newSignature) {
    return published(number, state, checkpoint, beforeDrift, gate, newSignature);
  }

  /** Returns this as the archive has it: without what is told of it later. */
  SnapshotDescription asWritten() {
    return published(number, SnapshotState.FRESH, null, beforeDrift, gate, null);
  }

  private SnapshotDescription published(
      long newNumber,
      SnapshotState newState,
      Long newCheckpoint,
      Boolean newBeforeDrift,
      PublicationGate.Verdict newGate,
      String newSignature) {
    return new SnapshotDescription(
        format,
        millrace,
        version,
        iteration,
        created,
        engine,
        kind,
        parameters,
        population,
        movingAverage,
        updaterState,
        configurationHash,
        shape,
        standardizationCount,
        standardizationClip,
        ledger,
        prequential,
        holdOut,
        configuration,
        newNumber,
        newState,
        newCheckpoint,
        parent,
        grown,
        newBeforeDrift,
        newGate,
        newSignature);
  }

  /** The name of its archive, in the place that it was published to. */
  public String archive() {
    return new SnapshotName(version).archive();
  }

  /** Returns how many records it has learned from. */
  public long learned() {
    return ledger.stream().mapToLong(partition -> partition.learned().count()).sum();
  }

  /** Whether no gate has refused it. */
  public boolean mayBeServed() {
    return gate == null || gate.passed();
  }

  /** Whether readers of committed models may have it. */
  boolean mayBeServedAsCommitted() {
    return mayBeServed() && state == SnapshotState.COMMITTED;
  }

  public String toJson() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A description that is no JSON: " + this, e);
    }
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException if the text is no description, or of a format newer than this release
   */
  public static SnapshotDescription fromJson(String json) throws IOException {
    try {
      return read(json);
    } catch (JsonProcessingException e) {
      throw new IOException("The snapshot's description can't be used: " + StrictJson.reason(e), e);
    } catch (RuntimeException e) {
      throw new IOException("The snapshot's description can't be used: " + e.getMessage(), e);
    }
  }

  private static SnapshotDescription read(String json) throws IOException {
    StrictJson.requireRoom(json);
    JsonNode tree = MAPPER.readTree(json);
    int format = tree.path("format").asInt();
    if (format < 1 || format > FORMAT) {
      throw new IOException(
          "The snapshot's description has the format %s; this release reads formats 1 to %s"
              .formatted(tree.path("format"), FORMAT));
    }
    for (String needed : List.of("version", "created", "engine", "ledger", "configuration")) {
      if (!tree.hasNonNull(needed)) {
        throw new IOException("The snapshot's description has no \"%s\"".formatted(needed));
      }
    }
    return MAPPER.treeToValue(tree, SnapshotDescription.class);
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  private static final class InstantReader extends StdConverter<String, Instant> {
    @Override
    public Instant convert(String text) {
      return Instant.parse(text);
    }
  }
}
