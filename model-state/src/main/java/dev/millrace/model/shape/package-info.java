/** Says what examples look like: features, words, labels and their structure. */
package dev.millrace.model.shape;
