package dev.millrace.onnx.dl4j;

import java.util.HashMap;
import java.util.Map;

/** How windows slide over images, in convolutions and pooling, as attributes of nodes. */
final class Windows {

  private Windows() {}

  static Map<String, Object> of(Dl4jLayer layer) {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("kernel_shape", layer.pair("kernelSize"));
    attributes.put("strides", layer.pair("stride"));
    switch (layer.text("convolutionMode")) {
      case "Same" -> attributes.put("auto_pad", "SAME_UPPER");
      case "Truncate", "Strict" -> {
        long[] padding = layer.pair("padding");
        attributes.put("pads", new long[] {padding[0], padding[1], padding[0], padding[1]});
      }
      default -> throw layer.refusal("its mode is " + layer.text("convolutionMode"));
    }
    return attributes;
  }
}
