package dev.millrace.chaos;

import dev.millrace.digits.Digits;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.train.measure.HoldOut;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.snapshot.LatestSnapshot;
import java.io.IOException;

/** Digits that no model has learned from, so many that chance is a small part of half a point. */
final class AccuracyCheck {

  /**
   * The examples are so many that none is drawn that is turned, as those of the second half are.
   */
  static final long ENDLESS = Long.MAX_VALUE;

  private static final int DIGITS = 20_000;

  private final ExampleSet set;
  private final HoldOut digits;

  private AccuracyCheck(ExampleSet set, HoldOut digits) {
    this.set = set;
    this.digits = digits;
  }

  /**
   * Draws the digits.
   *
   * @param seed of those that models learn from
   */
  static AccuracyCheck besides(long seed) throws IOException {
    ExampleSet set = new Digits(ENDLESS, ~seed).open();
    try (ExampleSequence sequence = set.training()) {
      return new AccuracyCheck(set, HoldOut.read(sequence, DIGITS));
    }
  }

  /**
   * The share of the digits that a model knows.
   *
   * @throws dev.millrace.model.io.InvalidModelException if its archive can't be read
   */
  double accuracy(LatestSnapshot snapshot) {
    ModelEngine engine = ModelEngine.named(snapshot.description().engine());
    InitialModel model =
        engine.define(new ModelDefinition.Archive(snapshot.archive(), set.shape()));
    try (ModelReplica replica = engine.build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.spec().parameters());
      return digits.evaluate(replica).accuracy();
    }
  }
}
