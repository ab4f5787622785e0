package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.progress.MetricsLine;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearningCurveTest {

  private static final int WINDOW = 0x1F4E79;
  private static final int HOLD_OUT = 0xD96B0B;
  private static final int DRIFT = 0x8E24AA;
  private static final int FOUND = 0x2E7D32;

  @TempDir Path directory;

  @Test
  void showsTheWindowTheHoldOutSetAndTheDrift() throws IOException {
    RunHistory history = history(true);
    history.add(new MetricsLine.Drift(0, 52, 20_800, "adwin", 0.1, 0.6, null, true));
    history.add(new MetricsLine.Drift(0, 60, 24_000, "features", null, null, List.of(1), false));
    Map<Integer, Integer> pixels = drawn(history, OptionalLong.of(20_000));

    assertThat(pixels.values()).allMatch(count -> count > 50);
  }

  @Test
  void withoutDriftThereIsNoSuchLine() throws IOException {
    assertThat(drawn(history(true), OptionalLong.empty()))
        .containsEntry(DRIFT, 0)
        .containsEntry(FOUND, 0);
  }

  @Test
  void withoutAccuracyItShowsTheLoss() throws IOException {
    Map<Integer, Integer> pixels = drawn(history(false), OptionalLong.empty());

    assertThat(pixels.get(WINDOW)).isGreaterThan(50);
    assertThat(pixels.get(HOLD_OUT)).isGreaterThan(50);
  }

  @Test
  void aRunWithoutMeasuresHasNoCurve() throws IOException {
    Path file = directory.resolve("none.png");

    assertThat(new LearningCurve(new RunHistory(), OptionalLong.empty()).write(file)).isFalse();
    assertThat(file).doesNotExist();
  }

  private Map<Integer, Integer> drawn(RunHistory history, OptionalLong drift) throws IOException {
    Path file = directory.resolve("learning-curve.png");
    assertThat(new LearningCurve(history, drift).write(file)).isTrue();
    BufferedImage image = ImageIO.read(file.toFile());
    Map<Integer, Integer> pixels =
        new HashMap<>(Map.of(WINDOW, 0, HOLD_OUT, 0, DRIFT, 0, FOUND, 0));
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        pixels.computeIfPresent(image.getRGB(x, y) & 0xFFFFFF, (colour, n) -> n + 1);
      }
    }
    return pixels;
  }

  private static RunHistory history(boolean accuracy) {
    RunHistory history = new RunHistory();
    for (int i = 1; i <= 100; i++) {
      double sinceChange = i < 50 ? i : i - 45;
      double quality = 0.95 - 0.85 * Math.exp(-sinceChange / 8);
      Double correct = accuracy ? quality : null;
      history.add(
          new MetricsLine.Progress(
              i, 0, i, 400L * i, 0, null, correct, 1.0, correct, 1 - quality, null, null));
      if (i % 10 == 0) {
        history.add(
            new MetricsLine.HoldOut(i, 0, i, 400L * i, 100, correct, 1 - quality, null, null));
      }
    }
    return history;
  }
}
