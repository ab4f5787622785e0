package dev.millrace.cli.models;

import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.PartitionProgress.Offsets;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A model card in Hugging Face's layout: what is known of a model, as front matter in YAML and
 * sections for people. What nothing here knows, such as the license, is left to the owner.
 */
public final class ModelCard {

  private final Inspection model;
  private final StringBuilder card = new StringBuilder();

  private ModelCard(Inspection model) {
    this.model = model;
  }

  /** Returns the text, which ends with a line feed. */
  public static String of(Inspection model) {
    return new ModelCard(model).write();
  }

  private String write() {
    frontMatter();
    line("# Model %s".formatted(model.version() == null ? "" : model.version()));
    line("");
    line(
        ("A network of %s (%s) with %s parameters, trained by Millrace on Kafka topics, record by"
                + " record. Written %s.")
            .formatted(
                model.network(), model.engine(), number(model.parameters()), model.written()));
    data();
    training();
    evaluation();
    limits();
    return card.toString();
  }

  private void frontMatter() {
    line("---");
    line("library_name: millrace");
    line("tags: [millrace, %s, online-learning, continual-learning]".formatted(model.engine()));
    if (model.features() != null && model.shape().target() != Target.MULTI_LABEL) {
      line(
          "pipeline_tag: tabular-%s"
              .formatted(
                  model.shape().target() == Target.REGRESSION ? "regression" : "classification"));
    }
    line("---");
    line("");
  }

  private void data() {
    ExampleShape shape = model.shape();
    section("Data fields");
    if (shape == null) {
      line("Not known: the archive has no description.");
      return;
    }
    line("- Features: %s numbers".formatted(number(shape.features())));
    line("- Outputs: %s, %s".formatted(number(shape.outputs()), shape.target()));
    List<String> classes =
        model.snapshot() == null ? List.of() : ClassOrder.in(model.snapshot().configuration());
    if (!classes.isEmpty()) {
      line("- Classes: %s".formatted(String.join(", ", classes)));
    }
    if (model.features() == null) {
      line("- Records hold arrays of numbers; the fields have no names.");
      return;
    }
    line("");
    line("Named fields, and what was learned of them:");
    line("");
    line("```json");
    line(model.features().toPrettyString());
    line("```");
  }

  private void training() {
    section("Training");
    line("Optimizer steps: %s.".formatted(number(model.iteration())));
    SnapshotDescription snapshot = model.snapshot();
    if (snapshot != null && snapshot.parent() != null) {
      line(
          "Began with %s (SHA-256 %s)."
              .formatted(snapshot.parent().source(), snapshot.parent().sha256()));
    }
    if (model.ledger() == null) {
      line("No ledger is known.");
    } else {
      line("The ledger of what it has learned from:");
      line("");
      line("| topic | partition | learned | offsets | rejected | held out | skipped |");
      line("| --- | --- | --- | --- | --- | --- | --- |");
      for (PartitionProgress part : model.ledger()) {
        line(
            "| %s | %s | %s | %s | %s | %s | %s |"
                .formatted(
                    part.topic(),
                    part.partition(),
                    number(part.learned().count()),
                    range(part.learned()),
                    number(part.rejected().count()),
                    count(part.heldOut()),
                    count(part.skipped())));
      }
    }
    if (snapshot != null && !snapshot.configuration().isEmpty()) {
      line("");
      line("Options of the job:");
      line("");
      line("```yaml");
      snapshot.configuration().forEach((key, value) -> line("%s: %s".formatted(key, value)));
      line("```");
    }
  }

  private static String count(Offsets offsetsOrNull) {
    return offsetsOrNull == null ? "0" : number(offsetsOrNull.count());
  }

  private static String range(Offsets offsets) {
    return offsets.count() == 0 ? "" : "%s to %s".formatted(offsets.first(), offsets.last());
  }

  private void evaluation() {
    section("Evaluation");
    List<String> rows = new ArrayList<>();
    add(rows, "before it was learned from (prequential)", model.prequential());
    add(rows, "the same, newest examples", model.recent());
    add(rows, "held out", model.holdOut());
    if (rows.isEmpty()) {
      line("None is known.");
      return;
    }
    line("| on each example | examples | accuracy | loss | AUC | MAE | RMSE |");
    line("| --- | --- | --- | --- | --- | --- | --- |");
    rows.forEach(row -> line(row));
  }

  private static void add(List<String> rows, String on, Quality quality) {
    if (quality != null && quality.examples() > 0) {
      rows.add(
          "| %s | %s | %s | %s | %s | %s | %s |"
              .formatted(
                  on,
                  number(quality.examples()),
                  measure(quality.accuracy()),
                  measure(quality.loss()),
                  measure(quality.auc()),
                  measure(quality.meanAbsoluteError()),
                  measure(quality.rootMeanSquaredError())));
    }
  }

  private void limits() {
    section("Drift and limits");
    SnapshotDescription snapshot = model.snapshot();
    if (snapshot != null && snapshot.wasBeforeDrift()) {
      line("A drift was found in this model's round: it is the model of before training reacted.");
    }
    if (snapshot != null && snapshot.gate() != null) {
      line("The job's gate %s it.".formatted(snapshot.gate().passed() ? "passed" : "refused"));
    }
    String topics =
        model.ledger() == null
            ? "its topics"
            : new TreeSet<>(model.ledger().stream().map(PartitionProgress::topic).toList())
                .stream().collect(Collectors.joining(", "));
    line(
        ("It knows the records of %s up to the offsets above, and what came later may differ."
                + " Drifts that its job found are in the job's metrics topic, not in the model.")
            .formatted(topics));
    line("Its owner adds: purpose, license, who is affected by its errors.");
  }

  private void section(String title) {
    line("");
    line("## %s".formatted(title));
    line("");
  }

  private void line(String text) {
    card.append(text).append('\n');
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String measure(Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.4f", value);
  }
}
