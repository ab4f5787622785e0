package dev.millrace.exchange.flink.replica;

import dev.millrace.example.LabelLags;
import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.JobShare;
import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.negatives.NegativesReplica;
import java.io.Serializable;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of all replicas, which travel with the job.
 *
 * @param spec of the model
 * @param layout of the exchanged part of its vector
 * @param device what replicas are computed on, of the devices that Flink allots
 * @param batching how they make minibatches
 * @param rules that they follow
 * @param rates how learning rates follow the number of replicas
 * @param examples what they do with these beside learning
 * @param hooks what helps them learn
 */
public record ReplicaSettings(
    ModelSpec spec,
    BlockLayout layout,
    DeviceRequest device,
    Batching batching,
    ReplicaRules rules,
    LearningRates rates,
    ExampleSettings examples,
    HookSettings hooks)
    implements Serializable {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSettings.class);

  /**
   * The model that a replica trains.
   *
   * @param devices that Flink has allotted, see {@link AllottedDevices}
   */
  public ModelReplica model(List<String> devices) {
    ModelReplica model = ModelEngine.named(spec.engine()).build(spec, device.among(devices));
    int negatives = batching.negatives();
    return negatives == 0 ? model : model.replaceEach(one -> new NegativesReplica(one, negatives));
  }

  /** Makes the hooks that the job has for one among {@code replicas}, with this model. */
  public List<ReplicaHook> hooks(int index, int replicas, ModelReplica model, HookPort port) {
    int readers = batching.size().readers(replicas);
    return hooks.hooks(
        new HookContext(index, replicas, readers, model, rules.changesAddUp(), port));
  }

  /**
   * A replica that has learned nothing yet.
   *
   * @param replicas how many there are
   * @param nanoTime as {@link System#nanoTime}
   */
  public Replica replica(
      int index, int replicas, ModelReplica model, ReplicaHooks hooked, LongSupplier nanoTime) {
    RateFactors factors = rates.factors(batching.size(), replicas, rules.changesAddUp());
    if (index == 0 && rates.warmUp() > 0 && !factors.rise()) {
      LOG.warn(
          "The warm-up of the learning rate has no effect: with {} replicas, and each one's share"
              + " of a step's examples, the learning rate of any updater is at most that of one"
              + " network",
          replicas);
    }
    model.setRandomStream(index);
    return new Replica(
        index,
        model,
        layout,
        rules,
        new JobShare(
            batching.size().readers(replicas), batching.size().ofJob(), factors, hooks.signals()),
        hooked,
        nanoTime);
  }

  /** Makes features of the labels of records before, where the shape has any. */
  public LabelLags labelLags() {
    return new LabelLags(spec.shape(), examples.lags());
  }

  /**
   * Makes the place where examples of one among {@code replicas} wait for their minibatch to fill;
   * empty.
   */
  public MinibatchWindow window(int replicas) {
    int fresh = batching.size().local(replicas);
    return new MinibatchWindow(
        spec.shape(), fresh, hooks.mostRows(fresh), hooks.useTimes(), batching.maxWait());
  }
}
