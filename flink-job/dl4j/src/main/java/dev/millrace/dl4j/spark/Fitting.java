package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.ParallelWrapper;
import dev.millrace.job.options.StructureOptions;
import dev.millrace.job.train.options.BatchOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Trains a network as a master says: each call passes over the data once.
 *
 * @param network takes what is learned
 * @param listeners told of rounds
 */
record Fitting(
    JavaSparkContext context,
    Model network,
    TrainingMaster<?, ?> master,
    List<TrainingListener> listeners) {

  void fit(List<DataSet> dataSets) {
    RddIterator iterator = new RddIterator(dataSets, master.settings().batchSize());
    List<MultiDataSet> several = new MappedList<>(dataSets, DataSet::toMultiDataSet);
    run(several, iterator, wrapper -> wrapper.fit(iterator));
  }

  void fitSeveral(List<MultiDataSet> dataSets) {
    RddMultiIterator iterator = new RddMultiIterator(dataSets, master.settings().batchSize());
    run(dataSets, iterator, wrapper -> wrapper.fit(iterator));
  }

  // The wrapper isn't closed: that would end the context, which others use.
  private void run(
      List<MultiDataSet> dataSets, ExampleCount count, Consumer<ParallelWrapper> training) {
    List<TrainingListener> told = new ArrayList<>(listeners);
    told.addAll(master.listeners());
    RoundCounter rounds = new RoundCounter();
    if (master.getIsCollectTrainingStats()) {
      told.add(rounds);
    }
    ParallelWrapper wrapper = wrapper(Sequences.longest(dataSets));
    wrapper.setListeners(told);
    long begun = System.nanoTime();
    training.accept(wrapper);
    if (master.getIsCollectTrainingStats()) {
      master.stats().add(rounds.rounds(), count.examples(), (System.nanoTime() - begun) / 1e9);
    }
  }

  private ParallelWrapper wrapper(long steps) {
    MasterSettings settings = master.settings();
    int workers = settings.workers(context);
    ParallelWrapper.Builder<Model> builder =
        new ParallelWrapper.Builder<>(network)
            .context(context.training())
            .workers(workers)
            .prefetchBuffer(settings.prefetched() * workers)
            .option(BatchOptions.LOCAL_SIZE.key(), Integer.toString(settings.batchSize()));
    settings.options().forEach(builder::option);
    if (steps > 0) {
      builder.option(StructureOptions.SEQUENCE_STEPS.key(), Long.toString(steps));
    }
    return builder.build();
  }
}
