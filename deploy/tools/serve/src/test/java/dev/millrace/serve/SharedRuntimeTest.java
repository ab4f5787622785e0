package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.testing.CapturedLog;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.Batching;
import dev.millrace.job.serve.PredictionRuntime;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.IdLists;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Predictors share what a runtime has of a model, until the next one. */
class SharedRuntimeTest {

  private static final int VERSIONS = 100;

  private final CountedRuntime runtime = new CountedRuntime(5);
  private final ModelOpener opener =
      new ModelOpener(PredictionRuntime.AUTO, DeviceRequest.any(), Optional.of(runtime));
  private final Predictors predictors =
      new Predictors(
          new Batching(2, 8, Duration.ZERO, 1000),
          DeviceRequest.any(),
          new ServerMetrics(),
          failure -> {});

  /** Every fifth model is one of the engine: it tells its version, too, and the feature. */
  @Test
  void eachAnswerIsOfTheVersionThatItNamesAndAllModelsAreClosed() throws Exception {
    predictors.serve(opener.open(model(1)));
    AtomicBoolean ended = new AtomicBoolean();
    List<CompletableFuture<Integer>> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      clients.add(
          CompletableFuture.supplyAsync(() -> ask(ended), task -> new Thread(task).start()));
    }
    for (int round = 2; round <= VERSIONS; round++) {
      predictors.serve(opener.open(model(round)));
    }
    ended.set(true);

    int answers = 0;
    for (CompletableFuture<Integer> client : clients) {
      answers += client.get(1, TimeUnit.MINUTES);
    }
    assertThat(answers).isPositive();
    predictors.close();
    assertThat(runtime.opened).hasValue(VERSIONS - VERSIONS / 5);
    assertThat(runtime.closed).hasValue(runtime.opened.get());
  }

  private int ask(AtomicBoolean ended) {
    int answers = 0;
    do {
      Answer answer = predict();
      float round = answer.model().version().round();
      assertThat(answer.outputs()[1]).isEqualTo(round);
      assertThat(answer.outputs()[0]).isEqualTo(round % 5 == 0 ? 7 : round);
      answers++;
    } while (!ended.get());
    return answers;
  }

  private Answer predict() {
    Pending pending =
        new Pending(
            new InferRequest(null, 1, new float[] {7}, new String[0], IdLists.NONE, 0, List.of()),
            System.nanoTime());
    assertThat(predictors.offer(pending)).isTrue();
    return pending.answer().orTimeout(1, TimeUnit.MINUTES).join();
  }

  /** The engine predicts for every fifth version. */
  @ParameterizedTest
  @CsvSource({"1, 6", "5, 10", "1, 5"})
  void aPredictorThatHasNothingToDoKeepsNoOldModel(int round, int next) throws Exception {
    ServedModel model = model(round);
    WeakReference<ServedModel> old = new WeakReference<>(model);
    predictors.serve(opener.open(model));
    predict();

    model = model(next);
    predictors.serve(opener.open(model));

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(old.get()).isNull();
            });
    predictors.close();
  }

  /** The watch may just be reading one. */
  @Test
  void aModelThatComesAfterTheEndIsClosed() throws Exception {
    predictors.serve(opener.open(model(1)));
    predictors.close();

    predictors.serve(opener.open(model(2)));

    assertThat(runtime.closed).hasValue(2);
  }

  @Test
  void whereOnlyTheRuntimeMayPredictAnotherModelIsRefused() throws Exception {
    ModelOpener only =
        new ModelOpener(PredictionRuntime.ONNX, DeviceRequest.any(), Optional.of(runtime));

    assertThatThrownBy(() -> only.open(model(5)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessage(
            "The counted runtime can't predict with it: it predicts something else; --runtime"
                + " engine has its engine predict");
    predictors.close();
  }

  @Test
  void theLogSaysWhyTheEnginePredictsWhenItBeginsTo() throws Exception {
    try (CapturedLog log = new CapturedLog(ModelOpener.class)) {
      for (int round : new int[] {1, 5, 10, 11, 15}) {
        opener.open(model(round)).retire();
      }

      assertThat(log.messages())
          .containsExactly(
              "The engine dl4j predicts with model 1.5 and those that follow, since The counted"
                  + " runtime can't: it predicts something else",
              "The engine dl4j predicts with model 1.15 and those that follow, since The counted"
                  + " runtime can't: it predicts something else");
    }
    predictors.close();
  }

  private static ServedModel model(int round) {
    GlobalModel model = TellingModels.model(TellingModels.SHAPE, round);
    return new ServedModel(
        model.spec(),
        model.version(),
        Instant.EPOCH,
        model.vector(),
        FeatureCompletion.of(model.spec().shape(), model.statistics().standardization()),
        List.of());
  }
}
