package programs;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions;

/** What {@code flink run} starts: one of the programs, by its name. */
public final class Submitted {

  private Submitted() {}

  /** Runs a program, and prints what it has found. */
  public static void main(String[] arguments) {
    switch (arguments[0]) {
      case "averaging" -> {
        ParameterAveragingProgram program = new ParameterAveragingProgram(false);
        print(program.run().accuracy());
      }
      case "sharing" ->
          print(
              new GradientSharingProgram(false, new AdaptiveThresholdAlgorithm()).run().accuracy());
      case "evaluation" -> evaluate();
      case "master" -> print(new MasterProgram(301, 24).run().accuracy());
      default -> throw new IllegalArgumentException("There is no program " + arguments[0]);
    }
  }

  private static void evaluate() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .list()
                .layer(
                    new OutputLayer.Builder(LossFunctions.LossFunction.MCXENT)
                        .nIn(DrawnDigits.PIXELS)
                        .nOut(DrawnDigits.CLASSES)
                        .activation(Activation.SOFTMAX)
                        .build())
                .build());
    network.init();
    EvaluationProgram program = new EvaluationProgram(false, network, DrawnDigits.draw(2, 13, 16));
    Evaluation evaluation = (Evaluation) program.run()[0];
    System.out.println(
        "examples %s, predictions %s, scores %s"
            .formatted(
                evaluation.getNumRowCounter(),
                program.predictions().size(),
                program.scoresByKey().size()));
  }

  private static void print(double accuracy) {
    System.out.println("accuracy " + accuracy);
  }
}
