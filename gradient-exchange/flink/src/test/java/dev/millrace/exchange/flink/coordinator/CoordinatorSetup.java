package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.exchange.round.RefusalLimit;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import java.time.Duration;

/** A coordinator's settings, of which a test names what it is about. */
final class CoordinatorSetup {

  static final ModelSpec SPEC = SummingEngine.spec(4);
  static final SavedModel MODEL = new SavedModel(SPEC, SPEC.layout(3, true), Lineage.NONE);
  static final int BLOCKS = MODEL.layout().count();
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private SavedModel model = MODEL;
  private FeatureStatistics statistics = new FeatureStatistics(0);
  private Double clip;
  private double patience;
  private StopRules stop = StopRules.NONE;
  private long mostRefusals;
  private PublicationPlan publication = PublicationPlan.NOTHING;
  private UsedGenerations generations = UsedGenerations.NONE;
  private Duration reportInterval = Duration.ZERO;
  private boolean timeline;
  private boolean gathers;
  private CoordinatorHookFactory steering = NoSteering.NONE;

  CoordinatorSetup model(SavedModel other) {
    model = other;
    return this;
  }

  /** What a job without a checkpoint starts from. */
  CoordinatorSetup statistics(FeatureStatistics known) {
    statistics = known;
    return this;
  }

  /** What the job asks for, whatever its checkpoint has. */
  CoordinatorSetup clip(double deviations) {
    clip = deviations;
    return this;
  }

  CoordinatorSetup patience(double times) {
    patience = times;
    return this;
  }

  CoordinatorSetup stop(StopRules rules) {
    stop = rules;
    return this;
  }

  CoordinatorSetup mostRefusals(long most) {
    mostRefusals = most;
    return this;
  }

  CoordinatorSetup publication(PublicationPlan plan) {
    publication = plan;
    return this;
  }

  /** The newest generation that a published model bears. */
  CoordinatorSetup published(long generation) {
    generations = () -> generation;
    return this;
  }

  CoordinatorSetup reportInterval(Duration least) {
    reportInterval = least;
    return this;
  }

  CoordinatorSetup timeline() {
    timeline = true;
    return this;
  }

  CoordinatorSetup gathering() {
    gathers = true;
    return this;
  }

  CoordinatorSetup steering(CoordinatorHookFactory by) {
    steering = by;
    return this;
  }

  CoordinatorSettings settings() {
    return new CoordinatorSettings(
        new InitialGlobalModel(model, statistics, clip, 0),
        new RoundPace(Schedule.every(1, true), TIMEOUT, patience, WholeRound.OF_THOSE_THAT_TRAIN),
        new BatchSize(1, 1),
        stop,
        new RefusalLimit(mostRefusals, "Ask for fewer."),
        new PublicationSettings(publication, generations),
        new ReportSettings(1_000, reportInterval, timeline),
        gathers,
        steering);
  }
}
