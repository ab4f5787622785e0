package dev.millrace.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.registry.testing.SchemaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RegisteredSchemasTest {

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
    server.putAnswer("/other/schemas/ids/7", "{\"message\":\"hello\"}");
    RegisteredSchemas<SchemaTexts> schemas = schemas(RegistrySettings.of(server.url() + "/other/"));
    assertThat(schemas.prepare(7).join().orElseThrow()).contains("without a schema; check its URL");

    server.putAnswer("/other/schemas/ids/7", "<html>");
    assertThat(schemas.prepare(7).join().orElseThrow()).contains("what is no JSON");
    assertThat(schemas.reason(7)).isNull();
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
    assertThat(ofVariable.value(Map.of("TOKEN", "v"))).isEqualTo("v");
    assertThatThrownBy(() -> ofVariable.value(Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no variable TOKEN; set it");
    assertThat(settings(Map.of("url", server.url(), "token", "hush")).toString())
        .doesNotContain("hush");
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
