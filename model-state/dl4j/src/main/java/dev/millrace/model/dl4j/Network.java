package dev.millrace.model.dl4j;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.updater.UpdaterBlock;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * What {@code MultiLayerNetwork} and {@code ComputationGraph} have in common. The first group of
 * methods reads the configuration and works from the start; the others need {@link #init}.
 *
 * <p>A network belongs to the thread that called {@link #init}.
 */
interface Network extends AutoCloseable {

  NetworkKind kind();

  /** The configuration as DL4J writes it, iteration and epoch counts included. */
  String toJson();

  /** Settings that hold for the whole network. */
  NeuralNetConfiguration settings();

  BackpropType backpropagation();

  List<String> inputs();

  List<String> outputs();

  /** The layer that takes an input; null if something that is no layer takes it. */
  org.deeplearning4j.nn.conf.layers.Layer firstLayer(String input);

  /** Returns how many layers and vertices take an input. */
  int takers(String input);

  /** Returns what is done to an input before {@link #firstLayer}; null for nothing. */
  InputPreProcessor firstPreProcessor(String input);

  /** The layer that gives an output; null if something that is no layer gives it. */
  org.deeplearning4j.nn.conf.layers.Layer lastLayer(String output);

  /** All layers and vertices, in the order of their parameters in {@link #parameters}. */
  LayerList layers();

  int iteration();

  void setIteration(int iteration);

  /** Allocates parameters and updater state and initializes them as the configuration says. */
  void init();

  /**
   * Has layers compute as in production and learn nothing: gradients go through them, or end where
   * nothing before them learns. What an updater does to their parameters all the same, the caller
   * undoes.
   *
   * @param names of layers of an initialized network
   */
  void freeze(Set<String> names);

  /** The flat parameters that the network works on. */
  INDArray parameters();

  /** The flat updater state that the network works on; null if the updaters have none. */
  INDArray updaterState();

  /** The flat gradients of the last step. */
  INDArray gradients();

  List<UpdaterBlock> updaterBlocks();

  Layer outputLayer(String output);

  /**
   * One {@code fit} of DL4J's. Arrays are in the order of {@link #inputs} and {@link #outputs}.
   *
   * @param featureMasksOrNull null where nothing is masked; else so may each be
   * @param labelMasksOrNull the same
   */
  void fit(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull);

  /**
   * One {@link #fit} that also tells the gradients of its inputs.
   *
   * @param taker takes one of each input
   */
  void fit(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull,
      InputTaker taker);

  /**
   * Computes the {@link #gradients} of one {@link #fit}, each a sum over the rows, and makes no
   * step. Not by truncated backpropagation.
   */
  void computeGradients(
      INDArray[] features,
      INDArray[] labels,
      INDArray[] featureMasksOrNull,
      INDArray[] labelMasksOrNull);

  /**
   * Returns what the layers that aren't outputs give, without dropout: by layer, rows of its units.
   * Sequences aren't told.
   */
  Map<String, INDArray> activations(INDArray[] features);

  /** Outputs without dropout, allocated in {@code workspace}, which must be open. */
  INDArray[] output(INDArray[] features, INDArray[] featureMasksOrNull, MemoryWorkspace workspace);

  /**
   * Frees the native memory; the network and its arrays can't be used any more. DL4J's own way to
   * do it collects the whole heap's garbage, twice.
   */
  @Override
  default void close() {
    parameters().close();
    gradients().close();
    if (updaterState() != null) {
      updaterState().close();
    }
  }
}
