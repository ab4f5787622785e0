package dev.millrace.deploy;

import static com.tngtech.archunit.base.DescribedPredicate.allElements;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.job.options.Setting;
import dev.millrace.job.setup.MillraceOptions;
import dev.millrace.model.io.TemporaryFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows of docs/internals/architecture.md. */
class ArchitectureTest {

  /** Packages that know options: what users type, and what makes jobs of it. */
  private static final Pattern KNOW_OPTIONS =
      Pattern.compile(
          "dev\\.millrace\\.(api|job(\\.\\w+)?\\.(options|setup)|job\\.train\\.(part(\\..*)?|history)|job\\.common|sql\\.predict|cli(\\..*)?|chaos)");

  /** Reads options that are kept with models: there the key is the name of a field. */
  private static final Set<String> READ_KEPT_OPTIONS =
      Set.of(ClassOrder.class.getName(), "dev.millrace.job.follow.LearnedEnvelope");

  /** Options of Kafka's clients that are called what one of ours is. */
  private static final Set<String> OF_KAFKA = Set.of("batch.size");

  private static final String[] ON_FLINK = {
    "dev.millrace.exchange.flink..", "dev.millrace.exchange.savepoint.."
  };

  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          // In a build that has packaged the modules they are jars.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.millrace");

  /** One package at a time: a rule over a package that isn't there any more fails. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.millrace.model",
        "dev.millrace.model.io",
        "dev.millrace.model.shape",
        "dev.millrace.model.features",
        "dev.millrace.model.score",
        "dev.millrace.model.device",
        "dev.millrace.model.dl4j",
        "dev.millrace.model.torch",
        "dev.millrace.nd4j",
        "dev.millrace.onnx",
        "dev.millrace.onnx.graph",
        "dev.millrace.onnx.dl4j",
        "dev.millrace.onnx.torch",
        "dev.millrace.onnx.predict",
        "dev.millrace.snapshot",
        "dev.millrace.extension",
        "dev.millrace.evaluation",
        "dev.millrace.exchange.round",
        "dev.millrace.exchange.schedule",
        "dev.millrace.exchange.codec",
        "dev.millrace.exchange.aggregate",
        "dev.millrace.exchange.block",
        "dev.millrace.exchange.feedback",
        "dev.millrace.exchange.gather",
        "dev.millrace.exchange.replica",
        "dev.millrace.exchange.publication",
        "dev.millrace.exchange.layer",
        "dev.millrace.exchange.confusion",
        "dev.millrace.exchange.process",
        "dev.millrace.exchange.segment",
        "dev.millrace.exchange.minibatch",
        "dev.millrace.exchange.rows",
        "dev.millrace.exchange.hook",
        "dev.millrace.exchange.steering",
        "dev.millrace.example",
        "dev.millrace.avro",
        "dev.millrace.protobuf",
        "dev.millrace.registry",
        "dev.millrace.fields",
        "dev.millrace.fields.json",
        "dev.millrace.fields.csv",
        "dev.millrace.cli.describe",
        "dev.millrace.job.evaluate.report",
        "dev.millrace.cli.report",
        "dev.millrace.digits",
        "dev.millrace.http",
        "dev.millrace.watch",
        "dev.millrace.cli.audit",
        "dev.millrace.cli.timeline"
      })
  void purePackagesKnowNeitherFlinkNorKafka(String pure) {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(pure)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..")
        .because("they are tested without a cluster, and outlive its API")
        .check(CLASSES);
  }

  /** JavaCPP serves both, so it is known to both. Programs of DL4J have its arrays and networks. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dev.millrace.model.dl4j.. dev.millrace.dl4j.. | org.deeplearning4j.. org.nd4j.."
            + " dev.millrace.model.dl4j..",
        "dev.millrace.model.torch | org.bytedeco.pytorch.. org.bytedeco.openblas.."
            + " dev.millrace.model.torch..",
      })
  void onlyItsOwnPackageKnowsAnEngine(String own, String engine) {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackages((own + " dev.millrace.nd4j..").split(" ", -1))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(engine.split(" ", -1))
        .because("a further engine is added by one package, found by ServiceLoader")
        .check(CLASSES);
  }

  /** They are loaded once in a process, and jobs come and go. */
  @Test
  void whatLiesWithNd4jKnowsNothingOfAJob() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("dev.millrace.nd4j..")
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage("dev.millrace..")
                .and(
                    DescribedPredicate.not(
                        JavaClass.Predicates.resideInAPackage("dev.millrace.nd4j.."))))
        .because("a job's class loader would stay behind its end")
        .check(CLASSES);
  }

  @Test
  void onlyEnginesKnowJavaCpp() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.millrace.model.dl4j..", "dev.millrace.model.torch", "dev.millrace.nd4j..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bytedeco..")
        .because("memory outside of the heap is an engine's own")
        .check(CLASSES);
  }

  /** A replica finds examples, and shuts its source, in connectors: it knows nothing else there. */
  @Test
  void theExchangeKnowsExamplesAndTheGateOfItsSourceOnly() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("dev.millrace.exchange..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.millrace.kafka..", "dev.millrace.file..")
        .because("replicas agree on whatever examples they are given")
        .check(CLASSES);
  }

  @Test
  void noJobKnowsHowModelsAreImported() {
    ArchRuleDefinition.noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.millrace.keras..", "org.deeplearning4j.nn.modelimport..", "org.bytedeco.hdf5..")
        .because("it is an extra that is on the class path of one command alone")
        .check(CLASSES);
  }

  /** Commands say where those of a run go: after Java has looked. */
  @Test
  void temporaryFilesAreMadeInOnePlace() {
    ArchRuleDefinition.noClasses()
        .that()
        .doNotHaveFullyQualifiedName(TemporaryFiles.class.getName())
        .should()
        .callMethodWhere(targetOwner(type(Files.class)).and(target(nameStartingWith("createTemp"))))
        .check(CLASSES);
  }

  /** Error Prone finds calls alone, and classes have calls where sources have references. */
  @Test
  void noReferenceTakesTheProcessesLocale() throws IOException {
    Pattern reference =
        Pattern.compile("(\"|String)\\s*::(formatted|format|to(Lower|Upper)Case)\\b");
    try (Stream<Path> files = Files.walk(Path.of("..", "..", ".."))) {
      List<Path> sources =
          files.filter(file -> file.toString().matches(".*/src/main/java/.*\\.java")).toList();
      assertThat(sources).hasSizeGreaterThan(500);
      for (Path source : sources) {
        assertThat(Files.readString(source)).as(source.toString()).doesNotContainPattern(reference);
      }
    }
  }

  /** A cluster that only runs jobs needs no tables in its lib/. */
  @Test
  void onlyItsOwnPackageKnowsTables() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("dev.millrace.sql..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink.table..")
        .because("jobs run without Flink's table API")
        .check(CLASSES);
  }

  @Test
  void onlyItsOwnPackagesKnowOnnx() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("dev.millrace.onnx..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.millrace.onnx..", "ai.onnx..", "ai.onnxruntime..")
        .because("it is an extra that is on the class path of a few commands alone")
        .check(CLASSES);
  }

  /** A server finds it by ServiceLoader: the package and its line there can be deleted. */
  @Test
  void nobodyKnowsWhatPredictsByOnnxRuntime() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("dev.millrace.onnx.predict")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.millrace.onnx.predict")
        .because("without it engines predict, and models are exported all the same")
        .check(CLASSES);
  }

  @Test
  void onlyThoseWhoServeKnowHttp() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("dev.millrace.serve..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.millrace.serve..", "io.prometheus..")
        .because("it is an extra that is on the class path of one command alone")
        .check(CLASSES);
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.millrace.http..", "dev.millrace.serve..", "dev.millrace.watch..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..")
        .because("no job needs HTTP")
        .check(CLASSES);
  }

  @Test
  void onlyItsOwnPackageKnowsGrpc() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("dev.millrace.serve.grpc")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.millrace.serve.grpc", "io.grpc..")
        .because("it is a package that can be left out")
        .check(CLASSES);
  }

  /** A request meets none of Flink's classes; models are followed by those of a job. */
  @Test
  void aServerKnowsNeitherFlinkNorKafka() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("dev.millrace.serve..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..", "dev.millrace.job.score..")
        .because("it shares with the scoring job what follows models, and no more")
        .check(CLASSES);
  }

  @Test
  void onlyItsOwnPackageKnowsKafka() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackages("dev.millrace.kafka..", "dev.millrace.local.broker")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..", "org.apache.flink.connector.kafka..", "kafka..")
        .because("what the clients need and how they fail is dealt with in one place")
        .check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "dev.millrace.avro, org.apache.avro..",
    "dev.millrace.protobuf, com.google.protobuf.."
  })
  void onlyItsOwnPackageKnowsTheLibraryOfAFormat(String own, String library) {
    ArchRuleDefinition.noClasses()
        .that()
        // Benchmarks write what they read; ONNX files and gRPC's calls are messages of protobuf's.
        .resideOutsideOfPackages(
            own, "dev.millrace.benchmark..", "dev.millrace.onnx..", "dev.millrace.serve.grpc")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .because("a format is one package, found by ServiceLoader")
        .check(CLASSES);
  }

  @Test
  void onlyItsOwnPackageKnowsHowFlinkLaysOutSnapshots() {
    ArchRuleDefinition.noClasses()
        .that()
        // A copy of rows for predictions is a database of RocksDB's. The simulator stands for
        // Flink's runtime.
        .resideOutsideOfPackages(
            "dev.millrace.exchange.savepoint",
            "dev.millrace.job.rows",
            "dev.millrace.simulate.task")
        .and()
        // It has to see which checkpoint is the one that the job stops with.
        .doNotHaveFullyQualifiedName("dev.millrace.source.StoppingOperator")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.flink.runtime.checkpoint..",
            "org.apache.flink.runtime.state.restore..",
            "org.apache.flink.runtime.state.filesystem..",
            "org.rocksdb..")
        .because("these are Flink's internals, which change without notice")
        .check(CLASSES);
  }

  /** All subtasks of a join end together, since each hears the end of every input. */
  @Test
  void onlyAJoinHasAUnionList() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("dev.millrace.job.join")
        .should()
        .callMethod(OperatorStateStore.class, "getUnionListState", ListStateDescriptor.class)
        .because("Flink completes no checkpoint once some subtasks of a task with one have ended")
        .check(CLASSES);
  }

  @Test
  void modulesDependOnEachOtherInOneDirection() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("dev.millrace..")
        .layer("model-state")
        .definedBy(
            "dev.millrace.model",
            "dev.millrace.model.io..",
            "dev.millrace.model.shape..",
            "dev.millrace.model.features..",
            "dev.millrace.model.grow..",
            "dev.millrace.model.freeze..",
            "dev.millrace.model.device..",
            "dev.millrace.model.negatives..",
            "dev.millrace.model.population..",
            "dev.millrace.model.score..",
            "dev.millrace.snapshot..",
            "dev.millrace.extension..",
            "dev.millrace.evaluation..")
        .layer("dl4j")
        .definedBy("dev.millrace.model.dl4j..", "dev.millrace.nd4j..")
        .layer("torch")
        .definedBy("dev.millrace.model.torch..")
        .layer("onnx")
        .definedBy("dev.millrace.onnx..")
        .layer("formats")
        .definedBy(
            "dev.millrace.example..",
            "dev.millrace.fields..",
            "dev.millrace.file..",
            "dev.millrace.avro..",
            "dev.millrace.protobuf..",
            "dev.millrace.registry..")
        .layer("connectors")
        .definedBy(
            "dev.millrace.kafka..",
            "dev.millrace.source..",
            "dev.millrace.history..",
            "dev.millrace.sink..")
        .layer("gradient-exchange")
        .definedBy(
            JavaClass.Predicates.resideInAPackage("dev.millrace.exchange..")
                .and(not(JavaClass.Predicates.resideInAnyPackage(ON_FLINK))))
        .layer("exchange on Flink")
        .definedBy(ON_FLINK)
        .layer("flink-job")
        .definedBy("dev.millrace.api..", "dev.millrace.job..")
        .layer("sql")
        .definedBy("dev.millrace.sql..")
        .layer("programs of DL4J")
        .definedBy("dev.millrace.dl4j..")
        .layer("digits")
        .definedBy("dev.millrace.digits..")
        .layer("local")
        .definedBy("dev.millrace.local..")
        .layer("http")
        .definedBy("dev.millrace.http..")
        .layer("serve")
        .definedBy("dev.millrace.serve..")
        .layer("watch")
        .definedBy("dev.millrace.watch..")
        .layer("cli")
        .definedBy("dev.millrace.cli..")
        .layer("chaos")
        .definedBy("dev.millrace.chaos..")
        .whereLayer("chaos")
        .mayNotBeAccessedByAnyLayer()
        .layer("simulate")
        .definedBy("dev.millrace.simulate..")
        .whereLayer("simulate")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("cli")
        .mayOnlyBeAccessedByLayers("chaos", "simulate")
        .whereLayer("watch")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("watch")
        .mayOnlyAccessLayers("http")
        .whereLayer("http")
        .mayNotAccessAnyLayer()
        .whereLayer("digits")
        .mayOnlyBeAccessedByLayers("cli", "chaos")
        .whereLayer("local")
        .mayOnlyBeAccessedByLayers("cli", "chaos")
        .whereLayer("serve")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("sql")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("programs of DL4J")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("programs of DL4J")
        .mayOnlyAccessLayers("flink-job", "model-state", "dl4j")
        .whereLayer("flink-job")
        .mayOnlyBeAccessedByLayers("programs of DL4J", "serve", "sql", "cli", "chaos", "simulate")
        .whereLayer("gradient-exchange")
        .mayOnlyBeAccessedByLayers(
            "exchange on Flink", "flink-job", "serve", "sql", "cli", "chaos", "simulate")
        .whereLayer("exchange on Flink")
        .mayOnlyBeAccessedByLayers("flink-job", "serve", "sql", "cli", "chaos", "simulate")
        .whereLayer("connectors")
        .mayOnlyBeAccessedByLayers(
            "exchange on Flink", "flink-job", "sql", "cli", "chaos", "simulate")
        .whereLayer("dl4j")
        .mayOnlyBeAccessedByLayers("programs of DL4J")
        .whereLayer("torch")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("onnx")
        .mayNotBeAccessedByAnyLayer()
        .ensureAllClassesAreContainedInArchitecture()
        .check(CLASSES);
  }

  @Test
  void noPackageDependsOnItselfThroughOthers() {
    slices().matching("dev.millrace.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** Each of the four can be deleted whole; only what puts a job together knows them all. */
  @ParameterizedTest
  @ValueSource(strings = {"train", "score", "evaluate", "join"})
  void aKindOfJobIsKnownToNoOther(String kind) {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("dev.millrace.job.*..")
        .and()
        .resideOutsideOfPackages("dev.millrace.job.%s..".formatted(kind), "dev.millrace.job.setup")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.millrace.job.%s..".formatted(kind))
        .because("what they have in common is in job.common, job.models and job.options")
        .check(CLASSES);
  }

  /** ApiSurfaceTest looks at type arguments, too, and at whether Flink's types are public. */
  @Test
  void theApiShowsTypesOfTheJdkAndOfFlinkAlone() {
    ArchRuleDefinition.methods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("dev.millrace.api")
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .and()
        .arePublic()
        .should()
        .haveRawReturnType(shownByTheApi())
        .andShould()
        .haveRawParameterTypes(allElements(shownByTheApi()))
        .because("what else there is changes without notice")
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> shownByTheApi() {
    return JavaClass.Predicates.resideInAnyPackage(
            "java..",
            "org.apache.flink.api..",
            "org.apache.flink.streaming.api..",
            "org.apache.flink.configuration",
            "dev.millrace.api")
        .or(
            DescribedPredicate.describe(
                "a primitive type or an array of them",
                type -> type.getBaseComponentType().isPrimitive()));
  }

  @Test
  void onlyTheCommandLineDraws() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("dev.millrace.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.knowm..", "java.awt..", "javax.imageio..")
        .because("the job jar has no library that draws, and clusters have no fonts")
        .check(CLASSES);
  }

  @Test
  void whatSetUpMakesKnowsNoOptions() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAnyPackage(
            "dev.millrace.model..",
            "dev.millrace.exchange..",
            "dev.millrace.job.train",
            "dev.millrace.job.train.measure",
            "dev.millrace.job.train.publish",
            "dev.millrace.job.score",
            "dev.millrace.job.follow",
            "dev.millrace.job.evaluate",
            "dev.millrace.job.evaluate.report",
            "dev.millrace.job.join",
            "dev.millrace.job.serve",
            "dev.millrace.serve",
            "dev.millrace.cli.audit",
            "dev.millrace.cli.timeline")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.millrace.job..options", "dev.millrace.job..setup")
        .because("only packages that are called setup turn options into objects")
        .check(CLASSES);
  }

  /** Messages name what they mean: an option that gets another name would leave them behind. */
  @Test
  void belowSetUpNobodyNamesAnOption() throws IOException {
    Pattern option = optionKey();
    List<String> found = new ArrayList<>();
    for (JavaClass type : CLASSES) {
      if (!KNOW_OPTIONS.matcher(type.getPackageName()).matches()
          && !READ_KEPT_OPTIONS.contains(type.getName())) {
        for (String constant : constants(type)) {
          if (option.matcher(constant).find() && !OF_KAFKA.contains(constant)) {
            found.add("%s: \"%s\"".formatted(type.getName(), constant));
          }
        }
      }
    }
    assertThat(found)
        .as("strings with an option's key: say what it means, or have the set-up say it")
        .isEmpty();
  }

  /** Any key, where it isn't a part of a longer name. */
  private static Pattern optionKey() {
    return Pattern.compile(
        MillraceOptions.settings()
            .map(Setting::key)
            // A word alone may be one of prose.
            .filter(key -> key.contains("."))
            .map(Pattern::quote)
            .collect(Collectors.joining("|", "(?<![\\w.-])(?:", ")(?![\\w-]|\\.\\w)")));
  }

  private static List<String> constants(JavaClass type) throws IOException {
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return StringConstants.of(in);
    }
  }

  @Test
  void anOptionIsFoundInWhateverAStringIsMadeOf() throws IOException {
    assertThat(constants(CLASSES.get(ClassOrder.class))).anyMatch(optionKey().asPredicate());
    assertThat(optionKey().asPredicate())
        .accepts("set input.format.", "input.format: json", "(input.format)")
        .rejects("my.input.format", "input.formats", "input.format.x", "input-format");
  }
}
