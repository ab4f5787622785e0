package programs;

import java.util.List;
import org.canova.api.conf.Configuration;
import org.deeplearning4j.aws.s3.modelsaver.S3ModelSaver;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.scaleout.actor.runner.DeepLearning4jDistributed;
import org.deeplearning4j.scaleout.api.statetracker.StateTracker;
import org.deeplearning4j.scaleout.job.DataSetIteratorJobIterator;
import org.deeplearning4j.scaleout.job.Job;
import org.deeplearning4j.scaleout.statetracker.hazelcast.HazelCastStateTracker;
import org.deeplearning4j.scaleout.zookeeper.ZooKeeperConfigurationRegister;
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
    StateTracker tracker = new HazelCastStateTracker();
    DeepLearning4jDistributed master =
        new DeepLearning4jDistributed(new DataSetIteratorJobIterator(train, numEpochs), tracker);
    Configuration registered = new Configuration();
    registered.set(MULTI_LAYER_CONF, conf.toJson());
    new ZooKeeperConfigurationRegister(registered, "digits", "zookeeper", 2181).register();
    master.setup(registered);
    master.setModelSaver(new S3ModelSaver("models"));
    master.train();
    network.setParams(((Job) tracker.getCurrent()).getResult());
    master.shutdown();

    DataSetIterator test = new ListDataSetIterator<>(DrawnDigits.draw(2, 32, batchSize), 1);
    return network.evaluate(test);
  }
}
