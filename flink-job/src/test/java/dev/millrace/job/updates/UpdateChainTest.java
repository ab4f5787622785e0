package dev.millrace.job.updates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.testing.TestModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateChainTest {

  private static final Instant MADE = Instant.ofEpochMilli(1_000);
  private static final int FEATURES = 600;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);
  private final AtomicLong now = new AtomicLong();
  private final UpdateChain chain = new UpdateChain(now::get);

  private static InitialModel mlp(int features) {
    return TestModels.random("mlp", new ExampleShape(features, 3, Target.CLASSIFICATION));
  }

  private static GlobalModel model(InitialModel initial, long round, float[] vector) {
    Ledger ledger = new Ledger();
    ledger.learned(new Partition("t", 0), round);
    return new GlobalModel(
        initial.spec(),
        new ModelVersion(1, round),
        round,
        vector,
        new FeatureStatistics(0),
        ledger,
        Measures.NONE,
        Lineage.NONE);
  }

  private static GlobalModel begin() {
    return begin(FEATURES);
  }

  private static GlobalModel begin(int features) {
    InitialModel initial = mlp(features);
    return model(initial, 100, initial.vector());
  }

  private GlobalModel later(GlobalModel before, float step) {
    float[] vector = before.vector().clone();
    for (int i = 0; i < vector.length; i++) {
      vector[i] += step * (float) random.nextGaussian();
    }
    return new GlobalModel(
        before.spec(),
        new ModelVersion(1, before.version().round() + 1),
        before.iteration() + 1,
        vector,
        new FeatureStatistics(0),
        before.ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  private static ServedModel served(GlobalModel model) {
    float[] parameters = java.util.Arrays.copyOf(model.vector(), model.spec().parameters());
    return new ServedModel(model.spec(), model.version(), MADE, parameters, null, List.of());
  }

  /** As they come out of a topic. */
  private static List<ModelUpdate> sent(UpdateEncoder encoder, GlobalModel model)
      throws IOException {
    List<ModelUpdate> read = new ArrayList<>();
    for (ModelUpdate piece : encoder.encode(model, MADE)) {
      read.add(ModelUpdate.read(piece.write()));
    }
    return read;
  }

  private Optional<ServedModel> add(List<ModelUpdate> pieces) {
    pieces.forEach(chain::add);
    return chain.newest();
  }

  private static double distance(float[] one, float[] other, int length) {
    double sum = 0;
    for (int i = 0; i < length; i++) {
      sum += Math.pow(one[i] - other[i], 2);
    }
    return Math.sqrt(sum);
  }

  private static double distance(ServedModel served, GlobalModel model) {
    return distance(served.parameters(), model.vector(), served.parameters().length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, FEATURES, 100_000})
  void updatesLeadToTheModelAndCostATwentiethOfIt(int features) throws IOException {
    GlobalModel whole = begin(features);
    UpdateEncoder encoder = new UpdateEncoder(whole);
    assertThat(chain.follow(served(whole), false)).isPresent();

    GlobalModel model = whole;
    ServedModel newest = null;
    for (int n = 1; n <= 5; n++) {
      model = later(model, 0.01f);
      List<ModelUpdate> pieces = sent(encoder, model);
      assertThat(pieces.get(0).learned().learnedCount()).isEqualTo(1);
      newest = add(pieces).orElseThrow();
      assertThat(newest.version()).isEqualTo(model.version());
      assertThat(newest.created()).isEqualTo(MADE);
      if (features > 1) {
        int bytes = pieces.stream().mapToInt(piece -> piece.write().length).sum();
        assertThat(bytes).isLessThan(model.spec().parameters() * Float.BYTES / 20);
      }
    }
    // What updates have left out the next ones bring.
    double before = distance(newest, model);
    for (int n = 0; n < 40; n++) {
      newest = add(sent(encoder, later(model, 0))).orElseThrow();
    }
    assertThat(distance(newest, model)).as("seed %s", seed).isLessThan(before / 100 + 1e-6);
  }

  @Test
  void anUpdateIsAddedOnce() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    GlobalModel model = later(whole, 0.1f);
    List<ModelUpdate> first = sent(encoder, model);
    chain.follow(served(whole), false);

    float[] once = add(first).orElseThrow().parameters();
    assertThat(add(first)).isEmpty();

    List<ModelUpdate> second = sent(encoder, later(model, 0.1f));
    assertThat(add(second).orElseThrow().parameters()).isNotEqualTo(once);
  }

  @Test
  void behindAGapTheNextWholeModelIsWaitedFor() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    GlobalModel model = later(whole, 0.1f);
    chain.follow(served(whole), false);
    assertThat(add(sent(encoder, model))).isPresent();
    model = later(model, 0.1f);
    sent(encoder, model);
    model = later(model, 0.1f);

    assertThat(add(sent(encoder, model))).isEmpty();
    model = later(model, 0.1f);
    assertThat(add(sent(encoder, model))).isEmpty();

    UpdateEncoder next = new UpdateEncoder(model);
    assertThat(chain.follow(served(model), false).orElseThrow().version())
        .isEqualTo(model.version());
    assertThat(add(sent(next, later(model, 0.1f)))).isPresent();
  }

  /** What waits is as it comes: a gap in it must not keep the whole model away. */
  @Test
  void aGapInWhatWaitsLeavesTheWholeModel() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    GlobalModel model = later(whole, 0.1f);
    sent(encoder, model);
    for (int n = 0; n < 3; n++) {
      model = later(model, 0.1f);
      add(sent(encoder, model));
    }

    assertThat(chain.follow(served(whole), false).orElseThrow().version())
        .isEqualTo(whole.version());
    assertThat(add(sent(encoder, later(model, 0.1f)))).isEmpty();
  }

  @Test
  void anUpdateBehindAGoodOneMayBeBad() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    GlobalModel model = later(whole, 0.1f);
    sent(encoder, model).forEach(chain::add);
    sent(encoder, later(model, 0.1f));
    sent(encoder, later(model, 0.1f)).forEach(chain::add);

    assertThat(chain.newest()).isEmpty();
  }

  /** As after a failure, when the topic is read from its beginning. */
  @Test
  void aTopicMayBeReadAgain() throws IOException {
    GlobalModel whole = begin(100_000);
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    GlobalModel model = later(whole, 0.1f);
    List<ModelUpdate> first = sent(encoder, model);
    assertThat(first).hasSizeGreaterThan(1);
    add(first);
    List<ModelUpdate> second = sent(encoder, later(model, 0.1f));
    chain.add(second.get(0));

    add(first);
    assertThat(add(second)).isPresent();
  }

  @Test
  void piecesThatNoUpdateHasAreNotKept() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    ModelUpdate good = sent(encoder, later(whole, 0.1f)).get(0);
    chain.add(
        new ModelUpdate(
            good.whole(),
            good.origin(),
            1,
            0,
            1 << 30,
            good.version(),
            good.made(),
            good.checksum(),
            good.learned(),
            good.change()));

    assertThat(add(List.of(good))).isEmpty();
  }

  @Test
  void anUpdateOfOtherParametersIsNotAdded() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    ServedModel other = served(whole);
    other.parameters()[3] += 1;
    chain.follow(other, false);

    assertThat(add(sent(encoder, later(whole, 0.1f)))).isEmpty();
    // Those of an earlier job may be there, too.
    GlobalModel own = model(mlp(FEATURES), whole.version().round(), other.parameters());
    assertThat(add(sent(new UpdateEncoder(own), later(own, 0.1f)))).isPresent();
  }

  @Test
  void aChangeThatWasAlteredIsNotServed() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    List<ModelUpdate> pieces = sent(encoder, later(whole, 0.1f));
    byte[] change = pieces.get(0).change();
    change[change.length / 2] ^= 4;

    assertThat(add(pieces)).isEmpty();
  }

  @Test
  void updatesWaitForTheirModel() throws IOException {
    GlobalModel whole = begin();
    chain.follow(served(whole), false);
    GlobalModel nextWhole = later(whole, 0.1f);
    UpdateEncoder next = new UpdateEncoder(nextWhole);
    GlobalModel model = later(nextWhole, 0.1f);
    List<ModelUpdate> early = sent(next, model);

    assertThat(add(early)).isEmpty();
    assertThat(chain.follow(served(nextWhole), false).orElseThrow().version())
        .isEqualTo(model.version());
  }

  @Test
  void aWholeModelThatIsOlderThanWhatIsServedWaitsForItsUpdates() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    GlobalModel nextWhole = later(whole, 0.1f);
    GlobalModel model = later(nextWhole, 0.1f);
    assertThat(add(sent(encoder, model))).isPresent();

    assertThat(chain.follow(served(nextWhole), false)).isEmpty();
    now.addAndGet(2_000_000_000L);
    assertThat(chain.newest()).isEmpty();
    GlobalModel newest = later(model, 0.1f);
    assertThat(add(sent(new UpdateEncoder(nextWhole), newest)).orElseThrow().version())
        .isEqualTo(newest.version());
  }

  @Test
  void aWholeModelThatNoUpdateFollowsIsServedIfOlder() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    GlobalModel nextWhole = later(whole, 0.1f);
    assertThat(add(sent(encoder, later(nextWhole, 0.1f)))).isPresent();

    assertThat(chain.follow(served(nextWhole), false)).isEmpty();
    now.addAndGet(3_000_000_001L);
    assertThat(chain.newest().orElseThrow().version()).isEqualTo(nextWhole.version());
    assertThat(chain.newest()).isEmpty();
    // Another job may begin anew in the same place.
    assertThat(chain.follow(served(whole), false)).isPresent();
  }

  /** While a whole model is read, updates of two are sent. */
  @Test
  void versionsOnlyGrowWhileTwoChainsGoOn() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    GlobalModel nextWhole = later(whole, 0.1f);
    UpdateEncoder next = new UpdateEncoder(nextWhole);
    GlobalModel model = later(nextWhole, 0.1f);
    assertThat(add(sent(encoder, model))).isPresent();
    assertThat(add(sent(next, model))).isEmpty();
    GlobalModel newest = later(model, 0.1f);
    assertThat(add(sent(encoder, newest))).isPresent();

    assertThat(chain.follow(served(nextWhole), false)).isEmpty();
    assertThat(add(sent(next, newest)).orElseThrow().version()).isEqualTo(newest.version());
    assertThat(add(sent(encoder, later(newest, 0.1f)))).isEmpty();
  }

  @Test
  void updatesOfTwoModelsWaitForEither() throws IOException {
    GlobalModel one = begin();
    UpdateEncoder ofOne = new UpdateEncoder(one);
    GlobalModel other = later(one, 0.1f);
    UpdateEncoder ofOther = new UpdateEncoder(other);
    GlobalModel model = other;
    for (int n = 0; n < 3; n++) {
      model = later(model, 0.1f);
      assertThat(add(sent(ofOne, model))).isEmpty();
      assertThat(add(sent(ofOther, model))).isEmpty();
    }

    assertThat(chain.follow(served(one), false).orElseThrow().version()).isEqualTo(model.version());
    assertThat(chain.follow(served(other), false).orElseThrow().version())
        .isEqualTo(model.version());
  }

  @Test
  void aHeldModelGetsNoUpdates() throws IOException {
    GlobalModel whole = begin();
    UpdateEncoder encoder = new UpdateEncoder(whole);
    chain.follow(served(whole), false);
    GlobalModel model = later(whole, 0.1f);
    assertThat(add(sent(encoder, model))).isPresent();

    ServedModel held = chain.follow(served(whole), true).orElseThrow();
    assertThat(held.parameters()).containsExactly(served(whole).parameters());
    model = later(model, 0.1f);
    assertThat(add(sent(encoder, model))).isEmpty();

    // Whoever lets go of it goes on with the newest whole model.
    GlobalModel nextWhole = later(model, 0.1f);
    GlobalModel newest = later(nextWhole, 0.1f);
    assertThat(add(sent(new UpdateEncoder(nextWhole), newest))).isEmpty();
    assertThat(chain.follow(served(nextWhole), false).orElseThrow().version())
        .isEqualTo(newest.version());
  }
}
