package dev.millrace.job.evaluate;

import dev.millrace.example.Example;
import dev.millrace.example.LabelLags;
import dev.millrace.example.LagSettings;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.job.evaluate.report.EvaluatedModel;
import dev.millrace.job.evaluate.report.Evaluator;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** An {@link Evaluator} as a Flink operator: emits what it found, as bytes, when its input ends. */
final class EvaluatorOperator extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<Received, byte[]>, BoundedOneInput {

  private final EvaluatedModel model;
  private final LagSettings lagsOrNull;

  private transient Evaluator evaluator;
  private transient LabelLags labelsOrNull;
  private transient LongCounter records;

  /**
   * @param lagsOrNull of which records labels are features; null where examples have them already
   */
  EvaluatorOperator(EvaluatedModel model, LagSettings lagsOrNull) {
    this.model = model;
    this.lagsOrNull = lagsOrNull;
  }

  @Override
  public void open() throws Exception {
    super.open();
    try {
      evaluator = new Evaluator(model);
    } catch (InvalidModelException | UnusableEngineException e) {
      throw new NonRecoverableException(e);
    }
    labelsOrNull = lagsOrNull == null ? null : new LabelLags(model.spec().shape(), lagsOrNull);
    records = getRuntimeContext().getLongCounter(EvaluationTopology.RECORDS);
  }

  @Override
  public void processElement(StreamRecord<Received> element) {
    Received received = element.getValue();
    if (received instanceof Example example) {
      if (labelsOrNull != null) {
        labelsOrNull.complete(example);
      }
      evaluator.add(example);
    } else if (received instanceof RejectedRecord rejected) {
      evaluator.reject(rejected);
    }
    records.add(1L);
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(evaluator.findings().toBytes()));
  }

  @Override
  public void close() throws Exception {
    if (evaluator != null) {
      evaluator.close();
      evaluator = null;
    }
    super.close();
  }
}
