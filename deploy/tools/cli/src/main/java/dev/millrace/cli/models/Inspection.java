package dev.millrace.cli.models;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.cli.rows.TableSummary;
import dev.millrace.exchange.savepoint.SavepointFacts.SavedOperator;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.MemberReport;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeaturesFile;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.util.List;

/**
 * The facts about a model in an archive, savepoint or checkpoint. What isn't known there is null,
 * as is most of an archive that plain DL4J has written.
 *
 * @param path as it was asked for
 * @param kind of savepoint or checkpoint, or {@code archive}
 * @param written ISO-8601
 * @param bytes that it takes where it is kept
 * @param iteration optimizer steps of the model, counted by the examples that it has learned
 * @param network the engine's own name for the kind of network
 * @param updaterState how many values of it there are; 0 if it isn't kept
 * @param serverOptimizerState how many values the server optimizer has kept; null for savepoints,
 *     where the blocks that have them aren't looked into
 * @param population of a model that is made of several its members, in their order; else null
 * @param layers in the order of their parameters
 * @param standardizationCount examples that features are standardized by, 0 if they aren't
 * @param standardizationClip deviations that standardized features are clipped at, null if they
 *     aren't
 * @param features named fields and what is learned of them, as an archive's {@code features.json}
 *     has it; null where features are arrays of numbers
 * @param ledger what it has learned from
 * @param prequential each example predicted before it was learned from
 * @param recent the same over the newest examples
 * @param holdOut on examples that it never learns from
 * @param savepoint null for archives
 * @param snapshot an archive's description, where it has one
 * @param tables embedding tables of a savepoint; null where there are none, or weren't looked into
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Inspection(
    String path,
    String kind,
    String written,
    long bytes,
    ModelVersion version,
    long iteration,
    String engine,
    String network,
    int parameters,
    int updaterState,
    Long serverOptimizerState,
    ExampleShape shape,
    List<MemberReport> population,
    List<LayerDescription> layers,
    long standardizationCount,
    Double standardizationClip,
    JsonNode features,
    List<PartitionProgress> ledger,
    Quality prequential,
    Quality recent,
    Quality holdOut,
    Savepoint savepoint,
    SnapshotDescription snapshot,
    List<TableSummary> tables) {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /**
   * What only savepoints and checkpoints have.
   *
   * @param backend {@code any} where the format is the same for all
   * @param blocks that the model's vector is kept in
   * @param blockSize floats in a block
   * @param operators that have state in it
   */
  public record Savepoint(
      String directory,
      long checkpointId,
      String backend,
      int blocks,
      int blockSize,
      List<SavedOperator> operators) {}

  public Inspection {
    layers = List.copyOf(layers);
  }

  /** Returns what is known of named fields; null where features are arrays of numbers. */
  static JsonNode features(ExampleShape shape, LearnedFeatures learned) throws IOException {
    return shape.columns().isPlain() ? null : MAPPER.readTree(FeaturesFile.write(shape, learned));
  }

  /**
   * Adds what was found of embedding tables.
   *
   * @param found none where there are none
   */
  public Inspection with(List<TableSummary> found) {
    return new Inspection(
        path,
        kind,
        written,
        bytes,
        version,
        iteration,
        engine,
        network,
        parameters,
        updaterState,
        serverOptimizerState,
        shape,
        population,
        layers,
        standardizationCount,
        standardizationClip,
        features,
        ledger,
        prequential,
        recent,
        holdOut,
        savepoint,
        snapshot,
        found.isEmpty() ? null : List.copyOf(found));
  }

  /** Writes the inspection for programs. */
  public String toJson() {
    return Json.write(this);
  }

  /** Writes the inspection for people. */
  public String toText() {
    return new InspectionPage(this).text();
  }
}
