package dev.millrace.job.options;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where the schemas of the format {@code avro-confluent} are. */
public final class SchemaRegistryOptions {

  public static final ConfigOption<List<String>> URL =
      ConfigOptions.key("input.registry.url")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Confluent's schema registry; several URLs are tried in turn.");

  public static final ConfigOption<String> USER =
      ConfigOptions.key("input.registry.user")
          .stringType()
          .noDefaultValue()
          .withDescription("User of basic authentication.");

  public static final ConfigOption<String> PASSWORD =
      ConfigOptions.key("input.registry.password")
          .stringType()
          .noDefaultValue()
          .withDescription("That user's password, or where TaskManagers find it.");

  public static final ConfigOption<String> TOKEN =
      ConfigOptions.key("input.registry.token")
          .stringType()
          .noDefaultValue()
          .withDescription("Bearer token in place of user and password, or its place.");

  public static final ConfigOption<String> AUTHORITIES =
      ConfigOptions.key("input.registry.tls.authorities")
          .stringType()
          .noDefaultValue()
          .withDescription("PEM file of trusted authorities, on each machine. Absent: the JDK's.");

  public static final ConfigOption<String> CERTIFICATE =
      ConfigOptions.key("input.registry.tls.certificate")
          .stringType()
          .noDefaultValue()
          .withDescription("PEM file of the client's certificate, on each machine.");

  public static final ConfigOption<String> KEY =
      ConfigOptions.key("input.registry.tls.key")
          .stringType()
          .noDefaultValue()
          .withDescription("PEM file of its key: PKCS #8, no password.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Schema registry",
          "Where `avro-confluent` has schemas from. Records wait while it doesn't answer.",
          List.of(
              Setting.of(
                  URL,
                  Range.listOf(
                      Range.text(
                          "an http or https URL without user and password",
                          SchemaRegistryOptions::isHttpUrl))),
              Setting.of(USER, Range.text("a user's name")),
              Setting.secret(PASSWORD, Range.text("a password, ${env:NAME} or ${file:PATH}")),
              Setting.secret(TOKEN, Range.text("a token, ${env:NAME} or ${file:PATH}")),
              Setting.of(AUTHORITIES, Range.text("a file")),
              Setting.of(CERTIFICATE, Range.text("a file")),
              Setting.of(KEY, Range.text("a file"))));

  private SchemaRegistryOptions() {}

  /** Checks what they must say together. */
  public static void check(OptionRules rules) {
    if (rules.has(USER) && rules.has(TOKEN)) {
      rules.broken(
          "input.registry.user and input.registry.token are both set; give a user and a password,"
              + " or a token");
    }
    if (rules.has(PASSWORD) && !rules.has(USER)) {
      rules.broken("input.registry.password is set, and input.registry.user is missing; give both");
    }
    if (rules.has(CERTIFICATE) != rules.has(KEY)) {
      rules.broken(
          "Of input.registry.tls.certificate and input.registry.tls.key one is missing; give both");
    }
  }

  /**
   * Says whether a value is a URL without a user: what is in a URL is in logs and messages, too.
   */
  private static boolean isHttpUrl(String value) {
    try {
      URI uri = new URI(value);
      return uri.getHost() != null
          && uri.getUserInfo() == null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
