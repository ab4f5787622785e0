package dev.millrace.keras.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A model of layers that follow on each other, in the form that {@code model.save("model.h5")} of
 * Keras 2.6 gives it. Weights are as Keras has them: a kernel's last dimension is the layer's
 * outputs, images have their channels last.
 */
public final class KerasModelFile {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String REGULARIZER = "kernel_regularizer";

  private record Weight(String name, float[] values, long[] shape) {}

  private final boolean functional;
  private final ArrayNode layers = MAPPER.createArrayNode();
  private final Map<String, List<Weight>> weights = new LinkedHashMap<>();
  private String last;
  private String version = "2.6.0";
  private String training;

  private KerasModelFile(boolean functional, int... input) {
    this.functional = functional;
    ObjectNode config = layer("InputLayer", "input");
    config.put("dtype", "float32").put("sparse", false).put("ragged", false);
    ArrayNode shape = config.putArray("batch_input_shape").addNull();
    for (int size : input) {
      shape.add(size == 0 ? NullNode.instance : IntNode.valueOf(size));
    }
  }

  /**
   * A model of an input alone.
   *
   * @param functional whether it is built with Keras' functional API, and not as a Sequential
   * @param input shape of one example; 0 where any size will do
   */
  public static KerasModelFile of(boolean functional, int... input) {
    return new KerasModelFile(functional, input);
  }

  /** A dense layer, its kernel inputs by outputs. */
  public KerasModelFile dense(String name, String activation, float[][] kernel, float[] bias) {
    ObjectNode config = trainable(layer("Dense", name), activation);
    config.put("units", bias.length);
    weight(name, "kernel", flat(kernel), kernel.length, bias.length);
    weight(name, "bias", bias, bias.length);
    return this;
  }

  /**
   * A convolution without padding.
   *
   * @param kernel height by width by channels by filters
   */
  public KerasModelFile convolution(
      String name, String activation, int size, int channels, float[] kernel, float[] bias) {
    ObjectNode config = trainable(layer("Conv2D", name), activation);
    config.put("groups", 1);
    config.put("filters", bias.length).put("padding", "valid").put("data_format", "channels_last");
    config.putArray("kernel_size").add(size).add(size);
    config.putArray("strides").add(1).add(1);
    config.putArray("dilation_rate").add(1).add(1);
    weight(name, "kernel", kernel, size, size, channels, bias.length);
    weight(name, "bias", bias, bias.length);
    return this;
  }

  public KerasModelFile maxPooling(String name, int size) {
    ObjectNode config = layer("MaxPooling2D", name);
    config.put("padding", "valid").put("data_format", "channels_last");
    config.putArray("pool_size").add(size).add(size);
    config.putArray("strides").add(size).add(size);
    return this;
  }

  public KerasModelFile flatten(String name) {
    layer("Flatten", name).put("data_format", "channels_last");
    return this;
  }

  /** Any other layer that has no weights. */
  public KerasModelFile other(String className, String name, Map<String, ?> settings) {
    ObjectNode config = layer(className, name);
    settings.forEach((setting, value) -> config.set(setting, MAPPER.valueToTree(value)));
    return this;
  }

  /** Regularizes the weights of all layers so far; JSON. */
  public KerasModelFile regularized(String regularizer) throws JsonProcessingException {
    for (JsonNode layer : layers) {
      if (layer.path("config").has(REGULARIZER)) {
        ((ObjectNode) layer.get("config")).set(REGULARIZER, MAPPER.readTree(regularizer));
      }
    }
    return this;
  }

  public KerasModelFile version(String keras) {
    version = keras;
    return this;
  }

  /**
   * Gives it loss and optimizer.
   *
   * @param loss JSON
   * @param optimizer its class in Keras
   * @param settings JSON
   */
  public KerasModelFile compiled(String loss, String optimizer, String settings) {
    training =
        "{\"loss\": %s, \"metrics\": null, \"optimizer_config\": {\"class_name\": \"%s\", \"config\": %s}}"
            .formatted(loss, optimizer, settings);
    return this;
  }

  public void write(Path file) {
    try (Hdf5Writer out = new Hdf5Writer(file)) {
      out.attribute("keras_version", version);
      out.attribute("backend", "tensorflow");
      out.attribute("model_config", modelConfig().toString());
      if (training != null) {
        out.attribute("training_config", training);
      }
      out.group("model_weights", "layer_names", List.copyOf(weights.keySet()));
      weights.forEach((layer, values) -> write(out, layer, values));
    }
  }

  private static void write(Hdf5Writer out, String layer, List<Weight> weights) {
    String path = "model_weights/" + layer;
    out.group(path, "weight_names", weights.stream().map(w -> layer + "/" + w.name()).toList());
    if (!weights.isEmpty()) {
      out.group(path + "/" + layer);
      for (Weight weight : weights) {
        out.floats(path + "/" + layer + "/" + weight.name(), weight.values(), weight.shape());
      }
    }
  }

  private ObjectNode modelConfig() {
    ObjectNode model = MAPPER.createObjectNode();
    model.put("class_name", functional ? "Functional" : "Sequential");
    ObjectNode config = model.putObject("config").put("name", "model");
    config.set("layers", layers);
    if (functional) {
      config.putArray("input_layers").addArray().add("input").add(0).add(0);
      config.putArray("output_layers").addArray().add(last).add(0).add(0);
    }
    return model;
  }

  private ObjectNode layer(String className, String name) {
    ObjectNode layer = layers.addObject().put("class_name", className);
    if (functional) {
      layer.put("name", name);
      ArrayNode inbound = layer.putArray("inbound_nodes");
      if (last != null) {
        inbound.addArray().addArray().add(last).add(0).add(0).addObject();
      }
    }
    if (last != null) {
      weights.put(name, new ArrayList<>());
    }
    last = name;
    return layer.putObject("config").put("name", name).put("trainable", true);
  }

  private static ObjectNode trainable(ObjectNode config, String activation) {
    config.put("activation", activation).put("use_bias", true);
    config.putObject("kernel_initializer").put("class_name", "GlorotUniform").putObject("config");
    config.putObject("bias_initializer").put("class_name", "Zeros").putObject("config");
    for (String none : List.of(REGULARIZER, "bias_regularizer", "kernel_constraint")) {
      config.putNull(none);
    }
    return config;
  }

  private void weight(String layer, String name, float[] values, long... shape) {
    weights.get(layer).add(new Weight(name + ":0", values, shape));
  }

  private static float[] flat(float[][] rows) {
    float[] values = new float[rows.length * rows[0].length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, values, i * rows[0].length, rows[0].length);
    }
    return values;
  }
}
