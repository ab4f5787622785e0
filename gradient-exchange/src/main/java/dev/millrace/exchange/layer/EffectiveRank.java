package dev.millrace.exchange.layer;

import dev.millrace.model.LayerActivations;

/**
 * How many directions a layer's activations really fill: the exponential of the entropy of their
 * singular values, each as a share of the sum of all (Roy and Vetterli 2007). From 1, where all
 * rows are multiples of one, to the lesser of rows and units.
 */
final class EffectiveRank {

  private static final int MOST_SWEEPS = 30;

  /** Time grows with the cube of a matrix's side. */
  private static final int MOST_SIDE = 128;

  private static final double NOTHING = 1e-12;

  private EffectiveRank() {}

  /**
   * Returns the rank of a layer's activations; 0 where all are zero. Of very wide layers so many
   * rows are looked at, evenly apart.
   */
  static double of(LayerActivations layer) {
    int rows = layer.units() > MOST_SIDE ? Math.min(layer.rows(), MOST_SIDE) : layer.rows();
    double[][] products =
        rows < layer.units() ? productsOfRows(layer, rows) : productsOfUnits(layer);
    double[] eigenvalues = eigenvalues(products);
    double trace = 0;
    for (double eigenvalue : eigenvalues) {
      trace += eigenvalue;
    }
    double sum = 0;
    for (double eigenvalue : eigenvalues) {
      sum += root(eigenvalue, trace);
    }
    if (!(sum > 0)) {
      return 0;
    }
    double entropy = 0;
    for (double eigenvalue : eigenvalues) {
      double share = root(eigenvalue, trace) / sum;
      entropy -= share > 0 ? share * Math.log(share) : 0;
    }
    return Math.exp(entropy);
  }

  /** Returns a singular value, and 0 for what is next to nothing of all: that is rounding. */
  private static double root(double eigenvalue, double trace) {
    return eigenvalue > NOTHING * trace ? Math.sqrt(eigenvalue) : 0;
  }

  private static double[][] productsOfUnits(LayerActivations layer) {
    int units = layer.units();
    double[][] products = new double[units][units];
    for (int from = 0; from < layer.values().length; from += units) {
      for (int i = 0; i < units; i++) {
        double value = layer.values()[from + i];
        for (int j = 0; j <= i && value != 0; j++) {
          products[i][j] += value * layer.values()[from + j];
        }
      }
    }
    return mirrored(products);
  }

  private static double[][] productsOfRows(LayerActivations layer, int rows) {
    int apart = layer.rows() / rows;
    int units = layer.units();
    double[][] products = new double[rows][rows];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int unit = 0; unit < units; unit++) {
          sum +=
              (double) layer.values()[i * apart * units + unit]
                  * layer.values()[j * apart * units + unit];
        }
        products[i][j] = sum;
      }
    }
    return mirrored(products);
  }

  private static double[][] mirrored(double[][] lower) {
    for (int i = 0; i < lower.length; i++) {
      for (int j = 0; j < i; j++) {
        lower[j][i] = lower[i][j];
      }
    }
    return lower;
  }

  /** Returns the eigenvalues by Jacobi's rotations, in the matrix's own place. */
  private static double[] eigenvalues(double[][] symmetric) {
    int n = symmetric.length;
    for (int sweep = 0; sweep < MOST_SWEEPS && !isDiagonal(symmetric); sweep++) {
      for (int p = 0; p < n - 1; p++) {
        for (int q = p + 1; q < n; q++) {
          rotate(symmetric, p, q);
        }
      }
    }
    double[] eigenvalues = new double[n];
    for (int i = 0; i < n; i++) {
      eigenvalues[i] = symmetric[i][i];
    }
    return eigenvalues;
  }

  private static boolean isDiagonal(double[][] matrix) {
    double rest = 0;
    double trace = 0;
    for (int i = 0; i < matrix.length; i++) {
      trace += matrix[i][i];
      for (int j = 0; j < i; j++) {
        rest += matrix[i][j] * matrix[i][j];
      }
    }
    return !(rest > NOTHING * trace * trace);
  }

  private static void rotate(double[][] a, int p, int q) {
    double apq = a[p][q];
    if (apq == 0) {
      return;
    }
    double theta = (a[q][q] - a[p][p]) / (2 * apq);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    double c = 1 / Math.sqrt(t * t + 1);
    double s = t * c;
    for (int k = 0; k < a.length; k++) {
      double akp = a[k][p];
      double akq = a[k][q];
      a[k][p] = c * akp - s * akq;
      a[k][q] = s * akp + c * akq;
    }
    for (int k = 0; k < a.length; k++) {
      double apk = a[p][k];
      double aqk = a[q][k];
      a[p][k] = c * apk - s * aqk;
      a[q][k] = s * apk + c * aqk;
    }
  }
}
