package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dl4j.run.News;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
    Warnings warnings = new Warnings();
    Logger logger = (Logger) LogManager.getLogger(News.class);
    warnings.start();
    logger.addAppender(warnings);
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.fit(new ListDataSetIterator<>(minibatches, 1));
    } finally {
      logger.removeAppender(warnings);
    }

    assertThat(warnings.told)
        .singleElement()
        .asString()
        .startsWith(
            "1 examples weren't learned, the first at "
                + (2 * SIZE + 3)
                + " of share 0 in epoch-1: ")
        .contains("NaN");
    assertThat(network.params().sumNumber().doubleValue()).isFinite();
  }

  private static final class Warnings extends AbstractAppender {

    private final List<String> told = new CopyOnWriteArrayList<>();

    Warnings() {
      super("warnings", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      told.add(event.getMessage().getFormattedMessage());
    }
  }
}
