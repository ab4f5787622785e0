package dev.millrace.cli.models;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.Finding;
import dev.millrace.cli.audit.PartitionAudit;
import dev.millrace.cli.audit.TableAudit;
import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.TextTable;

/** An audit as people and programs read it. */
public final class AuditText {

  private AuditText() {}

  public static String json(Audit audit) {
    return Json.write(audit);
  }

  /** A table of the partitions, and what follows from it in the last line. */
  public static String text(Audit audit) {
    TextTable table =
        new TextTable(
            "partition",
            "topic's id",
            ">learned",
            ">rejected",
            ">held out",
            ">skipped",
            ">under way",
            ">first",
            ">last",
            ">in topic",
            "finding");
    for (PartitionAudit partition : audit.partitions()) {
      table.add(
          partition.topic() + "-" + partition.partition(),
          partition.topicId() == null ? "not known" : partition.topicId(),
          partition.learned(),
          partition.rejected(),
          partition.heldOut() == null ? 0 : partition.heldOut(),
          partition.skipped() == null ? 0 : partition.skipped(),
          partition.underWay(),
          partition.first() == null ? "-" : partition.first(),
          partition.last() == null ? "-" : partition.last(),
          partition.inTopic(),
          partition.reason() == null
              ? partition.finding().toString()
              : partition.finding() + ": " + partition.reason());
    }
    String tables = audit.tables().isEmpty() ? "" : tables(audit) + "\n\n";
    return table.text() + "\n\n" + tables + summary(audit);
  }

  private static String tables(Audit audit) {
    TextTable table =
        new TextTable(
            "table",
            ">uses in rows",
            ">without a row",
            ">of expired rows",
            ">ids of records",
            "finding");
    for (TableAudit found : audit.tables()) {
      table.add(
          found.table(),
          found.inRows(),
          found.withoutRow(),
          found.expired(),
          found.ofRecords() == null ? "-" : found.ofRecords(),
          found.reason() == null
              ? found.finding().toString()
              : found.finding() + ": " + found.reason());
    }
    return table.text();
  }

  private static String summary(Audit audit) {
    String model = audit.version() == null ? "The model" : "Model " + audit.version();
    String learned =
        "%s has learned from %s records and rejected %s%s"
            .formatted(
                model,
                NumberText.count(audit.learned()),
                NumberText.count(audit.rejected()),
                audit.skipped() == 0 ? "" : ", and skipped " + NumberText.count(audit.skipped()));
    if (audit.finding() == Finding.COMPLETE) {
      return learned + ": each exactly once, and none is missing";
    }
    if (audit.finding() == Finding.WRONG && audit.missing() == 0 && audit.doubled() == 0) {
      return learned + "; rows of embedding tables were used more or less often than that";
    }
    return audit.finding() == Finding.WRONG
        ? "%s: at least %s missing, at least %s taken twice"
            .formatted(
                learned, NumberText.count(audit.missing()), NumberText.count(audit.doubled()))
        : learned + "; some partitions can't be checked";
  }
}
