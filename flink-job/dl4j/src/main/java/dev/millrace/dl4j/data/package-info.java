/** Examples of DL4J's minibatches, as plain arrays. */
package dev.millrace.dl4j.data;
