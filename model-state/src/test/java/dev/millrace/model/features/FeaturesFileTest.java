package dev.millrace.model.features;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.Bytes;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FeaturesFileTest {

  private final ExampleShape shape = FieldShapes.flow(2);
  private final LearnedFeatures learned = FieldShapes.learned();

  @Test
  void whatWasLearnedComesBackBitByBit() throws IOException {
    FeaturesFile back = FeaturesFile.read(FeaturesFile.write(shape, learned));

    assertThat(bytes(back.learned())).isEqualTo(bytes(learned));
    assertThatCode(() -> back.requireFor(shape, "It")).doesNotThrowAnyException();
  }

  private static byte[] bytes(LearnedFeatures learned) throws IOException {
    return Bytes.of(out -> LearnedFeatures.WIRE.write(learned, out));
  }

  /** Others read it, too: see docs/internals/snapshots.md. */
  @Test
  void itSaysWhatAProgramOutsideHasToKnow() throws IOException {
    JsonNode json = JsonMapper.builder().build().readTree(FeaturesFile.write(shape, learned));

    assertThat(json.at("/fields/fields/1/path").asText()).isEqualTo("duration");
    assertThat(json.at("/clip").asDouble()).isEqualTo(10);
    assertThat(json.at("/numbers/2/feature").asInt()).isEqualTo(8);
    assertThat(json.at("/numbers/1/count").asInt()).isOne();
    assertThat((float) json.at("/numbers/0/mean").asDouble()).isEqualTo(2.5f);
    assertThat((float) json.at("/numbers/0/scale").asDouble()).isEqualTo(1.5f);
    assertThat(json.at("/words/0/feature").asInt()).isEqualTo(3);
    assertThat(json.at("/words/0/encode").asText()).isEqualTo("one-hot");
    assertThat(json.at("/words/0/words").toString()).isEqualTo("[\"smtp\",\"http\"]");
    assertThat(json.at("/words/0/counts").toString()).isEqualTo("[3,2]");
    assertThat(json.at("/words/0/waiting/gopher").asInt()).isOne();
    assertThat(json.at("/words/1/encode").asText()).isEqualTo("id");
  }

  /** Words of a nearly unique field, as long as can be, are cut off. */
  @Test
  void itIsNeverLongerThanAnEntryMayBe() throws IOException {
    ExampleShape wide = FieldShapes.flow(2);
    LearnedFeatures most = LearnedFeatures.none(wide, true);
    WordCounts counts = new WordCounts(wide.columns().words().size());
    for (int i = 0; i < 60_000; i++) {
      counts.add(0, "\u0001".repeat(250) + i);
    }
    most.vocabularies().merge(counts);

    byte[] json = FeaturesFile.write(wide, most);

    assertThat(json.length).isBetween(2 << 20, 8 << 20);
    assertThat(FeaturesFile.read(json).learned().vocabularies().counts().seen(0)).isEqualTo(60_000);
  }

  @Test
  void otherFieldsAreRefusedByName() throws IOException {
    FeaturesFile file = FeaturesFile.read(FeaturesFile.write(shape, learned));

    assertThatThrownBy(() -> file.requireFor(FieldShapes.renamed(2), "The archive"))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("The archive", "field 1", "\"flag\"", "\"urgent\"");
    assertThatThrownBy(
            () -> file.requireFor(new ExampleShape(10, 2, Target.CLASSIFICATION), "The archive"))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("made of named fields, and the examples have none");
  }

  @ParameterizedTest
  @CsvSource({
    "'\"format\" : 1', '\"format\" : 2', reads 1",
    "'\"count\" : 1', '\"count\" : -1', '\"count\" is -1'",
    "'\"squares\" : 0.0', '\"squares\" : -4.0', number 1",
    "'\"clip\" : 10.0', '\"clip\" : 0.0', clipped at 0.0",
    "'\"http\"', '\"smtp\"', '\"smtp\" is there twice'",
    "'\"most\" : 3', '\"most\" : 1', 'has 2 words, and room for 1'",
    "'\"numbers\"', '\"figures\"', 'no \"numbers\"'"
  })
  void aDamagedOneIsRefused(String whole, String damaged, String says) throws IOException {
    String json = new String(FeaturesFile.write(shape, learned), UTF_8);
    assertThat(json).contains(whole);

    assertThatThrownBy(() -> FeaturesFile.read(json.replaceFirst(whole, damaged).getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("millrace/features.json", says);
  }

  @Test
  void aDifferenceOfFieldsNamesTheFirst() {
    String two = "{\"fields\":[{\"path\":\"a\"},{\"path\":\"b\",\"name\":\"c\"}]}";

    assertThat(KeptFields.difference(two, two)).isEmpty();
    assertThat(KeptFields.difference(two, "{\"fields\":[{\"path\":\"a\"}]}"))
        .hasValueSatisfying(
            text -> assertThat(text).contains("field 2 is \"c\" {", "}", "there, and none here"));
    assertThat(KeptFields.difference(two, two.replace("]}", "],\"sequence\":{\"steps\":4}}")))
        .hasValueSatisfying(
            text -> assertThat(text).contains("nothing more there", "sequence is {\"steps\":4}"));
    assertThat(KeptFields.difference("", two))
        .hasValueSatisfying(text -> assertThat(text).contains("an array of numbers"));
  }

  /** Docs advise it for a running job: an older model must take its savepoint. */
  @Test
  void whereAFieldStandsInRecordsIsNoDifference() {
    String kept = "{\"fields\":[{\"path\":\"a\",\"name\":\"n\",\"kind\":\"number\"}]}";
    String moved =
        "{\"fields\":[{\"path\":\"b.c\",\"name\":\"n\",\"aliases\":[\"a\"],\"kind\":\"number\"}]}";
    String renamed = kept.replace("\"n\"", "\"m\"");
    String boolish = moved.replace("number", "boolean");

    assertThat(KeptFields.difference(kept, moved)).isEmpty();
    assertThat(columns(kept)).isEqualTo(columns(moved)).hasSameHashCodeAs(columns(moved));
    assertThat(KeptFields.difference(kept, renamed)).isPresent();
    assertThat(columns(kept)).isNotEqualTo(columns(renamed));
    assertThat(KeptFields.difference(kept, boolish))
        .hasValueSatisfying(text -> assertThat(text).contains("field 1 is \"n\"", "b.c"));
  }

  private static FeatureColumns columns(String description) {
    return new FeatureColumns(description, List.of(new IndexRange(0, 1)), List.of(), List.of());
  }
}
