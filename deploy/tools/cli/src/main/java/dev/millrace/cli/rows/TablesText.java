package dev.millrace.cli.rows;

import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.TextTable;
import java.util.List;
import java.util.stream.Collectors;

/** Tables as people read them. */
public final class TablesText {

  private TablesText() {}

  /** A table of tables, and below it the ids that are used most. */
  public static String of(List<TableSummary> tables) {
    TextTable text =
        new TextTable(
            "table",
            ">dimension",
            "updater",
            ">rows",
            ">size",
            ">created",
            ">expired",
            ">uses",
            ">waiting",
            ">refused",
            ">mean norm",
            ">largest");
    for (TableSummary table : tables) {
      text.add(
          table.name(),
          table.dimension(),
          table.updater(),
          table.rows(),
          NumberText.size(table.bytes()),
          table.created(),
          table.expired(),
          table.uses(),
          table.waiting(),
          table.refused(),
          NumberText.number(table.meanNorm()),
          NumberText.number(table.largestNorm()));
    }
    return text.text()
        + tables.stream()
            .filter(table -> !table.hottest().isEmpty())
            .map(TablesText::hottest)
            .collect(Collectors.joining());
  }

  private static String hottest(TableSummary table) {
    return "\nmost used of %s: %s"
        .formatted(
            table.name(),
            table.hottest().stream()
                .map(hot -> "%s (%s)".formatted(hot.id(), NumberText.count(hot.uses())))
                .collect(Collectors.joining(", ")));
  }
}
