import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * Asks a server of predictions (millrace serve) about one example:
 *
 * <pre>java Ask.java http://localhost:8080 5.1 3.5 1.4 0.2</pre>
 *
 * The protocol is KServe's open inference protocol, version 2. So a client of Triton or KServe
 * works, too.
 */
class Ask {

  public static void main(String[] arguments) throws Exception {
    String[] features = java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
    String body =
        """
        {"inputs": [{"name": "features", "datatype": "FP32", "shape": [1, %s], "data": [%s]}]}\
        """
            .formatted(features.length, String.join(", ", features));
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(arguments[0] + "/v2/models/model/infer"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      // It says what is wrong with the request.
      System.err.println(answer.body());
      System.exit(1);
    }
    // With the version of the model that has predicted.
    System.out.println(answer.body());
  }
}
