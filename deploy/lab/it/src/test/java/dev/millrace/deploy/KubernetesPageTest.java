package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The commands of the page about Kubernetes, beside the manifests that they are for. */
class KubernetesPageTest {

  private static final Path PAGE = DocumentPage.checkout().resolve("docs/operate/kubernetes.md");

  /** The operator makes the account of the job's pods in the namespaces that it watches. */
  private static final Pattern OPERATOR =
      Pattern.compile(
          "helm install flink-kubernetes-operator .* -n (\\S+) --create-namespace"
              + " --set 'watchNamespaces=\\{NAMESPACE}'");

  private static final Pattern NONCE = Pattern.compile("\"restartNonce\":([^,}]*)");

  /** From another namespace it wouldn't reach Flink's REST interface. */
  @Test
  void theOperatorIsInstalledWhereThePolicyAdmitsIt() throws IOException {
    JsonNode policy = StrictYaml.document(DeployFiles.KUBERNETES.resolve("base/network.yaml"));

    assertThat(policy.findParents("podSelector"))
        .filteredOn(peer -> peer.at("/podSelector/matchLabels").has("app.kubernetes.io/name"))
        .extracting(
            peer -> peer.at("/namespaceSelector/matchLabels/kubernetes.io~1metadata.name").asText())
        .hasSize(1)
        .isEqualTo(found(OPERATOR));
  }

  /** A number that is there already, as base's is or that of the last patch, restarts nothing. */
  @Test
  void aPatchThatRestartsHasANewNumberEachTime() throws IOException {
    assertThat(found(NONCE)).containsOnly("'$(date +%s)'");
  }

  /** Returns what a pattern finds in commands; those over several lines are one line. */
  private static List<String> found(Pattern pattern) throws IOException {
    return new DocumentPage(PAGE, Files.readString(PAGE))
        .codeLines().stream()
            .flatMap(line -> pattern.matcher(line).results())
            .map((MatchResult match) -> match.group(1))
            .toList();
  }
}
