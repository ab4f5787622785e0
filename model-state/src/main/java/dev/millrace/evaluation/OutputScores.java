package dev.millrace.evaluation;

import dev.millrace.model.score.ScoreBins;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The scores of each output, its own examples (label 0.5 or more) against all others. */
final class OutputScores implements RowMeasure {

  private final ScoreHistogram[] histograms;

  OutputScores(int outputs) {
    ScoreBins bins = ScoreBins.forHistograms(outputs);
    this.histograms = new ScoreHistogram[outputs];
    for (int i = 0; i < outputs; i++) {
      histograms[i] = new ScoreHistogram(bins);
    }
  }

  ScoreHistogram of(int output) {
    return histograms[output];
  }

  @Override
  public void add(float[] predictions, float[] labels, int at) {
    for (int i = 0; i < histograms.length; i++) {
      histograms[i].add(predictions[at + i], labels[at + i] >= 0.5f);
    }
  }

  @Override
  public void merge(RowMeasure other) {
    for (int i = 0; i < histograms.length; i++) {
      histograms[i].merge(((OutputScores) other).histograms[i]);
    }
  }

  @Override
  public void write(DataOutput out) throws IOException {
    for (ScoreHistogram histogram : histograms) {
      histogram.write(out);
    }
  }

  @Override
  public void read(DataInput in) throws IOException {
    for (ScoreHistogram histogram : histograms) {
      histogram.read(in);
    }
  }
}
