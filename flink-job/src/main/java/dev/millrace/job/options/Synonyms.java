package dev.millrace.job.options;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Words that other tools have for what an option or an argument here is called otherwise. */
final class Synonyms {

  private static final Map<String, String> KEYS = new HashMap<>();

  static {
    put("model.learning-rate", "lr", "eta", "rate", "alpha", "step-size");
    put("model.updater", "optimizer", "optim", "solver");
    put("model.weight-decay", "wd", "decay");
    put("model.hidden", "layers", "hidden-layers", "hidden-size", "units");
    put("model.name", "model", "arch", "architecture", "network");
    put("model.precision", "dtype", "fp16", "bf16", "amp");
    put("model.gradient-clip", "clip-grad", "grad-clip", "max-grad-norm", "clip-norm");
    put("model.learning-rate-schedule", "scheduler", "lr-scheduler", "lr-schedule");
    put("model.device", "gpu", "gpus", "cuda");
    put("batch.size", "bs", "batch", "batch-size", "minibatch", "mini-batch", "train-batch-size");
    put("stop.examples", "epochs", "num-epochs", "steps", "max-steps", "iterations", "max-iter");
    put("stop.examples-without-improvement", "patience", "early-stopping");
    put("kafka.bootstrap.servers", "bootstrap-server", "bootstrap-servers", "broker", "brokers");
    put("kafka.bootstrap.servers", "broker-list", "kafka", "kafka-servers", "servers");
    put("kafka.group.id", "group", "group-id", "consumer-group");
    put("input.topics", "topic", "topics", "input", "input-topic");
    put("input.start", "offset", "from-beginning", "auto-offset-reset", "auto.offset.reset");
    put("input.features", "num-features", "n-features", "input-size", "inputs");
    put("input.outputs", "num-classes", "n-classes", "output-size", "outputs");
    put("input.csv.label", "label", "target-column", "label-column");
    put("input.csv.separator", "delimiter", "sep");
    put("exchange.local-steps", "averagingfrequency", "averaging-frequency", "k");
    put("batch.local-size", "batchsizeperworker", "batch-size-per-worker");
    put("exchange.codec.threshold.rule", "thresholdalgorithm", "threshold-algorithm");
    put("kafka.max.poll.records", "prefetchbuffer", "prefetch-buffer");
    put("evaluation.holdout", "validation", "val", "test", "test-data", "eval-data");
    put("snapshot.directory", "output-dir", "model-dir", "save-dir", "checkpoint-dir");
    put("--parallelism", "workers", "num-workers", "replicas", "world-size", "nproc-per-node");
    put("--from", "resume", "restore", "resume-from", "savepoint");
  }

  private Synonyms() {}

  private static void put(String key, String... words) {
    for (String word : words) {
      if (KEYS.put(word, key) != null) {
        throw new IllegalStateException("The word '%s' stands for two keys".formatted(word));
      }
    }
  }

  static Collection<String> keys() {
    return KEYS.values();
  }

  /** The option or argument that a word stands for, in small letters and with hyphens. */
  static Optional<String> of(String word) {
    return Optional.ofNullable(KEYS.get(word));
  }
}
