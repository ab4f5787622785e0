package programs;

import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.deeplearning4j.optimize.listeners.ScoreIterationListener;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** LeNet on several devices, with the structure that DL4J's guide to ParallelWrapper has. */
public final class LenetProgram {

  private final int batchSize = 16;
  private final int nEpochs = 3;

  /**
   * Runs it.
   *
   * @param sharesGradients whether it is the variant that shares gradients
   */
  public Evaluation run(boolean sharesGradients) {
    DataSetIterator mnistTrain = new ListDataSetIterator<>(DrawnDigits.draw(1, 125, batchSize), 1);
    DataSetIterator mnistTest = new ListDataSetIterator<>(DrawnDigits.draw(2, 32, batchSize), 1);

    MultiLayerConfiguration conf =
        new NeuralNetConfiguration.Builder()
            .seed(123)
            .l2(0.0005)
            .weightInit(WeightInit.XAVIER)
            .updater(new Nesterovs(0.01, 0.9))
            .list()
            .layer(
                new ConvolutionLayer.Builder(3, 3)
                    .nIn(1)
                    .stride(1, 1)
                    .nOut(8)
                    .activation(Activation.IDENTITY)
                    .build())
            .layer(
                new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX)
                    .kernelSize(2, 2)
                    .stride(2, 2)
                    .build())
            .layer(new DenseLayer.Builder().activation(Activation.RELU).nOut(64).build())
            .layer(
                new OutputLayer.Builder(LossFunctions.LossFunction.NEGATIVELOGLIKELIHOOD)
                    .nOut(DrawnDigits.CLASSES)
                    .activation(Activation.SOFTMAX)
                    .build())
            .setInputType(InputType.convolutionalFlat(14, 14, 1))
            .build();
    MultiLayerNetwork model = new MultiLayerNetwork(conf);
    model.init();
    model.setListeners(new ScoreIterationListener(100));

    ParallelWrapper.Builder<MultiLayerNetwork> builder =
        new ParallelWrapper.Builder<>(model).prefetchBuffer(24).workers(2);
    ParallelWrapper wrapper =
        sharesGradients
            ? builder.trainingMode(ParallelWrapper.TrainingMode.SHARED_GRADIENTS).build()
            : builder.averagingFrequency(3).reportScoreAfterAveraging(true).build();

    for (int i = 0; i < nEpochs; i++) {
      wrapper.fit(mnistTrain);
    }
    wrapper.shutdown();
    return model.evaluate(mnistTest);
  }
}
