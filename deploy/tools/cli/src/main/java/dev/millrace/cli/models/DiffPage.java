package dev.millrace.cli.models;

import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.TextTable;
import dev.millrace.cli.models.LedgerDifference.Records;
import dev.millrace.cli.rows.TableDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A {@link ModelDiff} as text. */
final class DiffPage {

  private final ModelDiff diff;

  DiffPage(ModelDiff diff) {
    this.diff = diff;
  }

  String text() {
    List<String> parts = new ArrayList<>();
    parts.add("A  %s%nB  %s".formatted(diff.a().title(), diff.b().title()));
    parts.add(distances());
    if (diff.tables() != null) {
      parts.add(TableDiff.text(diff.tables()));
    }
    if (diff.ledger() != null) {
      parts.add(ledger());
    }
    return String.join("\n\n", parts);
  }

  private String distances() {
    TextTable table =
        new TextTable("layer", "type", ">values", ">distance", ">relative", ">largest", ">cosine");
    for (ModelDiff.LayerDistance layer : diff.layers()) {
      add(table, layer.name(), layer.type(), layer.distance());
    }
    add(table, "all parameters", "", diff.parameters());
    if (diff.updaterState() != null) {
      add(table, "updater state", "", diff.updaterState());
    }
    return diff.parameters().isNone()
        ? table.text() + "\n\nThe parameters are the same."
        : table.text();
  }

  private static void add(TextTable table, String name, String type, Distance distance) {
    table.add(
        name,
        type,
        distance.values(),
        NumberText.number(distance.l2()),
        NumberText.number(distance.relative()),
        NumberText.number(distance.largest()),
        distance.cosine() == null ? "-" : String.format(Locale.ROOT, "%.6f", distance.cosine()));
  }

  private String ledger() {
    TextTable table =
        new TextTable(
            "topic",
            "topic's id",
            ">partition",
            ">learned by A",
            ">learned by B",
            ">only taken by A",
            ">only taken by B");
    for (LedgerDifference entry : diff.ledger()) {
      table.add(
          entry.topic(),
          entry.topicId() == null ? "not known" : entry.topicId(),
          entry.partition(),
          entry.learnedA(),
          entry.learnedB(),
          records(entry.onlyA()),
          records(entry.onlyB()));
    }
    return table.text();
  }

  private static String records(Records records) {
    if (records == null) {
      return "unknown";
    }
    return records.count() == 0
        ? "-"
        : "%s (%s to %s)"
            .formatted(NumberText.count(records.count()), records.first(), records.last());
  }
}
