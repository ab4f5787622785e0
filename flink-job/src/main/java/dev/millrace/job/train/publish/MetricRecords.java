package dev.millrace.job.train.publish;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.drift.Drift;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Target;
import dev.millrace.snapshot.SnapshotDescription;

/** JSON records for the metrics topic and file; docs/formats.md describes them. */
public final class MetricRecords {

  private MetricRecords() {}

  /** How far training has come, with prequential measures from the start and over the window. */
  public static String progress(RoundReport report, Target target) {
    ObjectNode record = record("progress", report.time(), report.version());
    record.put("examples", report.learned());
    record.put("rejected", report.rejected());
    if (report.refused().contributions() > 0) {
      record
          .putObject("refused")
          .put("contributions", report.refused().contributions())
          .put("records", report.refused().records())
          .put("reason", report.refused().lastReason());
    }
    record.put("members", report.members());
    putMeasures(record, report.prequential(), target, "");
    putMeasures(record, report.recent(), target, "window_");
    return record.toString();
  }

  /** The hold-out set's measures of one version. */
  public static String holdOut(GlobalModel model, Measures measures, long time) {
    ObjectNode record = record("holdout", time, model.version());
    record.put("movingAverage", model.movingAverage());
    record.put("learned", model.ledger().learnedCount());
    record.put("examples", measures.examples());
    putMeasures(record, measures, model.spec().shape().target(), "");
    return record.toString();
  }

  /** A snapshot was published, or has become committed. */
  public static String snapshot(SnapshotDescription snapshot, String path, long time) {
    return record("snapshot", time, snapshot.version())
        .put("model", path)
        .put("state", snapshot.state().toString())
        .put("served", snapshot.mayBeServed())
        .toString();
  }

  /** The stream has changed. */
  public static String drift(Drift drift) {
    ObjectNode record = record("drift", drift.time(), drift.version());
    record.put("examples", drift.examples()).put("detector", drift.detector());
    if (drift.features().isEmpty()) {
      record.put("before", drift.before()).put("after", drift.after());
    } else {
      ArrayNode features = record.putArray("features");
      drift.features().forEach(features::add);
    }
    return record.put("reacted", drift.reacted()).toString();
  }

  /** Where the time of one round went, in milliseconds, by replica. */
  public static String timeline(RoundTimeline timeline) {
    ObjectNode record = record("timeline", timeline.time(), timeline.version());
    ArrayNode members = record.putArray("members");
    for (RoundTimeline.Part part : timeline.members()) {
      Phases phases = part.phases();
      members
          .addObject()
          .put("replica", part.replica())
          .put("sequence", part.sequence())
          .put("steps", phases.steps())
          .put("fit", millis(phases.fit()))
          .put("encode", millis(phases.encode()))
          .put("wait", millis(part.waited()))
          .put("exchange", millis(part.exchange()))
          .put("apply", millis(phases.apply()))
          .put("elapsed", millis(phases.elapsed()));
    }
    return record.toString();
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }

  private static ObjectNode record(String type, long time, ModelVersion version) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("time", time)
        .put("generation", version.generation())
        .put("round", version.round());
  }

  private static void putMeasures(
      ObjectNode record, Measures measures, Target target, String prefix) {
    if (measures.examples() == 0) {
      return;
    }
    if (target != Target.REGRESSION) {
      record.put(prefix + "accuracy", measures.accuracy());
    }
    record.put(prefix + "loss", measures.meanLoss());
    if (target == Target.REGRESSION) {
      record.put(prefix + "mae", measures.meanAbsoluteError());
      record.put(prefix + "rmse", measures.rootMeanSquaredError());
    }
  }
}
