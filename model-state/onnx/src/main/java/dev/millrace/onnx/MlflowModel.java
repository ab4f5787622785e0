package dev.millrace.onnx;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ServableModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A directory that MLflow loads as a model, with its flavors {@code onnx} and {@code
 * python_function}: the graph, its signature, and an example of an input. MLflow's documentation of
 * its storage format describes the files. Those that are YAML have JSON in them, which is YAML too.
 */
final class MlflowModel {

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private static final String FILE = "model.onnx";
  private static final String CONDA = "conda.yaml";
  private static final String PYTHON = "python_env.yaml";
  private static final String EXAMPLE = "input_example.json";

  /** The release of MLflow whose format this is; MLflow warns where its own release is older. */
  private static final String MLFLOW = "2.22.0";

  private static final String PYTHON_VERSION = "3.11";

  /** The packages that load the model: the opset of the file needs no newer ones. */
  private static final List<String> REQUIREMENTS =
      List.of("mlflow>=2.0", "onnx>=1.14", "onnxruntime>=1.16");

  private static final int EXAMPLES = 2;

  private final ServableModel model;

  MlflowModel(ServableModel model) {
    this.model = model;
  }

  /**
   * Writes all files.
   *
   * @param directory is there, and empty
   */
  Agreement write(OnnxExporter exporter, Path directory) throws IOException {
    ModelGraph graph = new ModelGraph(model);
    Agreement agreement = exporter.write(model, directory.resolve(FILE));
    write(directory.resolve("MLmodel"), description(graph.proto().getGraph()));
    write(directory.resolve(EXAMPLE), example(graph));
    write(directory.resolve(CONDA), conda());
    write(directory.resolve(PYTHON), python());
    Files.write(directory.resolve("requirements.txt"), REQUIREMENTS);
    return agreement;
  }

  private static void write(Path file, ObjectNode content) throws IOException {
    Files.writeString(file, JSON.writeValueAsString(content) + "\n");
  }

  private ObjectNode description(GraphProto graph) {
    ObjectNode description = JSON.createObjectNode();
    ObjectNode flavors = description.putObject("flavors");
    ObjectNode onnx = flavors.putObject("onnx");
    onnx.put("data", FILE).put("onnx_version", "1.14.0").putNull("code");
    onnx.putArray("providers").add("CUDAExecutionProvider").add("CPUExecutionProvider");
    ObjectNode function = flavors.putObject("python_function");
    function.put("loader_module", "mlflow.onnx").put("data", FILE);
    function.put("python_version", PYTHON_VERSION);
    function.putObject("env").put("conda", CONDA).put("virtualenv", PYTHON);
    description.put("mlflow_version", MLFLOW);
    description.put("model_uuid", UUID.randomUUID().toString().replace("-", ""));
    description.put("utc_time_created", LocalDateTime.now(ZoneOffset.UTC).toString());
    description
        .putObject("signature")
        .put("inputs", tensors(graph.getInputList()))
        .put("outputs", tensors(graph.getOutputList()))
        .putNull("params");
    description
        .putObject("saved_input_example_info")
        .put("artifact_path", EXAMPLE)
        .put("type", "ndarray")
        .put("format", "tf-serving");
    ObjectNode facts = description.putObject("metadata");
    model.facts().forEach(facts::put);
    if (!model.classes().isEmpty()) {
      model.classes().forEach(facts.putArray("millrace.classes")::add);
    }
    return description;
  }

  /** Text of JSON within the description, as MLflow has it. */
  private static String tensors(List<ValueInfoProto> tensors) {
    ArrayNode all = JSON.createArrayNode();
    for (ValueInfoProto tensor : tensors) {
      ObjectNode spec =
          all.addObject()
              .put("name", tensor.getName())
              .put("type", "tensor")
              .putObject("tensor-spec")
              .put("dtype", isText(tensor) ? "object" : "float32");
      ArrayNode shape = spec.putArray("shape");
      for (TensorShapeProto.Dimension size :
          tensor.getType().getTensorType().getShape().getDimList()) {
        shape.add(size.hasDimValue() ? size.getDimValue() : -1);
      }
    }
    return all.toString();
  }

  private static boolean isText(ValueInfoProto tensor) {
    return tensor.getType().getTensorType().getElemType()
        == TensorProto.DataType.STRING.getNumber();
  }

  private ObjectNode example(ModelGraph graph) {
    RandomExamples examples =
        RandomExamples.draw(
            model.spec().shape(), model.learned(), graph.ids(), EXAMPLES, new Random(1));
    ObjectNode inputs = JSON.createObjectNode();
    ObjectNode values = inputs.putObject("inputs");
    for (ValueInfoProto input : graph.proto().getGraph().getInputList()) {
      Cells cells = cells(input, examples);
      int rank = input.getType().getTensorType().getShape().getDimCount();
      int width = cells.length() / EXAMPLES;
      ArrayNode rows = values.putArray(input.getName());
      for (int row = 0; row < EXAMPLES; row++) {
        ArrayNode of = rows.addArray();
        int steps = rank == 2 ? 1 : examples.steps();
        int perStep = rank == 2 ? width : width / model.spec().shape().rows();
        for (int step = 0; step < steps; step++) {
          ArrayNode array = rank == 2 ? of : of.addArray();
          for (int i = 0; i < perStep; i++) {
            cells.add(array, row * width + step * perStep + i);
          }
        }
      }
    }
    return inputs;
  }

  /** What an input has: numbers, or words where these aren't null. */
  private record Cells(float[] numbers, String[] wordsOrNull) {

    int length() {
      return wordsOrNull == null ? numbers.length : wordsOrNull.length;
    }

    /** JSON has no NaN, so a missing number is shown as 0. */
    void add(ArrayNode array, int at) {
      if (wordsOrNull == null) {
        array.add(Float.isNaN(numbers[at]) ? 0f : numbers[at]);
      } else {
        array.add(wordsOrNull[at] == null ? "\uffff" : wordsOrNull[at]);
      }
    }
  }

  private Cells cells(ValueInfoProto input, RandomExamples examples) {
    if (isText(input)) {
      return new Cells(examples.features(), examples.words());
    }
    return model.spec().shape().columns().ids().stream()
        .filter(column -> column.name().equals(input.getName()))
        .findFirst()
        .map(column -> new Cells(examples.rowsOf(column), null))
        .orElseGet(() -> new Cells(examples.features(), null));
  }

  private static ObjectNode conda() {
    ObjectNode conda = JSON.createObjectNode().put("name", "mlflow-env");
    conda.putArray("channels").add("conda-forge");
    ArrayNode dependencies = conda.putArray("dependencies");
    dependencies.add("python=" + PYTHON_VERSION).add("pip");
    ArrayNode pip = dependencies.addObject().putArray("pip");
    REQUIREMENTS.forEach(pip::add);
    return conda;
  }

  private static ObjectNode python() {
    ObjectNode python = JSON.createObjectNode().put("python", PYTHON_VERSION);
    python.putArray("build_dependencies").add("pip");
    python.putArray("dependencies").add("-r requirements.txt");
    return python;
  }
}
