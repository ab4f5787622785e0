package dev.millrace.cli.models;

import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.TextTable;
import dev.millrace.cli.rows.TablesText;
import dev.millrace.exchange.savepoint.SavepointFacts.SavedOperator;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.MemberReport;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.PartitionProgress.Offsets;
import dev.millrace.snapshot.Quality;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** An {@link Inspection} as text. */
final class InspectionPage {

  private final Inspection told;
  private final List<String> facts = new ArrayList<>();

  InspectionPage(Inspection told) {
    this.told = told;
  }

  String text() {
    List<String> parts = new ArrayList<>();
    parts.add(facts());
    if (told.features() != null) {
      parts.add(FieldsTable.text(told.features()));
    }
    if (told.population() != null) {
      parts.add(members());
    }
    parts.add(layers());
    if (told.tables() != null) {
      parts.add(TablesText.of(told.tables()));
    }
    if (told.ledger() != null) {
      parts.add(told.ledger().isEmpty() ? "It has learned from nothing yet." : ledger());
    }
    if (told.savepoint() != null) {
      parts.add(operators());
    }
    return String.join("\n\n", parts);
  }

  private String facts() {
    fact("path", told.path());
    fact("kind", kind());
    fact("written", told.written());
    fact("size", NumberText.size(told.bytes()));
    if (told.version() != null) {
      fact("version", told.version() + ", round " + NumberText.count(told.version().round()));
    }
    fact("iteration", NumberText.count(told.iteration()));
    fact("network", told.network() + " of " + told.engine());
    if (told.shape() != null) {
      fact(
          "examples",
          "%s features, %s outputs, %s"
              .formatted(told.shape().features(), told.shape().outputs(), told.shape().target()));
    }
    boolean average = told.snapshot() != null && told.snapshot().movingAverage();
    fact("parameters", NumberText.count(told.parameters()) + (average ? ", a moving average" : ""));
    fact(
        "updater state", told.updaterState() == 0 ? "none" : NumberText.count(told.updaterState()));
    fact("updater", updaters());
    if (told.serverOptimizerState() != null) {
      fact("server state", serverOptimizerState(told.serverOptimizerState()));
    }
    fact(
        "standardized",
        told.standardizationCount() == 0
            ? "no"
            : "by %s examples".formatted(NumberText.count(told.standardizationCount())) + clip());
    quality("prequential", told.prequential());
    quality("recent", told.recent());
    quality("hold-out", told.holdOut());
    if (told.snapshot() != null) {
      fact("made by", "Millrace " + told.snapshot().millrace());
    }
    return String.join("\n", facts);
  }

  private String clip() {
    return told.standardizationClip() == null
        ? ""
        : ", clipped at %s deviations".formatted(NumberText.plain(told.standardizationClip()));
  }

  private static String serverOptimizerState(long values) {
    return values == 0 ? "none" : NumberText.count(values) + " of the server optimizer";
  }

  private String kind() {
    Inspection.Savepoint savepoint = told.savepoint();
    if (savepoint == null) {
      return told.kind();
    }
    String backend =
        savepoint.backend().equals("any")
            ? ""
            : ", of the %s backend".formatted(savepoint.backend());
    return "%s %s%s".formatted(told.kind(), savepoint.checkpointId(), backend);
  }

  private String updaters() {
    String all =
        told.layers().stream()
            .map(LayerDescription::updater)
            .filter(updater -> !updater.isEmpty())
            .distinct()
            .collect(Collectors.joining(", "));
    return all.isEmpty() ? "none" : all;
  }

  private void quality(String name, Quality quality) {
    if (quality == null || quality.examples() == 0) {
      return;
    }
    List<String> measures = new ArrayList<>();
    measure(measures, "accuracy", quality.accuracy());
    measure(measures, "loss", quality.loss());
    measure(measures, "AUC", quality.auc());
    measure(measures, "normalized entropy", quality.normalizedEntropy());
    measure(measures, "calibration ratio", quality.calibrationRatio());
    measure(measures, "MAE", quality.meanAbsoluteError());
    measure(measures, "RMSE", quality.rootMeanSquaredError());
    fact(
        name,
        "%s over %s examples"
            .formatted(String.join(", ", measures), NumberText.count(quality.examples())));
  }

  private static void measure(List<String> measures, String name, Double value) {
    if (value != null) {
      measures.add(name + " " + NumberText.number(value));
    }
  }

  private String members() {
    TextTable table = new TextTable(">member", ">learning rate", ">replayed", ">weight", ">loss");
    for (int i = 0; i < told.population().size(); i++) {
      MemberReport member = told.population().get(i);
      table.add(
          i,
          NumberText.number(member.learningRate()),
          member.replay() == null ? "all" : member.replay(),
          NumberText.number(member.weight()),
          NumberText.number(member.loss()));
    }
    return table.text();
  }

  private String layers() {
    TextTable table = new TextTable("layer", "type", ">parameters", "updater");
    for (LayerDescription layer : told.layers()) {
      table.add(layer.name(), layer.type(), layer.parameters().length(), layer.updater());
    }
    return table.text();
  }

  private String ledger() {
    TextTable table =
        new TextTable(
            "topic",
            "topic's id",
            ">partition",
            ">learned",
            ">first",
            ">last",
            ">rejected",
            ">first",
            ">last",
            ">skipped");
    for (PartitionProgress entry : told.ledger()) {
      Offsets learned = entry.learned();
      Offsets rejected = entry.rejected();
      table.add(
          entry.topic(),
          entry.topicId() == null ? "not known" : entry.topicId(),
          entry.partition(),
          learned.count(),
          offset(learned.first()),
          offset(learned.last()),
          rejected.count(),
          offset(rejected.first()),
          offset(rejected.last()),
          entry.skipped() == null ? 0 : entry.skipped().count());
    }
    return table.text();
  }

  private static String offset(Long offset) {
    return offset == null ? "-" : offset.toString();
  }

  private String operators() {
    TextTable table = new TextTable("operator", ">subtasks", ">state");
    for (SavedOperator operator : told.savepoint().operators()) {
      table.add(operator.name(), operator.subtasks(), NumberText.size(operator.bytes()));
    }
    return table.text();
  }

  private void fact(String name, String value) {
    facts.add("%-14s %s".formatted(name, value));
  }
}
