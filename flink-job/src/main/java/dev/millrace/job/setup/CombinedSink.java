package dev.millrace.job.setup;

import dev.millrace.example.RejectedRecord;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.OutputOptions;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.TrainingTopology;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.kafka.sink.LineTopic;
import dev.millrace.kafka.sink.OutputRecord;
import dev.millrace.kafka.sink.OutputTopics;
import dev.millrace.sink.LostLines;
import java.util.Locale;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.metrics.MetricNames;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * All that training gives out as one sink: dead letters and metric records, each to the topic that
 * the options name, or to nobody.
 */
final class CombinedSink {

  private final Configuration options;
  private final InputSetup input;
  private final String prefix;

  CombinedSink(Configuration options, InputSetup input, String prefix) {
    this.options = options;
    this.input = input;
    this.prefix = prefix;
  }

  /**
   * Adds it.
   *
   * @param readable makes the value of a dead letter of the bytes of a record
   */
  DataStreamSink<?> of(TrainingTopology.Outputs outputs, MapFunction<byte[], byte[]> readable) {
    String letters = options.getOptional(DeadLetterOptions.TOPIC).orElse(null);
    String metrics = options.getOptional(MetricsOptions.TOPIC).orElse(null);
    DataStream<OutputRecord> all =
        records(outputs.rejected(), "rejected", new Letters(letters, readable))
            .union(
                records(outputs.records(), "measured", new Lines(metrics)),
                records(outputs.nothing(), "nothing", new Lines(null)));
    for (DataStream<OutputRecord> written : outputs.written()) {
      all = all.union(written);
    }
    boolean writes = letters != null || metrics != null || !outputs.written().isEmpty();
    DataStreamSink<OutputRecord> sink =
        all.sinkTo(writes ? topics(options, input, prefix) : new DiscardingSink<>())
            // In the order in which they are measured.
            .setParallelism(1);
    TrainingOperators.OUTPUTS.of(prefix).on(sink);
    return sink;
  }

  /** Returns a sink of records to topics, as often as the options want them there. */
  static Sink<OutputRecord> topics(Configuration options, InputSetup input, String prefix) {
    return switch (options.get(OutputOptions.GUARANTEE)) {
      case NONE, AT_LEAST_ONCE -> OutputTopics.atLeastOnce(input.cluster());
      case EXACTLY_ONCE ->
          OutputTopics.exactlyOnce(
              input.cluster(), KafkaOptions.transactions(options, "-" + prefix + "-outputs"));
    };
  }

  private <T> DataStream<OutputRecord> records(
      DataStream<T> stream, String name, FlatMapFunction<T, OutputRecord> form) {
    String uid = prefix + "-" + name;
    return stream
        .flatMap(form)
        .returns(OutputRecord.type())
        .name(uid)
        .uid(uid)
        // What one operator tells stays in order.
        .setParallelism(stream.getParallelism());
  }

  private record Letters(String topicOrNull, MapFunction<byte[], byte[]> readable)
      implements FlatMapFunction<RejectedRecord, OutputRecord> {

    @Override
    public void flatMap(RejectedRecord rejected, Collector<OutputRecord> records) throws Exception {
      if (topicOrNull != null) {
        byte[] value = rejected.value();
        records.collect(
            OutputRecord.of(
                topicOrNull,
                new RejectedRecord(
                    rejected.partition(),
                    rejected.offset(),
                    rejected.timestamp(),
                    rejected.key(),
                    value == null || value.length == 0 ? value : readable.map(value),
                    rejected.reason())));
      }
    }
  }

  /** Leaves out what is too long for a broker: metrics must not fail training. */
  private static final class Lines extends RichFlatMapFunction<String, OutputRecord> {

    private final String topicOrNull;
    private transient LostLines lost;

    Lines(String topicOrNull) {
      this.topicOrNull = topicOrNull;
    }

    @Override
    public void open(OpenContext context) {
      lost =
          new LostLines(
              "The topic '" + topicOrNull + "'",
              getRuntimeContext().getMetricGroup().counter(MetricNames.NUM_RECORDS_SEND_ERRORS));
    }

    @Override
    public void flatMap(String line, Collector<OutputRecord> records) {
      if (topicOrNull != null) {
        OutputRecord record = OutputRecord.of(topicOrNull, line);
        if (record.valueOrNull().length <= LineTopic.MAX_LINE_BYTES) {
          records.collect(record);
        } else {
          lost.add(String.format(Locale.ROOT, "it has %,d bytes", record.valueOrNull().length));
        }
      }
    }
  }
}
