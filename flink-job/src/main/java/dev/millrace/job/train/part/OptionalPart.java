package dev.millrace.job.train.part;

import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.train.SideLoop;
import dev.millrace.job.train.publish.ModelStream;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.io.InvalidModelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * An optional part of training: its options, what these must say, and what it adds to a job. The
 * job knows it by this alone.
 */
public interface OptionalPart {

  /** Returns its options. */
  OptionGroup options();

  /** Returns which of its options act under which condition alone. */
  default List<Dependence> dependences() {
    return List.of();
  }

  /**
   * Returns what the preset {@code streaming} adds of its options where the model is a built-in
   * one.
   *
   * @param given what is set already, which stays
   */
  default Map<String, String> streaming(Configuration given) {
    return Map.of();
  }

  /**
   * Checks what options say together.
   *
   * @param steered whether any part steers training
   */
  default void check(OptionRules rules, boolean steered) {}

  /** Whether it steers training by these options. */
  default boolean steers(Configuration options) {
    return false;
  }

  /**
   * Defines the model that replicas train, where it makes another one of it than the engine.
   *
   * @throws InvalidModelException as {@link ModelEngine#define}
   */
  default Optional<InitialModel> define(
      ModelDefinition definition, ModelEngine engine, Configuration options) {
    return Optional.empty();
  }

  /** Whether it keeps more than the heap may have room for. */
  default boolean needsDisk(Configuration options) {
    return false;
  }

  /** Whether replicas tell what they do, for the training log. */
  default boolean logs(Configuration options) {
    return false;
  }

  /** Returns which of its options are refused where Millrace doesn't make the whole job. */
  default List<ConfigOption<?>> ofWholeJobs() {
    return List.of();
  }

  /** Returns the topic that it may write to. */
  default Optional<PartTopic> topic() {
    return Optional.empty();
  }

  /** Returns where what is learned between two whole models goes; of one part at most. */
  default Optional<ModelStream.Factory> stream(Configuration options) {
    return Optional.empty();
  }

  /**
   * Tells of what an earlier job has left beside topics, for a job that isn't given a savepoint. It
   * may look at files, and leaves out what it can't look at.
   */
  default List<String> leftovers(Configuration options) {
    return List.of();
  }

  /**
   * Tells what a person should know of the topics that it relies on. It may ask brokers, and leaves
   * out what it can't ask.
   */
  default List<String> warnings(Configuration options) {
    return List.of();
  }

  /**
   * Returns what helps replicas learn.
   *
   * @throws InvalidOptionsException if options don't suit the model
   */
  default Optional<ReplicaHookFactory> replicaHook(PartContext context) {
    return Optional.empty();
  }

  /**
   * Returns what steers training; of one part at most.
   *
   * @throws InvalidOptionsException if options don't suit the model
   */
  default Optional<CoordinatorHookFactory> coordinatorHook(PartContext context) {
    return Optional.empty();
  }

  /**
   * Returns what it adds beside the loop of the exchange.
   *
   * @throws InvalidOptionsException if options don't suit the model
   */
  default Optional<SideLoop> loop(PartContext context) {
    return Optional.empty();
  }
}
