package dev.millrace.job.train.part.rebuild;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.wire.ExchangeOutputs;
import dev.millrace.exchange.round.Decision;
import dev.millrace.job.train.SideLoop;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Takes entries from the coordinator to the directory of the training log.
 *
 * @param location an absolute path that all machines reach, or a URI
 */
record LogFiles(String location) implements SideLoop {

  @Override
  public Ends add(
      SingleOutputStreamOperator<BlockMessage> replicas,
      SingleOutputStreamOperator<Decision> coordinator,
      Names names,
      String coLocation,
      FaultInjector faults) {
    SingleOutputStreamOperator<String> nothing =
        names
            .of(LogTopic.LOG)
            .on(
                coordinator
                    .getSideOutput(ExchangeOutputs.LOG)
                    .transform(LogTopic.LOG.uid(), Types.STRING, new LogFilesOperator(location)))
            .setParallelism(1)
            // Nobody waits while a file is written.
            .startNewChain();
    return new Ends(nothing, List.of(), List.of());
  }
}
