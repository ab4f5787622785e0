package dev.millrace.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.testing.CapturedLog;
import dev.millrace.registry.testing.SchemaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RegisteredSchemasTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private SchemaServer server;

  @BeforeEach
  void start() throws IOException {
    server = SchemaServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aSchemaIsAskedForOnce() {
    server.put(7, "{}");
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url()));

    assertThat(schemas.get(7)).isNull();
    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(schemas.get(7)).isEqualTo(new SchemaTexts("AVRO", List.of(), "{}"));

    server.fail(500);
    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(server.requests()).isEqualTo(1);
  }

  @Test
  void whatASchemaRefersToComesWithIt() {
    server.putSubject("item", "{\"item\":1}");
    server.put(7, "{\"order\":1}", "item");
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url()));

    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(schemas.get(7).references()).containsExactly("{\"item\":1}");
  }

  @Test
  void onlyASchemaThatTheRegistryHasNotIsNone() {
    server.put(8, "{}", "nowhere");
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url()));

    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(schemas.get(7)).isNull();
    assertThat(schemas.reason(7)).isEqualTo("the registry has no schema 7");
    int asked = server.requests();
    assertThat(schemas.prepare(7).join()).as("it isn't asked again for a while").isEmpty();
    assertThat(server.requests()).isEqualTo(asked);

    assertThat(schemas.prepare(8).join()).isEmpty();
    assertThat(schemas.reason(8)).contains("refers to version 1 of nowhere");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 401, 403, 429, 500, 503})
  void everyOtherFailureIsWaitedFor(int status) {
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url()));
    server.fail(status);

    assertThat(schemas.prepare(7).join().orElseThrow())
        .contains(server.url())
        .contains("status " + status)
        .contains("; check ");
    assertThat(schemas.reason(7)).isNull();

    server.fail(0);
    server.put(7, "{}");
    assertThat(schemas.prepare(7).join()).as("at the next try").isEmpty();
    assertThat(schemas.get(7)).isNotNull();
  }

  @Test
  void a404OfSomethingElseIsNoMissingSchema() {
    server.fail("/other/schemas/ids/1", 404, "<html>");
    server.putAnswer("/other/schemas/ids/7", "{\"message\":\"hello\"}");
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url() + "/other/"));
    assertThat(schemas.prepare(7).join().orElseThrow()).contains("without a schema; check its URL");

    server.putAnswer("/other/schemas/ids/7", "<html>");
    assertThat(schemas.prepare(7).join().orElseThrow()).contains("what is no JSON");
    assertThat(schemas.reason(7)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 | {\"error_code\":40301,\"message\":\"denied\"} | status 403, error code 40301"
            + " (denied)",
        "422 | {\"error_code\":42202} | status 422, error code 42202",
        "403 | {} | status 403",
        "404 | {\"error_code\":40499} | status 404, error code 40499",
        "404 | <html> | status 404",
        "500 | {\"error_code\":50001} | status 500",
        "503 | {} | status 503",
        "200 | {\"answer\":1} | without a schema",
        "200 | <html> | with what is no JSON",
      })
  void oneSchemaThatTheRegistryDoesNotGiveIsUnusableWhileItAnswersForOthers(
      int status, String body, String reason) {
    RegisteredSchemas<SchemaTexts> schemas = soonAgain(LIMIT);
    server.fail("/schemas/ids/7", status, body);

    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(schemas.get(7)).isNull();
    assertThat(schemas.reason(7)).startsWith("the registry ").contains(reason);
  }

  @Test
  void aSchemaThatIsNotAnsweredInTimeIsUnusableWhileTheRegistryAnswersForOthers() {
    RegisteredSchemas<SchemaTexts> schemas = soonAgain(Duration.ofSeconds(2));
    server.fail("/schemas/ids/7", 0, "{}");

    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(schemas.reason(7))
        .isEqualTo("the registry gives no answer for it: no answer within 2000 ms");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 408, 429})
  void aLoginOrTooManyRequestsSayNothingOfASchema(int status) {
    server.fail("/schemas/ids/7", status, "{\"error_code\":40101}");

    assertThat(soonAgain(LIMIT).prepare(7).join().orElseThrow()).contains("status " + status);
  }

  @Test
  void aServerErrorIsTriedAgainBeforeItIsBelieved() {
    server.put(1, "{}");
    server.fail("/schemas/ids/7", 500, "{}");

    assertThat(soonAgain(LIMIT).prepare(7).join()).isEmpty();

    assertThat(server.requests()).as("three tries, each with a look at another id").isEqualTo(6);
  }

  @Test
  void theRootTellsOfARegistryThatRefusesAllThatIsKnownOfIt() {
    server.fail("/schemas/ids/7", 403, "{}");
    server.fail("/schemas/ids/1", 403, "{}");
    assertThat(soonAgain(LIMIT).prepare(7).join()).as("nothing is answered").isPresent();

    server.putAnswer("/", "{}");
    assertThat(soonAgain(LIMIT).prepare(7).join()).isEmpty();
    server.fail("/schemas/ids/7", 500, "{}");
    assertThat(soonAgain(LIMIT).prepare(7).join())
        .as("its root answers when it has lost its schemas, too")
        .isPresent();
  }

  @Test
  void whatIsUnusableIsAskedForLessAndLessOften() {
    AtomicLong now = new AtomicLong();
    RegisteredSchemas<SchemaTexts> schemas =
        new RegisteredSchemas<>(
            RegistrySettings.of(server.url()), (id, texts) -> texts, Duration.ZERO, now::get);
    List<Long> seconds = new ArrayList<>();
    for (int found = 0; found < 7; found++) {
      schemas.prepare(7).join();
      int asked = server.requests();
      long since = now.get();
      while (server.requests() == asked) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        schemas.prepare(7).join();
      }
      seconds.add(TimeUnit.NANOSECONDS.toSeconds(now.get() - since));
    }

    assertThat(seconds).containsExactly(30L, 60L, 120L, 240L, 480L, 600L, 600L);
    server.put(7, "{}");
    now.addAndGet(TimeUnit.MINUTES.toNanos(10));
    schemas.prepare(7).join();
    assertThat(schemas.get(7)).isNotNull();
    assertThat(schemas.reason(7)).isNull();
  }

  @Test
  void noSchemaHasAnIdBelow0() {
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url()));

    assertThat(schemas.prepare(-1).join()).isEmpty();
    assertThat(schemas.reason(-1)).isEqualTo("no schema has an id below 0");
    assertThat(server.requests()).isZero();
  }

  @Test
  void aFloodOfIdsIsAskedForAtAPace() {
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url()));
    long begun = System.nanoTime();
    for (int id = 1; id <= 250; id++) {
      assertThat(schemas.prepare(id).join()).isEmpty();
    }
    assertThat(System.nanoTime() - begun)
        .as("nanoseconds for 100 requests at once and 150 at 100 a second")
        .isGreaterThan(1_400_000_000L);
  }

  @Test
  void anAnswerIsBounded() {
    server.putAnswer("/schemas/ids/7", "{\"schema\":\"%s\"}".formatted(" ".repeat(5 << 20)));
    RegisteredSchemas<SchemaTexts> schemas = soonAgain(LIMIT);

    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(schemas.reason(7)).contains("an answer of more than 5242880 bytes");
  }

  @Test
  void whatASchemaRefersToIsBounded() {
    server.putSubject("item", "1".repeat(999_999));
    server.put(7, "{}", "item");
    RegisteredSchemas<SchemaTexts> schemas = soonAgain(LIMIT);

    assertThat(schemas.prepare(7).join()).isEmpty();
    assertThat(schemas.reason(7)).contains("more than 1000000 characters");
  }

  @Test
  void whateverReadingASchemaFailsWithRecordsDoNotWaitForEver() {
    server.put(7, "{}");
    Map<Throwable, String> failures =
        Map.of(
            new StackOverflowError(), "nested too deep",
            new IllegalStateException("bug"), "the log of the task says why");
    failures.forEach(
        (failure, reason) -> {
          RegisteredSchemas<SchemaTexts> schemas = failing(failure);
          assertThat(schemas.prepare(7)).succeedsWithin(LIMIT);
          assertThat(schemas.reason(7)).contains(reason);
        });
    RegisteredSchemas<SchemaTexts> schemas = failing(new OutOfMemoryError("a test's"));
    assertThat(schemas.prepare(7))
        .succeedsWithin(LIMIT)
        .satisfies(problem -> assertThat(problem.orElseThrow()).contains("the log says why"));
    assertThat(schemas.get(7)).isNull();
    assertThat(schemas.reason(7)).as("so it is tried again").isNull();
  }

  private RegisteredSchemas<SchemaTexts> failing(Throwable failure) {
    return new RegisteredSchemas<>(
        RegistrySettings.of(server.url()),
        (id, texts) -> {
          if (failure instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure;
        });
  }

  @Test
  void onlyTheSchemasThatWereUsedLastAreKept() {
    RecentSchemas<String> recent = new RecentSchemas<>();
    for (int id = 0; id < RecentSchemas.MOST; id++) {
      recent.put(id, "schema " + id, 1);
    }
    assertThat(recent.get(0)).isEqualTo("schema 0");
    recent.put(-1, "one more", 1);
    assertThat(recent.get(0)).isEqualTo("schema 0");
    assertThat(recent.get(1)).isNull();

    recent.put(-2, "a large one", RecentSchemas.MOST_CHARACTERS - 2);
    assertThat(List.of(recent.get(0), recent.get(-1), recent.get(-2)))
        .containsExactly("schema 0", "one more", "a large one");
    recent.put(-3, "another", RecentSchemas.MOST_CHARACTERS + 1);
    assertThat(recent.get(-2)).isNull();
    assertThat(recent.get(-3)).isEqualTo("another");
    assertThat(recent.idBeside(-3, 5)).isEqualTo(5);
    recent.put(3, "small", 0);
    assertThat(recent.idBeside(4, 5)).isEqualTo(3);
  }

  private RegisteredSchemas<SchemaTexts> soonAgain(Duration timeout) {
    return new RegisteredSchemas<>(
        settings(Map.of("url", server.url(), "timeout", timeout.toMillis() + " ms")),
        (id, texts) -> texts,
        Duration.ofMillis(10),
        System::nanoTime);
  }

  @Test
  void aServerThatIsDownIsWaitedForOrTheNextOneAsked() throws IOException {
    try (SchemaServer other = SchemaServer.start()) {
      other.put(7, "{}");
      server.goDown();
      RegisteredSchemas<SchemaTexts> alone = schemas(RegistrySettings.of(server.url()));
      RegisteredSchemas<SchemaTexts> both = schemas(RegistrySettings.of(server.url(), other.url()));

      assertThat(alone.prepare(7).join().orElseThrow())
          .contains("The schema registry at %s can't be asked".formatted(server.url()));
      assertThat(both.prepare(7).join()).isEmpty();
      assertThat(both.get(7)).isNotNull();
    }
  }

  @Test
  void aSchemaThatOneServerHasNotIsAskedForAtTheNextOne() throws IOException {
    try (SchemaServer other = SchemaServer.start()) {
      other.put(7, "{}");
      RegisteredSchemas<SchemaTexts> both = schemas(RegistrySettings.of(server.url(), other.url()));
      assertThat(both.prepare(7).join()).isEmpty();
      assertThat(both.get(7)).isNotNull();

      server.fail("/schemas/ids/8", 404, "<html>");
      for (List<String> urls :
          List.of(List.of(server.url(), other.url()), List.of(other.url(), server.url()))) {
        RegisteredSchemas<SchemaTexts> none =
            schemas(RegistrySettings.of(urls.toArray(String[]::new)));
        assertThat(none.prepare(8).join()).isEmpty();
        assertThat(none.reason(8)).isEqualTo("the registry has no schema 8");
      }
    }
  }

  @Test
  void showsItsLogin() {
    server.put(1, "{}");
    server.require("Basic dTpw");
    assertThat(problem(settings(Map.of("url", server.url()))).orElseThrow())
        .contains("refuses the login (status 401); check user, password or token")
        .doesNotContain("dTpw");
    assertThat(problem(settings(Map.of("url", server.url(), "user", "u", "password", "p"))))
        .isEmpty();

    server.require("Bearer t");
    assertThat(problem(settings(Map.of("url", server.url(), "token", "t")))).isEmpty();
  }

  @Test
  void aSecretIsReadWhereItIsKeptAndNeverTold(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("token"), "t\n");
    Secret ofFile = new Secret("${file:%s}".formatted(file));
    Secret ofVariable = new Secret("${env:TOKEN}");

    assertThat(ofFile.value()).isEqualTo("t");
    Files.writeString(file, "\ufefft\r\n");
    assertThat(ofFile.value()).as("read anew, as Windows writes it").isEqualTo("t");
    assertThat(ofVariable.value(Map.of("TOKEN", "v\n"))).isEqualTo("v");
    assertThat(new Secret(" t\n").value()).isEqualTo("t");
    assertThatThrownBy(() -> ofVariable.value(Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no variable TOKEN; set it");
    assertThat(settings(Map.of("url", server.url(), "token", "hush")).toString())
        .doesNotContain("hush");
  }

  @Test
  void aTokenThatNoHeaderTakesIsToldNeitherToPeopleNorToTheLog() {
    server.put(7, "{}");
    try (CapturedLog log = new CapturedLog(RegisteredSchemas.class)) {
      RegisteredSchemas<SchemaTexts> schemas =
          schemas(settings(Map.of("url", server.url(), "token", "hush\nquiet")));

      assertThat(schemas.prepare(7).join().orElseThrow())
          .contains(server.url(), "the token … has a line feed")
          .doesNotContain("hush", "quiet");
      assertThat(schemas.problem(LIMIT).orElseThrow()).doesNotContain("hush", "quiet");
      assertThat(log.messages()).noneMatch(text -> text.contains("hush") || text.contains("quiet"));
    }
  }

  @Test
  void speaksTlsWithACertificateOfItsOwn(@TempDir Path directory) throws Exception {
    PemFiles files = PemFiles.in(directory);
    try (SchemaServer secured = SchemaServer.start(files.tls().context())) {
      secured.put(1, "{}");
      RegistrySettings trusting =
          new RegistrySettings(
              List.of(secured.url()), null, null, null, files.tls(), Duration.ofSeconds(10));

      assertThat(problem(trusting)).isEmpty();
      assertThat(problem(RegistrySettings.of(secured.url())).orElseThrow())
          .contains("can't be asked")
          .contains("PKIX path building failed");
    }
  }

  @Test
  void certificatesThatWereReplacedAreReadAnew(@TempDir Path directory) throws Exception {
    PemFiles files = PemFiles.in(Files.createDirectory(directory.resolve("now")));
    PemFiles old = PemFiles.in(Files.createDirectory(directory.resolve("before")));
    Path authorities = Files.copy(old.certificate(), directory.resolve("authorities.pem"));
    TlsFiles tls =
        new TlsFiles(
            authorities.toString(), files.certificate().toString(), files.key().toString());
    try (SchemaServer secured = SchemaServer.start(files.tls().context())) {
      secured.put(7, "{}");
      RegisteredSchemas<SchemaTexts> schemas =
          schemas(
              new RegistrySettings(
                  List.of(secured.url()), null, null, null, tls, Duration.ofSeconds(10)));
      assertThat(schemas.prepare(7).join().orElseThrow()).contains("can't be asked");

      Files.copy(files.certificate(), authorities, StandardCopyOption.REPLACE_EXISTING);

      assertThat(schemas.prepare(7).join()).isEmpty();
      assertThat(schemas.get(7)).isNotNull();
    }
  }

  @Test
  void aMissingFileIsNamed() {
    RegistrySettings settings =
        settings(Map.of("url", "https://localhost:1", "tls.authorities", "none.pem"));

    assertThat(problem(settings).orElseThrow()).contains("none.pem");
  }

  private static Optional<String> problem(RegistrySettings settings) {
    return schemas(settings).problem(Duration.ofSeconds(30));
  }

  private static RegistrySettings settings(Map<String, String> options) {
    return SettingsReader.of(options, "");
  }

  private static RegisteredSchemas<SchemaTexts> schemas(RegistrySettings settings) {
    return new RegisteredSchemas<>(settings, (id, texts) -> texts);
  }
}
