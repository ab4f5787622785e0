package dev.millrace.deploy;

import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each optional part of training can be deleted: its folders, its line in {@code
 * META-INF/services}, and nothing else. {@code deploy/lab/without} does so, and builds.
 */
class OptionalPartsTest {

  /** Packages that make the exchange: without any optional part it is whole. */
  private static final String[] CORE = {
    "dev.millrace.exchange.round..",
    "dev.millrace.exchange.schedule..",
    "dev.millrace.exchange.block..",
    "dev.millrace.exchange.replica..",
    "dev.millrace.exchange.aggregate..",
    "dev.millrace.exchange.codec..",
    "dev.millrace.exchange.hook..",
    "dev.millrace.exchange.steering..",
    "dev.millrace.exchange.flink..",
  };

  @ParameterizedTest
  @ValueSource(strings = {"replay", "drift", "forgetting"})
  void theCoreKnowsNoOptionalPart(String part) {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAnyPackage(CORE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.millrace.exchange.%s..".formatted(part))
        .because("replicas and the coordinator know hooks")
        .check(ArchitectureTest.CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "rows, dev.millrace.exchange.rows dev.millrace.exchange.flink.rows dev.millrace.job.rows..,"
        + " dev.millrace.exchange.savepoint dev.millrace.cli.rows dev.millrace.chaos",
    "replay, dev.millrace.exchange.replay, ''",
    "drift, dev.millrace.exchange.drift, ''",
    "forgetting, dev.millrace.exchange.forgetting, ''",
    "population, dev.millrace.model.population, ''",
    "updates, dev.millrace.job.updates, ''"
  })
  void onlyItsOwnFoldersKnowAnOptionalPart(String part, String mechanism, String savedReaders) {
    String[] own = (mechanism + " dev.millrace.job.train.part." + part).split(" ", -1);
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackages(own)
        .and()
        // Commands read what a part has saved.
        .resideOutsideOfPackages(savedReaders.split(" ", -1))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(own)
        .because("the job finds parts by ServiceLoader, and engines likewise")
        .check(ArchitectureTest.CLASSES);
  }

  /** They outlive Flink's API, and are tested without a cluster. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.millrace.exchange.rows",
        "dev.millrace.exchange.replay",
        "dev.millrace.exchange.drift",
        "dev.millrace.exchange.forgetting",
        "dev.millrace.model.population"
      })
  void mechanismsKnowNeitherFlinkNorKafka(String mechanism) {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage(mechanism)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..")
        .allowEmptyShould(true)
        .check(ArchitectureTest.CLASSES);
  }
}
