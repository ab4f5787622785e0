package dev.millrace.job.train;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.round.Decision;
import dev.millrace.job.common.OperatorName;
import dev.millrace.kafka.sink.OutputRecord;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** A part's operators beside the loop of the exchange, such as a loop of its own. */
public interface SideLoop {

  /**
   * What comes of a loop.
   *
   * @param nothing has no records, and comes of the loop's last operator
   * @param written goes to topics
   * @param measured is among the job's metric records
   */
  record Ends(
      DataStream<String> nothing,
      List<DataStream<OutputRecord>> written,
      List<DataStream<String>> measured) {

    public Ends {
      measured = List.copyOf(measured);
      written = List.copyOf(written);
    }
  }

  /** Gives operators their names. */
  interface Names {

    OperatorName of(OperatorName name);
  }

  /**
   * Adds the loop to a graph.
   *
   * @param replicas whose output for the hook it takes
   * @param coordinator whose output it may take
   * @param names of the graph, which may be one of several
   * @param coLocation the key of what shares a slot with the replica of its number
   */
  Ends add(
      SingleOutputStreamOperator<BlockMessage> replicas,
      SingleOutputStreamOperator<Decision> coordinator,
      Names names,
      String coLocation,
      FaultInjector faults);
}
