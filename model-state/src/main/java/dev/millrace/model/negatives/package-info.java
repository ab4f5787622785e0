/** Negative examples for streams that hold positive ones, made of the minibatch itself. */
package dev.millrace.model.negatives;
