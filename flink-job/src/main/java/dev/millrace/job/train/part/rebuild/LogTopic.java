package dev.millrace.job.train.part.rebuild;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogGap;
import dev.millrace.exchange.round.Decision;
import dev.millrace.job.common.OperatorName;
import dev.millrace.job.train.SideLoop;
import dev.millrace.kafka.sink.LineTopic;
import dev.millrace.kafka.sink.OutputRecord;
import java.util.List;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes entries from the coordinator to the topic of the training log. */
record LogTopic(String topic) implements SideLoop {

  static final OperatorName LOG =
      new OperatorName("training-log", "writes down what each replica did");

  private static final Logger LOGGER = LoggerFactory.getLogger(LogTopic.class);

  private static final OutputTag<String> NOTHING = new OutputTag<>("nothing", Types.STRING);

  @Override
  public Ends add(
      SingleOutputStreamOperator<BlockMessage> replicas,
      SingleOutputStreamOperator<Decision> coordinator,
      Names names,
      String coLocation,
      FaultInjector faults) {
    DataStream<OutputRecord> entries =
        names
            .of(LOG)
            .on(
                coordinator
                    .getSideOutput(ExchangeOutputs.LOG)
                    .map(new Form(topic))
                    .returns(OutputRecord.type()))
            .setParallelism(1)
            // A sink behind it has another greatest parallelism than the coordinator.
            .startNewChain();
    return new Ends(coordinator.getSideOutput(NOTHING), List.of(entries), List.of());
  }

  static final class Form implements MapFunction<LogEntry, OutputRecord> {

    private final String topic;
    private final LogGap gap = new LogGap();

    Form(String topic) {
      this.topic = topic;
    }

    @Override
    public OutputRecord map(LogEntry entry) {
      byte[] line = LogLine.write(entry);
      if (line.length > LineTopic.MAX_LINE_BYTES && entry instanceof LogEntry.Round round) {
        // Brokers would refuse it, and the job would fail for it.
        LogEntry.Round told = round.tooLong();
        gap.look(told).ifPresent(LOGGER::warn);
        line = LogLine.write(told);
      }
      return OutputRecord.of(topic, LogLine.key(entry), line);
    }
  }
}
