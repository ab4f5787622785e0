package programs;

import dev.millrace.dl4j.ParallelWrapper;
import dev.millrace.dl4j.TrainingContext;
import java.util.List;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** A master deals minibatches out to workers, with the structure of DL4J's old scaleout. */
public final class MasterProgram {

  private final int batchSize = 16;
  private final List<DataSet> trainDataList;
  private final int numEpochs;

  /** Learns from drawn digits. */
  public MasterProgram(int dataSets, int numEpochs) {
    this.trainDataList = DrawnDigits.draw(1, dataSets, batchSize);
    this.numEpochs = numEpochs;
  }

  /** Runs it. */
  public Evaluation run() {
    MultiLayerConfiguration conf =
        new NeuralNetConfiguration.Builder()
            .seed(12345)
            .updater(new Adam(1e-3))
            .list()
            .layer(
                new DenseLayer.Builder()
                    .nIn(DrawnDigits.PIXELS)
                    .nOut(512)
                    .activation(Activation.RELU)
                    .build())
            .layer(
                new OutputLayer.Builder(LossFunctions.LossFunction.MCXENT)
                    .activation(Activation.SOFTMAX)
                    .nIn(512)
                    .nOut(DrawnDigits.CLASSES)
                    .build())
            .build();
    MultiLayerNetwork network = new MultiLayerNetwork(conf);
    network.init();

    DataSetIterator train = new ListDataSetIterator<>(trainDataList, 1);
    TrainingContext context = TrainingContext.current();
    ParallelWrapper master =
        new ParallelWrapper.Builder<>(network).context(context).workers(2).build();
    master.fit(train, numEpochs);
    master.shutdown();

    DataSetIterator test = new ListDataSetIterator<>(DrawnDigits.draw(2, 32, batchSize), 1);
    return network.evaluate(test);
  }
}
