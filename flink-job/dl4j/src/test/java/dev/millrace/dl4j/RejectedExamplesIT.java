package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dl4j.run.News;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.dataset.DataSet;

/** Examples that can't be learned from: the others are learned, and the log says which weren't. */
class RejectedExamplesIT {

  private static final int SIZE = 8;

  @Test
  void anExampleThatIsNoNumberIsToldOfAndLeftOut() {
    List<DataSet> minibatches = Examples.minibatches(1, 20, SIZE);
    minibatches.get(4).getFeatures().putScalar(3, 2, Float.NaN);
    MultiLayerNetwork network = Examples.network();
    List<String> told;
    try (Warnings warnings = new Warnings();
        ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.fit(new ListDataSetIterator<>(minibatches, 1));
      told = warnings.told;
    }

    assertThat(told)
        .singleElement()
        .asString()
        .startsWith(
            "1 examples weren't learned, the first at "
                + (2 * SIZE + 3)
                + " of share 0 in epoch-1: ")
        .contains("NaN");
    assertThat(network.params().sumNumber().doubleValue()).isFinite();
  }

  /** What {@link News} warns of while it is open, whatever the tests' log shows. */
  private static final class Warnings extends AbstractAppender implements AutoCloseable {

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LogManager.getLogger(News.class);
    private final Level before = logger.getLevel();

    Warnings() {
      super("warnings", null, null, true, Property.EMPTY_ARRAY);
      start();
      logger.addAppender(this);
      logger.setLevel(Level.WARN);
    }

    @Override
    public void append(LogEvent event) {
      told.add(event.getMessage().getFormattedMessage());
    }

    @Override
    public void close() {
      logger.removeAppender(this);
      logger.setLevel(before);
      stop();
    }
  }
}
