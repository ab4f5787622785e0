package dev.millrace.model.dl4j.layers;

import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.convolution.ConvolutionLayer;
import org.deeplearning4j.nn.params.ConvolutionParamInitializer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.deeplearning4j.util.ConvolutionUtils;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.executioner.OpExecutioner.ExecutionerType;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A convolution of images whose backward pass has the forward pass's patches and sums before the
 * activation, and whose patches are laid out quickly. It is multiplied as DL4J multiplies it, by
 * one product of patches and kernels, and so are its gradients.
 */
final class QuickConvolution extends ConvolutionLayer {

  private static final long serialVersionUID = 1;

  private boolean tellsInput;
  private final transient Patches patches = new Patches();
  private transient INDArray kept;

  /**
   * @param first whether nobody asks for the gradient of its input, but by {@link #tellInput}
   */
  QuickConvolution(NeuralNetConfiguration conf, boolean first) {
    super(conf, DataType.FLOAT);
    this.tellsInput = !first;
  }

  /** Says whether somebody asks for the gradient of its input. */
  void tellInput(boolean told) {
    tellsInput = told;
  }

  /**
   * Whether one can take the place of a layer: where DL4J has no library's convolution, and Java
   * reaches the memory of arrays.
   */
  static boolean isPossible(ConvolutionLayer layer) {
    return layer.getHelper() == null
        && Nd4j.getExecutioner().type() != ExecutionerType.CUDA
        && layer.getDataType() == DataType.FLOAT
        && layer.layerConf().getCnn2dDataFormat() == CNN2DFormat.NCHW;
  }

  @Override
  protected Pair<INDArray, INDArray> preOutput(
      boolean training, boolean forBackprop, LayerWorkspaceMgr workspaces) {
    assertInputSet(false);
    INDArray bias = getParamWithNoise(ConvolutionParamInitializer.BIAS_KEY, training, workspaces);
    INDArray kernels = kernels(training, workspaces);
    validateInputRank();
    validateInputDepth(kernels.size(1));
    Window window = window();
    patches.layOut(input.castTo(DataType.FLOAT), window);
    INDArray sums =
        workspaces.createUninitialized(
            ArrayType.ACTIVATIONS,
            DataType.FLOAT,
            new long[] {patches.matrix().size(0), kernels.size(0)},
            'f');
    patches.matrix().mmuli(columns(kernels), sums);
    if (hasBias()) {
      sums.addiRowVector(bias);
    }
    if (training) {
      // The activation is put in the place of the sums, but for the identity.
      boolean stays = layerConf().getActivationFn() instanceof ActivationIdentity;
      kept = images(stays ? sums : copy(sums, workspaces), window);
    }
    return new Pair<>(images(sums, window), forBackprop ? patches.matrix() : null);
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    assertInputSet(true);
    Window window = window();
    INDArray delta = layerConf().getActivationFn().backprop(kept, epsilon).getFirst();
    // The derivative was put in its place.
    kept = null;
    INDArray kernels = kernels(true, workspaces);
    long count = kernels.size(0);
    INDArray rows = delta.permute(1, 0, 2, 3).reshape('c', count, patches.matrix().size(0));
    Gradient gradient = new DefaultGradient();
    INDArray ofKernels = gradientViews.get(ConvolutionParamInitializer.WEIGHT_KEY);
    INDArray asColumns = ofKernels.reshape('c', count, window.values()).transpose();
    Nd4j.gemm(patches.matrix(), rows, asColumns, true, true, 1, 0);
    if (hasBias()) {
      INDArray ofBias = gradientViews.get(ConvolutionParamInitializer.BIAS_KEY);
      rows.sum(ofBias, 1);
      gradient.setGradientFor(ConvolutionParamInitializer.BIAS_KEY, ofBias);
    }
    gradient.setGradientFor(ConvolutionParamInitializer.WEIGHT_KEY, ofKernels, 'c');
    // Layers look at its size, even where nobody looks at its values.
    INDArray ofInput = ofInput(workspaces);
    if (tellsInput) {
      // The patches aren't needed any more: their memory is used for their gradients.
      columns(kernels).mmuli(rows, patches.transposed());
      patches.addUp(ofInput, window);
      ofInput = backpropDropOutIfPresent(ofInput);
    }
    weightNoiseParams.clear();
    return new Pair<>(gradient, ofInput);
  }

  /**
   * Makes room for the gradient of the input, in DL4J's order of memory: a channel's images are one
   * behind the other.
   */
  private INDArray ofInput(LayerWorkspaceMgr workspaces) {
    long[] shape = {input.size(1), input.size(0), input.size(2), input.size(3)};
    return workspaces
        .createUninitialized(ArrayType.ACTIVATION_GRAD, DataType.FLOAT, shape, 'c')
        .permute(1, 0, 2, 3);
  }

  private INDArray kernels(boolean training, LayerWorkspaceMgr workspaces) {
    return getParamWithNoise(ConvolutionParamInitializer.WEIGHT_KEY, training, workspaces);
  }

  /** Views kernels as columns. */
  private static INDArray columns(INDArray kernels) {
    long count = kernels.size(0);
    return kernels.permute(3, 2, 1, 0).reshape('f', kernels.length() / count, count);
  }

  private static INDArray copy(INDArray sums, LayerWorkspaceMgr workspaces) {
    // dup() is several times slower.
    return workspaces
        .createUninitialized(ArrayType.ACTIVATIONS, DataType.FLOAT, sums.shape(), 'f')
        .assign(sums);
  }

  private Window window() {
    int[] kernel = layerConf().getKernelSize();
    int[] stride = layerConf().getStride();
    int[] dilation = layerConf().getDilation();
    int[] padding = layerConf().getPadding();
    boolean same = convolutionMode == ConvolutionMode.Same;
    int[] places =
        ConvolutionUtils.getOutputSize(
            input,
            kernel,
            stride,
            same ? null : padding,
            convolutionMode,
            dilation,
            CNN2DFormat.NCHW);
    if (same) {
      int[] image = {(int) input.size(2), (int) input.size(3)};
      padding = ConvolutionUtils.getSameModeTopLeftPadding(places, image, kernel, stride, dilation);
    }
    return new Window(
        (int) input.size(1),
        Window.Side.of(0, kernel, stride, padding, dilation, places),
        Window.Side.of(1, kernel, stride, padding, dilation, places));
  }

  /** Views a column for each kernel as an image for each kernel and example. */
  private INDArray images(INDArray sums, Window window) {
    return sums.reshape(
            'f', window.width().places(), window.height().places(), input.size(0), sums.size(1))
        .permute(2, 3, 1, 0);
  }

  @Override
  public void clear() {
    super.clear();
    kept = null;
  }
}
