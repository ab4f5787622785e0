package dev.millrace.cli.report;

import dev.millrace.evaluation.RegressionResult;

/** The report on numbers. */
final class RegressionSections {

  private final RegressionResult result;

  RegressionSections(RegressionResult result) {
    this.result = result;
  }

  String write() {
    boolean one = result.outputs().size() == 1;
    String over = one ? "" : ", mean over the outputs";
    return new Tiles()
            .add("R²", Html.share(result.mean().r2()), "share of variance explained" + over)
            .add(
                "RMSE",
                Html.number(result.mean().rootMeanSquaredError()),
                "root of the mean squared error" + over)
            .add(
                "MAE", Html.number(result.mean().meanAbsoluteError()), "mean absolute error" + over)
            .add("correlation", Html.share(result.mean().correlation()), "Pearson's" + over)
            .add("examples", Html.count(result.examples()), "measured")
            .write()
        + outputs()
        + "<h2>Errors</h2>\n<div class=\"charts\">\n"
        + Charts.errors(result.outputs())
        + "</div>\n<p class=\"note\">How large a share of the examples has at most such an error, up"
        + " to 99 %.</p>\n";
  }

  private String outputs() {
    HtmlTable table =
        new HtmlTable(
            "Output", "MSE", "RMSE", "MAE", "R²", "correlation", "mean label", "mean prediction");
    result
        .outputs()
        .forEach(
            output ->
                table.row(
                    output.name(),
                    Html.number(output.meanSquaredError()),
                    Html.number(output.rootMeanSquaredError()),
                    Html.number(output.meanAbsoluteError()),
                    Html.share(output.r2()),
                    Html.share(output.correlation()),
                    Html.number(output.meanLabel()),
                    Html.number(output.meanPrediction())));
    return "<h2>Outputs</h2>\n" + table.write();
  }
}
