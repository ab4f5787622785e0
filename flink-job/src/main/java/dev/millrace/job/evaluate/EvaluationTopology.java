package dev.millrace.job.evaluate;

import dev.millrace.example.LagSettings;
import dev.millrace.example.Received;
import dev.millrace.job.evaluate.report.EvaluatedModel;
import dev.millrace.job.evaluate.report.ReportSubject;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * The evaluation job's graph, which ends with its data.
 *
 * <pre>
 * parts of files ─► reader ─┐
 *                           ├─► evaluator ──findings──► report, parallelism 1 ─► file
 * source of a topic ────────┘
 * </pre>
 *
 * <p>There are no checkpoints, whatever the cluster's configuration says: what evaluators have
 * found is no state, so after a failure all begin anew. Not in Flink's batch mode, though that
 * would have only one begin anew: its exchanges ask for 512 buffers a task, more than small
 * clusters have.
 */
public final class EvaluationTopology {

  /** Accumulator that counts records, rejected ones included. */
  public static final String RECORDS = "records";

  private final EvaluatedModel model;
  private final ReportSubject subject;
  private final String place;

  /**
   * @param place of the report, as a URI on any file system that Flink knows
   */
  public EvaluationTopology(EvaluatedModel model, ReportSubject subject, String place) {
    this.model = model;
    this.subject = subject;
    this.place = place;
  }

  /** Adds the job, on files, to an environment: as many readers as its parallelism. */
  public void ofFiles(
      StreamExecutionEnvironment env, SequenceSource source, TypeInformation<Received> type) {
    prepare(env);
    int parts = env.getParallelism();
    DataStream<Received> examples =
        name(env.fromSequence(0, parts - 1L), "parts", "numbers the parts of the data")
            .flatMap(new SequencePart(source, subject.data().source(), parts))
            .returns(type)
            .name("reader")
            .setDescription("reader: reads every so manyth batch of examples");
    // The sequence has completed them.
    evaluate(examples, null);
  }

  /**
   * Adds the job, on a bounded source, to an environment.
   *
   * @param lags of which records labels are features
   */
  public void ofSource(
      StreamExecutionEnvironment env,
      Source<Received, ?, ?> source,
      LagSettings lags,
      TypeInformation<Received> type) {
    prepare(env);
    evaluate(
        name(
            env.fromSource(source, WatermarkStrategy.noWatermarks(), "examples", type),
            "examples",
            "reads a topic to its present end"),
        lags);
  }

  private static void prepare(StreamExecutionEnvironment env) {
    env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
    env.getCheckpointConfig().disableCheckpointing();
    // Examples are handed along the chain by reference, never copied.
    env.getConfig().enableObjectReuse();
  }

  private void evaluate(DataStream<Received> examples, LagSettings lagsOrNull) {
    SingleOutputStreamOperator<byte[]> findings =
        name(
            examples.transform(
                "evaluator",
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                new EvaluatorOperator(model, lagsOrNull)),
            "evaluator",
            "predicts and measures");
    name(
            findings.global().transform("report", Types.STRING, new ReportOperator(subject, place)),
            "report",
            "puts together what was found, and writes it")
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .setParallelism(1)
        .name("end");
  }

  private static <T> SingleOutputStreamOperator<T> name(
      SingleOutputStreamOperator<T> operator, String name, String description) {
    return operator.name(name).uid(name).setDescription(name + ": " + description);
  }
}
