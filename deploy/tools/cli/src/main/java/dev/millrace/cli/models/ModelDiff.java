package dev.millrace.cli.models;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.cli.rows.RowsDiff;
import dev.millrace.cli.rows.StoredTables;
import dev.millrace.cli.rows.TableDiff;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.IndexRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How two models of one architecture differ.
 *
 * @param layers those with parameters
 * @param updaterState null if one of them has none, or they have different updaters
 * @param ledger by partition; null if one of them has none
 * @param tables embedding tables; null if one of them is kept without
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ModelDiff(
    Side a,
    Side b,
    List<LayerDistance> layers,
    Distance parameters,
    Distance updaterState,
    List<LedgerDifference> ledger,
    List<TableDiff> tables) {

  /** One of the two models. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Side(String path, String kind, ModelVersion version, long iteration) {

    private static Side of(Inspection told) {
      return new Side(told.path(), told.kind(), told.version(), told.iteration());
    }

    /** A name for it in one line. */
    String title() {
      String name = version == null ? kind : "version %s, %s".formatted(version, kind);
      return "%s (%s, iteration %s)".formatted(path, name, NumberText.count(iteration));
    }
  }

  /** How far one layer is from the other model's. */
  public record LayerDistance(String name, String type, @JsonUnwrapped Distance distance) {}

  /**
   * Compares two models; both are in memory, but for rows.
   *
   * @throws DifferentModelsException if they aren't of the same architecture
   */
  public static ModelDiff between(StoredModel one, StoredModel other, ReadingProgress progress)
      throws IOException {
    Inspection a = one.inspect();
    Inspection b = other.inspect();
    requireSameArchitecture(a, b);
    float[] ofA = one.vector(progress);
    float[] ofB = other.vector(progress);
    List<LayerDistance> layers = new ArrayList<>();
    for (LayerDescription layer : a.layers()) {
      IndexRange range = layer.parameters();
      if (range.length() > 0) {
        layers.add(
            new LayerDistance(
                layer.name(), layer.type(), Distance.of(ofA, ofB, range.from(), range.length())));
      }
    }
    boolean state = ofA.length == ofB.length && ofA.length > a.parameters();
    return new ModelDiff(
        Side.of(a),
        Side.of(b),
        layers,
        Distance.of(ofA, ofB, 0, a.parameters()),
        state ? Distance.of(ofA, ofB, a.parameters(), ofA.length - a.parameters()) : null,
        a.ledger() == null || b.ledger() == null
            ? null
            : LedgerDifference.of(a.ledger(), b.ledger()),
        tables(one.tables(), other.tables(), progress));
  }

  private static List<TableDiff> tables(
      StoredTables one, StoredTables other, ReadingProgress progress) throws IOException {
    if (one.tables().isEmpty() || other.tables().isEmpty()) {
      return null;
    }
    try {
      return RowsDiff.between(one, other, progress);
    } catch (IllegalArgumentException e) {
      throw new DifferentModelsException(e.getMessage());
    }
  }

  private static void requireSameArchitecture(Inspection a, Inspection b) {
    List<String> differences = new ArrayList<>();
    compare(differences, "network", a.network(), b.network());
    compare(differences, "layers", a.layers().size(), b.layers().size());
    compare(
        differences,
        "parameters",
        NumberText.count(a.parameters()),
        NumberText.count(b.parameters()));
    for (int i = 0; i < Math.min(a.layers().size(), b.layers().size()); i++) {
      LayerDescription layer = a.layers().get(i);
      compare(differences, layer.name(), outline(layer), outline(b.layers().get(i)));
    }
    if (!differences.isEmpty()) {
      throw new DifferentModelsException(
          "%s and %s are of different architectures: %s"
              .formatted(a.path(), b.path(), String.join("; ", differences)));
    }
  }

  private static String outline(LayerDescription layer) {
    return "%s of %s parameters"
        .formatted(layer.type(), NumberText.count(layer.parameters().length()));
  }

  private static void compare(List<String> differences, String what, Object a, Object b) {
    if (!Objects.equals(a, b)) {
      differences.add("%s: %s in the first, %s in the second".formatted(what, a, b));
    }
  }

  /** Writes the differences for programs. */
  public String toJson() {
    return Json.write(this);
  }

  /** Writes the differences for people. */
  public String toText() {
    return new DiffPage(this).text();
  }
}
