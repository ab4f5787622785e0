package dev.millrace.job.train.publish;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.exchange.confusion.ConfusionReport;
import dev.millrace.exchange.process.ReplicaReport;
import dev.millrace.exchange.round.NewestRound;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.job.train.measure.TwoClassFields;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.List;

/** JSON records for the metrics topic and file; docs/internals/formats.md describes them. */
public final class MetricRecords {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Fields of a model's description that records of it have, too. */
  private static final List<String> OF_DESCRIPTION =
      List.of("checkpoint", "parent", "holdOut", "gate", "beforeDrift");

  private MetricRecords() {}

  /**
   * Writes how far training has come, with prequential measures from the start and over the window.
   */
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
    put(record, report.newest());
    putMeasures(record, report.prequential(), target, "");
    putMeasures(record, report.recent(), target, "window_");
    return record.toString();
  }

  private static void put(ObjectNode record, NewestRound round) {
    record.put("members", round.members());
    if (round.nanos() != NewestRound.UNKNOWN) {
      record.put("duration", millis(round.nanos()));
    }
    putKnown(record, "bytes", round.bytes());
    putKnown(record, "staleness", round.staleness());
    putKnown(record, "lag", round.lagMillis());
    putKnown(record, "pending", round.pending());
  }

  private static void putKnown(ObjectNode record, String name, long value) {
    if (value != NewestRound.UNKNOWN) {
      record.put(name, value);
    }
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
    ObjectNode record = record("snapshot", time, snapshot.version());
    record
        .put("model", path)
        .put("state", snapshot.state().toString())
        .put("served", snapshot.mayBeServed())
        .put("learned", snapshot.learned());
    ObjectNode description = JSON.valueToTree(snapshot);
    for (String field : OF_DESCRIPTION) {
      if (description.has(field)) {
        record.set(field, description.get(field));
      }
    }
    return record.toString();
  }

  /** Writes which classes the first replica took for which, of its latest examples. */
  public static String confusion(ConfusionReport report) {
    ObjectNode record = ofReplica("confusion", report.time(), report.round());
    ArrayNode rows = record.putArray("counts");
    ArrayNode recalls = record.putArray("recalls");
    int examples = 0;
    int majority = 0;
    for (int actual = 0; actual < report.counts().size(); actual++) {
      List<Integer> counts = report.counts().get(actual);
      counts.forEach(rows.addArray()::add);
      int ofClass = counts.stream().mapToInt(Integer::intValue).sum();
      recalls.add(ofClass == 0 ? null : share(counts.get(actual), ofClass));
      examples += ofClass;
      majority = Math.max(majority, ofClass);
    }
    record.put("majority", share(majority, examples));
    record.put("lastLabel", share(report.lastLabels(), examples));
    putConfidence(record, report.confidence(), examples);
    return record.toString();
  }

  private static void putConfidence(
      ObjectNode record, List<ConfusionReport.Bin> confidence, int examples) {
    double error = 0;
    ArrayNode bins = JsonNodeFactory.instance.arrayNode();
    for (ConfusionReport.Bin bin : confidence) {
      error += Math.abs(bin.stated() - bin.right());
      if (bin.examples() > 0) {
        bins.addObject()
            .put("examples", bin.examples())
            .put("stated", share(bin.stated(), bin.examples()))
            .put("right", share(bin.right(), bin.examples()));
      }
    }
    record.put("calibrationError", share(error, examples)).set("calibration", bins);
  }

  /** Returns a share, with as many digits as a float has: enough for what is looked at. */
  private static float share(double part, int all) {
    return (float) (part / all);
  }

  /** Writes how much a replica has learned, and what its process uses. */
  public static String replica(ReplicaReport report) {
    ObjectNode record =
        ofReplica("replica", report.time(), report.round())
            .put("replica", report.replica())
            .put("examples", report.examples())
            .put("process", report.process());
    if (Double.isFinite(report.cpu())) {
      record.put("cpu", (float) report.cpu());
    }
    return record.put("heap", report.heap()).put("mostHeap", report.mostHeap()).toString();
  }

  /** Writes where the time of one round went, in milliseconds, by replica. */
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
          .put("elapsed", millis(phases.elapsed()))
          .put("bytes", part.facts().bytes());
    }
    return record.toString();
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }

  /** A replica knows the round of its model, but no generation. */
  static ObjectNode ofReplica(String type, long time, long round) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("time", time)
        .put("round", round);
  }

  static ObjectNode record(String type, long time, ModelVersion version) {
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
    TwoClassFields.put(record, measures, prefix);
    if (target == Target.REGRESSION) {
      record.put(prefix + "mae", measures.meanAbsoluteError());
      record.put(prefix + "rmse", measures.rootMeanSquaredError());
    }
  }
}
