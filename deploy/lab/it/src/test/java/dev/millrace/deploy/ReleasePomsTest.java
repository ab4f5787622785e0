package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * What Maven Central asks of poms. What only the owner of Millrace can give is in one of them, with
 * names that can't exist until then.
 */
class ReleasePomsTest {

  private static final Path ROOT = DeployFiles.DEPLOY.resolve("..").normalize();
  private static final Path OWNER = DeployFiles.DEPLOY.resolve("release/owner/pom.xml");
  private static final XPath XPATH = XPathFactory.newInstance().newXPath();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "groupId",
        "version",
        "name",
        "description",
        "url",
        "licenses/license/name",
        "licenses/license/url",
        "developers/developer/name",
        "developers/developer/email",
        "scm/connection",
        "scm/developerConnection",
        "scm/url"
      })
  void theOwnersPomHasWhatEveryPomInherits(String element) throws Exception {
    assertThat(text(document(OWNER), "/project/" + element)).isNotBlank();
  }

  @Test
  void nowhereElseIsAnythingThatOnlyTheOwnerCanGive() throws IOException {
    for (Path pom : poms()) {
      if (!pom.equals(OWNER)) {
        assertThat(pom)
            .content()
            .doesNotContain(".invalid", "<scm>", "<developers>", "<distributionManagement>");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("published")
  void aPublishedPomSaysWhatItIs(Path pom) throws Exception {
    Document document = document(pom);

    assertThat(text(document, "/project/name")).isNotBlank();
    assertThat(text(document, "/project/description")).isNotBlank();
  }

  @ParameterizedTest
  @MethodSource("published")
  void aPublishedModuleNeedsNoneThatIsNot(Path pom) throws Exception {
    List<String> published =
        published().map(other -> text(document(other), "/project/artifactId")).toList();

    assertThat(
            texts(
                document(pom),
                "/project/dependencies/dependency[starts-with(groupId, 'dev.millrace')"
                    + " and not(scope = 'test')]/artifactId"))
        .isSubsetOf(published);
  }

  @Test
  void theBillOfMaterialsHasEachPublishedJar() throws Exception {
    Document bom = document(ROOT.resolve("deploy/dist/bom/pom.xml"));

    assertThat(
            texts(
                bom,
                "/project/dependencyManagement/dependencies/dependency[groupId = 'dev.millrace']"
                    + "/artifactId"))
        .containsExactlyInAnyOrderElementsOf(
            published()
                .map(ReleasePomsTest::document)
                .filter(pom -> text(pom, "/project/packaging").isEmpty())
                .map(pom -> text(pom, "/project/artifactId"))
                .toList());
  }

  private static List<Path> poms() throws IOException {
    try (Stream<Path> files = Files.find(ROOT, 5, (path, any) -> path.endsWith("pom.xml"))) {
      return files.filter(pom -> !pom.toString().contains("/target/")).sorted().toList();
    }
  }

  /** Returns those of modules that are built and not kept from being published. */
  static Stream<Path> published() throws IOException {
    List<String> modules = texts(document(ROOT.resolve("pom.xml")), "/project/modules/module");
    return Stream.concat(
        Stream.of(ROOT.resolve("pom.xml")),
        modules.stream()
            .map(module -> ROOT.resolve(module).resolve("pom.xml"))
            .filter(
                pom ->
                    !text(document(pom), "/project/properties/maven.deploy.skip").equals("true")));
  }

  private static Document document(Path pom) {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    } catch (Exception e) {
      throw new IllegalStateException(pom.toString(), e);
    }
  }

  private static String text(Document document, String path) {
    return String.join("", texts(document, path));
  }

  private static List<String> texts(Document document, String path) {
    try {
      NodeList nodes = (NodeList) XPATH.evaluate(path, document, XPathConstants.NODESET);
      return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1)
          .map(i -> nodes.item(i).getTextContent().strip())
          .toList();
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }
}
